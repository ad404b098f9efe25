import { describe, expect, it } from 'vitest';
import { LISTS } from '../../tests/support/fill-template.ts';
import { describeFile } from './describe-file.ts';

const described = (...rows: readonly string[]) =>
  describeFile(Buffer.from(rows.join('\n')), LISTS, () => {});

describe('the decimal sign of a file', () => {
  it.each([
    // Codes of family and article, and prices that could be read with either sign.
    [['Código;Descripción;Precio', '01.0012;Tubo;12', '01.0013;Caldera;1.250'], ','],
    // Another column with amounts tells it where the price does not.
    [['Code;Name;Price;Cost', '1;Desk;1,750;500.5', '2;Chair;45;30.25'], '.'],
    [['Código;Descripción;Precio;IVA', '01.0012;Tubo;12;21,00', '01.0013;Codo;1.250;21,00'], ','],
    [['Código;Descripción;Precio', 'A;Tubo;12.50', 'B;Codo;3.75'], '.'],
    // Nothing is recognised: all columns tell it.
    [['Uno;Dos', '1.5;x', '2.5;y'], '.'],
  ])('in %j is «%s»', async (rows, sign) => {
    expect((await described(...rows)).decimal).toBe(sign);
  });
});

const ADDRESS = { Address: 3, Address2: 4, Address3: 5, Address4: 6 };

describe('the columns of other programs', () => {
  it.each([
    [
      'Nombre mostrado;NIF;Calle;Calle 2;C.P.;Ciudad;Provincia;País;Correo electrónico;Plazos de pago del cliente',
      { Name: 0, VATRegistrationNo: 1, Address: 2, Address2: 3, postCode: 4, municipio: 5 },
      { countryCode: 7, Email: 8, PaymentTerms: 9 },
    ],
    ['Nombre para mostrar;NIF', { Name: 0, VATRegistrationNo: 1 }],
    ['Nombre a mostrar;NIF', { Name: 0, VATRegistrationNo: 1 }],
    [
      'Apellidos;Nombre;DNI;Calle;Nº;Piso;Puerta',
      { Name: 1, Name2: 0, VATRegistrationNo: 2 },
      ADDRESS,
    ],
    [
      'Nombre;Primer apellido;Segundo apellido;Domicilio;Número;Esc.;Piso',
      { Name: 0, Name2: 1, Name3: 2, Address: 3, Address2: 4, Address3: 5, Address4: 6 },
    ],
    // A number that does not follow the street is of the client; a contact's surname is no part of a company's name.
    ['Número;Nombre;Calle;Piso', { No: 0, Name: 1, Address: 2, Address2: 3 }],
    [
      'Calle;NIF;Número;Razón social;Apellidos',
      { Address: 0, VATRegistrationNo: 1, No: 2, Name: 3 },
    ],
    [
      'CÓDIGO;TÍTULO;N.I.F.;DOMICILIO;POBLACIÓN;PROVINCIA;C.POSTAL;TELÉFONO;E-MAIL',
      { No: 0, Name: 1, VATRegistrationNo: 2, Address: 3, municipio: 4, postCode: 6, Email: 8 },
    ],
    [
      'Código;Nombre/Razón social;C.I.F. / N.I.F.;Nación;Correo-e;F. Pago;Rec. equiv.',
      { No: 0, Name: 1, VATRegistrationNo: 2, countryCode: 3, Email: 4, PaymentMethod: 5 },
      { CustomerPostingGroup: 6 },
    ],
    [
      'Complete Name;Tax ID;Street;Street2;City;Zip;Country;Customer Payment Terms;Fiscal Position',
      { Name: 0, VATRegistrationNo: 1, Address: 2, Address2: 3, municipio: 4, postCode: 5 },
      { countryCode: 6, PaymentTerms: 7, CustomerPostingGroup: 8 },
    ],
    [
      'Nombre fiscal;NIF/CIF/VAT;Dirección (línea 1);Dirección (línea 2);País (ISO);Plazo de pago (días)',
      { Name: 0, VATRegistrationNo: 1, Address: 2, Address2: 3, countryCode: 4, PaymentTerms: 5 },
    ],
    [
      'Nombre completo;NIF;Términos de pago del cliente;Posición fiscal',
      { Name: 0, VATRegistrationNo: 1, PaymentTerms: 2, CustomerPostingGroup: 3 },
    ],
    // The contact of a company.
    ['Razón social;Nombre;Apellidos;CIF', { Name: 0, VATRegistrationNo: 3 }],
    ['Nombre;Nombre fiscal;CIF', { Name: 1, VATRegistrationNo: 2 }],
    // A treatment, beside the name.
    ['Título;Nombre;DNI/CIF', { Name: 1, VATRegistrationNo: 2 }],
  ])('of clients: %s', async (titles, ...fields) => {
    const [sheet] = (await described(titles, 'Uno;Dos;Tres;Cuatro')).hojas;
    expect(sheet?.destino).toBe('Clientes');
    expect(sheet?.propuestas.Clientes).toEqual(Object.assign({}, ...fields));
  });

  it.each([
    [
      'Internal Reference;Name;Sales Price;Cost;Sales Taxes;Unit of Measure',
      { No: 0, Name: 1, UnitPrice: 2, VATProdPostingGroup: 4, UnitOfMeasure: 5 },
    ],
    [
      'Nombre;SKU;Descripción;Precio compra;Precio (Subtotal);Impuestos;Precio (Total)',
      { Name: 0, No: 1, UnitPrice: 4, VATProdPostingGroup: 5, priceWithTax: 6 },
    ],
    // With the IVA unknown, 21 % would be subtracted from the price that includes it.
    [
      'Ref.;Artículo;P.V.P. sin IVA;I.V.A.;PVP;Ud. medida',
      { No: 0, Name: 1, UnitPrice: 2, VATProdPostingGroup: 3, priceWithTax: 4, UnitOfMeasure: 5 },
    ],
  ])('of products: %s', async (titles, fields) => {
    const [sheet] = (await described(titles, 'Uno;Dos;3;4;5;6')).hojas;
    expect(sheet?.destino).toBe('Productos');
    expect(sheet?.propuestas.Productos).toEqual(fields);
  });

  it.each([
    [
      'Tipo;Número;Fecha de emisión;Cliente;Identificación fiscal;Concepto;Cantidad;Base unitaria;% Descuento;% IVA',
      { tipo: 0, referencia: 1, invoiceDate: 2, cliente: 4, description: 5, quantity: 6, price: 7 },
      { discount: 8, tax: 9 },
    ],
    [
      'Num;Fecha;Cliente;NIF;Concepto;Unidades;Precio unidad;Dto. %;Impuestos',
      { referencia: 0, invoiceDate: 1, cliente: 3, description: 4, quantity: 5, price: 6 },
      { discount: 7 },
    ],
    [
      'Número;Empresa/NIF;Fecha de factura;Líneas de factura/Etiqueta;Líneas de factura/Cantidad;Líneas de factura/Precio unitario',
      { referencia: 0, cliente: 1, invoiceDate: 2, description: 3, quantity: 4, price: 5 },
    ],
  ])('of invoices: %s', async (titles, ...fields) => {
    const [sheet] = (await described(titles, '1;2;15/01/2026;Uno;5;6;7;8;9;10')).hojas;
    expect(sheet?.destino).toBe('Facturas');
    expect(sheet?.propuestas.Facturas).toEqual(Object.assign({}, ...fields));
  });

  it('takes a list of invoices with the addresses of its clients for no list of clients', async () => {
    const titles =
      'Factura;Fecha;Nombre cliente;Apellidos;Calle;Nº;Piso;Puerta;Concepto;Cantidad;Precio';
    const [sheet] = (await described(titles, '1;15/01/2026;Ana;Gil;Mayor;1;2;A;Uno;1;100')).hojas;
    expect(sheet?.destino).toBe('Facturas');
  });

  it('takes «Impuestos» of a list of invoices for no rate: it is their amount', async () => {
    const titles = 'Número;Fecha;Cliente;Concepto;Base imponible;Impuestos;Total';
    const [sheet] = (await described(titles, '1;15/01/2026;B1;Uno;100;21,00;121')).hojas;
    expect(sheet?.destino).toBe('Facturas');
    expect(sheet?.propuestas.Facturas).not.toHaveProperty('tax');
  });
});
