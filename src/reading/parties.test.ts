import { describe, expect, it } from 'vitest';
import { printedRows } from '../../tests/reading/printed-rows.ts';
import { findIssueDate, findNumber } from './heading.ts';
import { findParties } from './parties.ts';
import { withWholeLabels } from './party-labels.ts';
import { rowsOf } from './words.ts';

const OWN = 'B12345674';
function clientOf(...texts: readonly string[]) {
  const { cliente, emisor } = findParties(withWholeLabels(printedRows(...texts)), OWN);
  return {
    emisor: emisor.nombre?.text,
    nombre: cliente.nombre?.text,
    direccion: cliente.direccion?.map(({ text }) => text).join(', '),
  };
}

describe('who issues and who receives', () => {
  it('takes a company called after its trade for a name', () => {
    expect(
      clientOf(
        'HIJOS DE TOMÁS GARRIDO, S.L.',
        'C/ SAN FERNANDO, 8',
        '41500 ALCALÁ DE GUADAÍRA',
        'C.I.F. B12345674',
        '',
        '',
        '                                FONTANERÍA Y GAS ÉCIJA, S.L.',
        '                                POL. IND. LA RED, PARC. 22',
        '                                41400 ÉCIJA',
        '                                N.I.F.: B82472127',
      ),
    ).toMatchObject({ nombre: 'FONTANERÍA Y GAS ÉCIJA, S.L.' });
  });

  it.each([
    ['VAT: DE136695976', 'DE136695976'],
    ['DE 136695976', 'DE136695976'],
    ['Nº IVA intracomunitario FR 40 303 265 045', 'FR40303265045'],
    ['USt-IdNr. ATU99999999', undefined],
    ['CHE / UID: ATU10223006', 'ATU10223006'],
    ['Pedido DE136695976', undefined],
    ['FRA 2026000123', undefined],
  ])('reads the NIF-IVA of a client abroad: %s', (line, nif) => {
    const { emisor, cliente } = findParties(
      printedRows(
        'Talleres Vega, S.L.',
        'VAT: ES B12345674',
        '',
        '',
        'Cliente: Nordlicht Medien GmbH',
        'Speicherstraße 12',
        line,
      ),
      OWN,
    );
    expect(emisor.nif?.valor).toBe(OWN);
    expect(cliente.nif?.valor).toBe(nif);
    expect(cliente.nombre?.text).toBe('Nordlicht Medien GmbH');
  });

  it('reads a form, each item by its label', () => {
    expect(
      clientOf(
        'Talleres Vega, S.L.',
        'C/ Mayor, 3',
        '28013 Madrid',
        'NIF: B12345674',
        '',
        '',
        'DATOS DEL CLIENTE                      Matrícula: 4512 LKM',
        'Nombre:        Ana Ruiz Gómez          Bastidor: VSSZZZ5FZKR012345',
        'Domicilio:     Plaza Nueva, 6          Kms.: 84.512',
        'Población:     48001 Bilbao',
        'NIF:           12345678Z',
      ),
    ).toEqual({
      emisor: 'Talleres Vega, S.L.',
      nombre: 'Ana Ruiz Gómez',
      direccion: 'Plaza Nueva, 6, 48001 Bilbao',
    });
  });

  it.each([
    ['QR tributario:', 'VERI*FACTU'],
    ['QR tributari', 'Factura verificable en la sede electrónica de la AEAT'],
  ])(
    'takes nothing that the law has printed around the tax QR for the issuer: «%s», «%s»',
    (over, under) => {
      const { emisor } = clientOf(
        `                                   ${over}`,
        '',
        '',
        `                                   ${under}`,
        '',
        '',
        'Sala 7                             Factura F26-00012',
        'NIF B12345674',
        'Calle Mayor, 3',
        '28013 Madrid',
        '',
        '',
        'Cliente:    Ana Ruiz Gómez',
        '            NIF 12345678Z',
        '            Plaza Nueva, 6, 48001 Bilbao',
      );
      expect(emisor ?? '').not.toMatch(/tributari|VERI|AEAT/);
    },
  );

  it('reads somebody described in a sentence', () => {
    expect(
      clientOf(
        'Talleres Vega, S.L., con NIF B12345674 y domicilio en C/ Mayor, 3, 28013 Madrid.',
        '',
        '',
        'A nombre de: Ana Ruiz Gómez, con NIF 12345678Z y domicilio en Plaza Nueva, 6, 48001 Bilbao.',
      ),
    ).toEqual({
      emisor: 'Talleres Vega, S.L.',
      nombre: 'Ana Ruiz Gómez',
      direccion: 'Plaza Nueva, 6, 48001 Bilbao',
    });
  });

  it('takes the billing address, not the delivery address', () => {
    const { nombre, direccion } = clientOf(
      'Talleres Vega, S.L.     NIF B12345674',
      '',
      '',
      '',
      'Dirección de envío           Dirección de facturación',
      'Almacén de Ana               Ana Ruiz Gómez',
      'C/ del Puerto, 9             Plaza Nueva, 6',
      '28850 Torrejón de Ardoz      48001 Bilbao',
      '                             NIF: 12345678Z',
    );
    expect(nombre).toBe('Ana Ruiz Gómez');
    expect(direccion).toBe('Plaza Nueva, 6, 48001 Bilbao');
  });

  it.each([
    ['De:', 'A:', 'NIF'],
    ['PRESTADOR DEL SERVICIO', 'RECEPTOR DEL SERVICIO', 'C.I.F.'],
    ['Factura emitida por:', 'Facturar a nombre de:', 'NIF-IVA'],
    ['Emissor', 'Dades del client', 'NIF'],
    ['Seller', 'Bill to', 'Tax ID'],
    ['Datos del proveedor', 'Empresa cliente', 'VAT ID'],
    ['Obligado a expedir', 'Destinatario de la operación', 'NIF'],
  ])('recognises both parties by «%s» and «%s», and the label of a NIF', (from, to, nif) => {
    expect(
      clientOf(
        'contasol.plus',
        '',
        `${to.padEnd(44)}${from}`,
        `${'Club Ciclista Ordesa'.padEnd(44)}Comunidad de Regantes 14`,
        `${`${nif}: G12345674`.padEnd(44)}${nif}: B12345674`,
        `${'C/ Mayor, 3'.padEnd(44)}Plaza Nueva, 6`,
        `${'28013 Madrid'.padEnd(44)}48001 Bilbao`,
      ),
    ).toEqual({
      emisor: 'Comunidad de Regantes 14',
      nombre: 'Club Ciclista Ordesa',
      direccion: 'C/ Mayor, 3, 28013 Madrid',
    });
  });

  it('reads both parties in lines of their own, and a form in four cells', () => {
    expect(
      clientOf(
        'Seller: Club Ciclista Ordesa, CIF: B12345674',
        'C/ Mayor, 3 - 28013 Madrid',
        '',
        'Contratante:     Ayuntamiento de Quel     Tax ID:   G12345674',
        'Dir.:            Plaza Nueva, 6           City:     48001 Bilbao',
        '',
        'Emitida:         1 de abril de 2026',
      ),
    ).toEqual({
      emisor: 'Club Ciclista Ordesa',
      nombre: 'Ayuntamiento de Quel',
      direccion: 'Plaza Nueva, 6, 48001 Bilbao',
    });
  });

  it('finds the name above a line of several items that is aligned with it on the right', () => {
    const { emisor } = clientOf(
      '                                                        Club Ciclista Ordesa',
      '                                     NIF B12345674   C/ Mayor, 3. 26570 Quel',
      'Cliente',
      'Lienzos, S.L.',
      'CIF A12345674',
    );
    expect(emisor).toBe('Club Ciclista Ordesa');
  });

  it('reads names and addresses in narrow columns, including what did not fit in a line', () => {
    expect(
      clientOf(
        'Talleres Vega, S.L.',
        'NIF B12345674',
        '',
        '',
        'DATOS DEL      Eustaquio Benito',
        'CLIENTE        Vera',
        '               Príncipe de',
        '               Vergara, 131',
        '               06900 Llerena',
        '               (Badajoz)',
        '               NIF 12345678Z',
      ),
    ).toEqual({
      emisor: 'Talleres Vega, S.L.',
      nombre: 'Eustaquio Benito Vera',
      direccion: 'Príncipe de Vergara, 131, 06900 Llerena, (Badajoz)',
    });
  });

  it('separates a name from its street at the foot, and does not add a slogan to it', () => {
    const { emisor } = clientOf(
      'los arcos',
      '',
      'Cliente',
      'Lienzos, S.L.',
      'CIF A12345674',
      '',
      '',
      '',
      'Ana Ruiz Gómez, Paseo de Sagasta, 40, esc. dcha. - 41013 Sevilla. NIF B12345674. Tomo 1, Hoja Z-7',
    );
    expect(emisor).toBe('Ana Ruiz Gómez');
    const told = clientOf(
      'Soluciones para la empresa',
      'Lienzos y Marcos, S.L. · NIF: B12345674',
      'Plaza Mayor 3, 41013 Sevilla',
    );
    expect(told.emisor).toBe('Lienzos y Marcos, S.L.');
  });

  it('reports the NIF as guesses if none has a label or belongs to the uploader', () => {
    const guessed = (...texts: readonly string[]) => {
      const { emisor, cliente } = findParties(printedRows(...texts), OWN);
      return [emisor.nif?.isGuess, cliente.nif?.isGuess];
    };
    expect(guessed('Marta Gil Ríos', 'NIF 12345678Z')).toEqual([true, undefined]);
    expect(guessed('Emisor', 'Marta Gil Ríos', 'NIF 12345678Z')).toEqual([false, undefined]);
    expect(guessed('Lienzos, S.L.', 'NIF B12345674')).toEqual([false, undefined]);
    const issuer = ['Telas Ruiz, S.L.', 'NIF B76543214', '', ''];
    const other = ['Marta Gil Ríos', 'NIF 12345678Z'];
    expect(guessed(...issuer, ...other)).toEqual([true, true]);
    expect(guessed(...issuer, 'Cliente', ...other)).toEqual([false, false]);
  });

  it('reads a form of four cells whatever its labels', () => {
    expect(
      clientOf(
        'Lienzos, S.L.',
        'NIF B12345674',
        '',
        '',
        'Entidad:      Marta Gil Ríos     Doc.:     12345678Z',
        'Ubicación:    Plaza Nueva, 6     Lugar:    48001 Bilbao',
      ),
    ).toEqual({
      emisor: 'Lienzos, S.L.',
      nombre: 'Marta Gil Ríos',
      direccion: 'Plaza Nueva, 6, 48001 Bilbao',
    });
  });

  it('leaves out the label of a NIF, whatever it is, and that of a date', () => {
    expect(
      clientOf(
        'Vence el   12/10/2026',
        '',
        'Club Ciclista Ordesa, Steuernr. B12345674',
        'C/ Mayor, 3',
        '28013 Madrid',
        '',
        '',
        'Cliente',
        'Marta Gil Ríos - Núm. id.: 12345678Z',
        'Plaza Nueva, 6',
        '48001 Bilbao',
      ),
    ).toEqual({
      emisor: 'Club Ciclista Ordesa',
      nombre: 'Marta Gil Ríos',
      direccion: 'Plaza Nueva, 6, 48001 Bilbao',
    });
  });

  it('recognises a company by its legal form, not by its brand', () => {
    const { emisor } = clientOf(
      'MotorPlus',
      'Talleres Vega, S.L.',
      'C/ Mayor, 3',
      '28013 Madrid',
      'NIF: B12345674',
    );
    expect(emisor).toBe('Talleres Vega, S.L.');
  });

  it('finds the issuer in a line of mixed text at the foot, and the client in the window', () => {
    expect(
      clientOf(
        'LUMINA',
        '',
        '                    Ana Ruiz Gómez',
        '                    Plaza Nueva, 6',
        '                    48001 Bilbao',
        '',
        'Titular: Ana Ruiz Gómez',
        'NIF titular: 12345678Z',
        '',
        '',
        'R.M. Valencia, Hoja V-22341 - Red Móvil Vega, S.A. Unipersonal - NIF: B12345674 - C/ Mayor, 3',
      ),
    ).toEqual({
      emisor: 'Red Móvil Vega, S.A. Unipersonal',
      nombre: 'Ana Ruiz Gómez',
      direccion: 'Plaza Nueva, 6, 48001 Bilbao',
    });
  });

  it('separates two blocks without labels by the gap between them', () => {
    const letter = [
      'Talleres Vega, S.L.',
      'NIF: B12345674',
      'C/ Mayor, 3',
      '28013 Madrid',
      'Ana Ruiz Gómez',
      '12345678Z',
      'Plaza Nueva, 6',
      '48001 Bilbao',
    ];
    const words = printedRows(...letter).flatMap((row) => row.words);
    // A third of a line more space before the client.
    const rows = rowsOf(words.map((word) => (word.y > 90 ? { ...word, y: word.y + 5 } : word)));
    const { emisor, cliente } = findParties(rows, OWN);
    expect(emisor.nombre?.text).toBe('Talleres Vega, S.L.');
    expect(cliente.nombre?.text).toBe('Ana Ruiz Gómez');
    expect(cliente.direccion?.map(({ text }) => text)).toEqual(['Plaza Nueva, 6', '48001 Bilbao']);
  });

  it('reads a client below its label in a strip of labels', () => {
    const { nombre, direccion } = clientOf(
      'Talleres Vega, S.L.   NIF B12345674',
      '',
      'FACTURA     FECHA        CLIENTE           NIF-IVA',
      '26/118      12/10/2026   Ana Ruiz Gómez    12345678Z',
      'DOMICILIO',
      'Plaza Nueva, 6, 48001 Bilbao',
    );
    expect(nombre).toBe('Ana Ruiz Gómez');
    expect(direccion).toBe('Plaza Nueva, 6, 48001 Bilbao');
  });

  it.each([
    'Documento de identificación 99887766',
    'Documento de identificación: 99 887 766',
    'Pasaporte 530112233',
    'Certificado de residencia 4471-B',
    'Documento probatorio 8812',
    'NIF no censado 12345678Z',
    'NIF-IVA IE6388047V',
  ])('leaves what identifies a client out of its address: %s', (identification) => {
    expect(
      clientOf(
        'Talleres Vega, S.L.',
        'NIF B12345674',
        'C/ Mayor, 3',
        '28013 Madrid',
        '',
        '',
        'Cliente   Baker Trading Ltd.',
        `          ${identification}`,
        '          221B Baker Street, London NW1 6XE',
        '          Reino Unido',
      ),
    ).toEqual({
      emisor: 'Talleres Vega, S.L.',
      nombre: 'Baker Trading Ltd.',
      direccion: '221B Baker Street, London NW1 6XE, Reino Unido',
    });
  });

  it('leaves out the value of an unknown label, and continues to the legal form in the next line', () => {
    expect(
      clientOf(
        'Instalaciones y Montajes Vega,   Factura',
        'S.L.                             26/118',
        'NIF: B12345674',
        '',
        '',
        '',
        'Mandante: Ana Ruiz Gómez',
        'Zuzenbidea: Plaza Nueva, 6',
        'Udalerria: 48001 Bilbao',
        'NIF: 12345678Z',
      ),
    ).toEqual({
      emisor: 'Instalaciones y Montajes Vega, S.L.',
      nombre: 'Ana Ruiz Gómez',
      direccion: 'Plaza Nueva, 6, 48001 Bilbao',
    });
  });

  it('accepts the name of a self-employed person even if it contains a trade, but no heading', () => {
    const { emisor } = clientOf(
      'Fontanería Robledo',
      'Fontanería, gas y calefacción',
      'C/ Mayor, 3',
      '28013 Madrid',
      'NIF: B12345674',
    );
    expect(emisor).toBe('Fontanería Robledo');
    const heading = clientOf(
      'DATOS DEL CONTRATO',
      'P. unit.   Subtotal',
      '3,00       6,00',
      'NIF: B12345674',
    );
    expect(heading.emisor).toBeUndefined();
  });

  it('prefers the name of a person to the trade name above it', () => {
    const person = (...texts: readonly string[]) => findParties(printedRows(...texts), '12345678Z');
    const { emisor } = person('CASA MARUJA', 'de Ana Ruiz Gómez', 'C/ Mayor, 3', 'NIF 12345678Z');
    expect(emisor.nombre?.text).toBe('Ana Ruiz Gómez');
  });

  it('takes the name beside its NIF, below the address', () => {
    const { emisor } = clientOf(
      'La Huerta',
      'C/ Mayor, 3, 28013 Madrid',
      'Asociación El Molino · NIF B12345674',
    );
    expect(emisor).toBe('Asociación El Molino');
  });

  it('reads an address that continues after a NIF, or whose town did not fit in its line', () => {
    const after = clientOf(
      'Talleres Vega, S.L.   NIF B12345674',
      '',
      '',
      '',
      'Ana Ruiz Gómez - NIF: 12345678Z - Plaza Nueva, 6. 48001 Bilbao',
    );
    expect(after).toMatchObject({
      nombre: 'Ana Ruiz Gómez',
      direccion: 'Plaza Nueva, 6. 48001 Bilbao',
    });
    const under = clientOf(
      'Talleres Vega, S.L.   NIF B12345674',
      '',
      '',
      'Inquilino: Ana Ruiz Gómez',
      'NIF: 12345678Z',
      'Domicilio: Plaza Nueva, 6, 48001',
      'Bilbao',
    );
    expect(under).toMatchObject({
      nombre: 'Ana Ruiz Gómez',
      direccion: 'Plaza Nueva, 6, 48001 Bilbao',
    });
  });

  it('reads a form with separate labels for postcode and town, or without a colon at the street', () => {
    const form = clientOf(
      'Talleres Vega, S.L.   NIF B12345674',
      '',
      '',
      'Cliente: Ana Ruiz Gómez',
      'Domicilio Plaza Nueva, 6',
      'C.P.: 48001     Localidad: Bilbao',
      'NIF: 12345678Z',
    );
    expect(form.direccion).toBe('Plaza Nueva, 6, 48001, Bilbao');
  });

  it('reads a name after «prestados a», and a NIF in brackets', () => {
    const told = clientOf(
      'Talleres Vega, S.L.   NIF B12345674',
      '',
      '',
      'Honorarios por los servicios prestados a Ana Ruiz Gómez, NIF 12345678Z, domicilio: Plaza Nueva, 6, 48001 Bilbao.',
    );
    expect(told).toMatchObject({
      nombre: 'Ana Ruiz Gómez',
      direccion: 'Plaza Nueva, 6, 48001 Bilbao',
    });
    const bracketed = clientOf('Expedida a:', 'Ana Ruiz Gómez (NIF: 12345678Z)', 'Plaza Nueva, 6');
    expect(bracketed.nombre).toBe('Ana Ruiz Gómez');
  });

  it('joins a name that did not fit in its line', () => {
    const over = clientOf('Instalaciones y Montajes', 'Vega Baja, S.L.', 'NIF: B12345674');
    expect(over.emisor).toBe('Instalaciones y Montajes Vega Baja, S.L.');
    const surname = clientOf(
      'Talleres Vega, S.L.   NIF B12345674',
      '',
      '',
      'Inquilino: Carmen de Miguel',
      'Arroyo',
      'NIF: 12345678Z',
      'Domicilio: Plaza Nueva, 6',
      '48001 Bilbao',
    );
    expect(surname.nombre).toBe('Carmen de Miguel Arroyo');
    const apart = clientOf(
      'Talleres Vega, S.L.   NIF B12345674',
      '',
      '',
      'Cliente: Carmen de Miguel',
      'Contabilidad de la empresa de su marido',
      'NIF: 12345678Z',
    );
    expect(apart.nombre).toBe('Carmen de Miguel');
  });

  it('leaves out forms of address and customer codes', () => {
    const named = (text: string) =>
      clientOf(text, 'Plaza Nueva, 6', '48001 Bilbao', 'NIF: 12345678Z').nombre;
    expect(named('Cliente: Sra. Dña. Ana Ruiz Gómez')).toBe('Ana Ruiz Gómez');
    expect(named('Cliente: 00127 - Ana Ruiz Gómez')).toBe('Ana Ruiz Gómez');
  });

  it('returns no name rather than the words beside a label', () => {
    const { nombre } = clientOf(
      'Periodo: enero',
      'Nº contrato: 0044512876',
      'NIF titular: 12345678Z',
    );
    expect(nombre).toBeUndefined();
  });

  it('distinguishes a company named after a street from an address', () => {
    expect(
      clientOf(
        'FRIONOR',
        'Calle Mayor Inversiones, S.L.',
        'Rambla de Catalunya, 91',
        '18006 Granada',
        'NIF B12345674',
        '',
        '',
        'Cliente:  Nave 9 Producciones, S.L.U.',
        'NIF:      A58818501',
        'Domicilio: Plaza Nueva, 6, 48001 Bilbao',
      ),
    ).toEqual({
      emisor: 'Calle Mayor Inversiones, S.L.',
      nombre: 'Nave 9 Producciones, S.L.U.',
      direccion: 'Plaza Nueva, 6, 48001 Bilbao',
    });
  });

  it('takes the owner of the NIF at the foot, not the brand at the top or the bank', () => {
    expect(
      clientOf(
        'Grupo ALTIA',
        '',
        '',
        'Facturado a',
        'Oleksandr Kovalenko Petrenko',
        'NIF: 12345678Z',
        'Plaza Mayor, 3   18006 Granada',
        '',
        '',
        'Informe pericial                         79,29     79,29',
        '',
        'Plataforma Logística Integral del    Cuesta del Chapiz, s/n      CaixaBank, S.A.',
        '  Mediterráneo Occidental, S.L.      33201 Gijón                 IBAN ES9121000418450200051332',
        '          NIF B12345674',
      ),
    ).toEqual({
      emisor: 'Plataforma Logística Integral del Mediterráneo Occidental, S.L.',
      nombre: 'Oleksandr Kovalenko Petrenko',
      direccion: 'Plaza Mayor, 3, 18006 Granada',
    });
  });

  it('finds the data controller in the sentence that the law requires', () => {
    const { emisor, direccion } = clientOf(
      'casa otero',
      '',
      'Nombre: Ana Ruiz Gómez',
      'Dirección: Plaza Nueva, 6',
      'Población: 48001 Bilbao',
      'NIF: 12345678Z',
      'Contacto: Pilar Sáez',
      '',
      '',
      'De conformidad con el Reglamento (UE) 2016/679 sus datos son tratados por Otero Hermanos, S.L., con NIF B12345674.',
    );
    expect({ emisor, direccion }).toEqual({
      emisor: 'Otero Hermanos, S.L.',
      direccion: 'Plaza Nueva, 6, 48001 Bilbao',
    });
  });
});

describe('the day and the number', () => {
  const day = (...texts: readonly string[]) =>
    findIssueDate(printedRows(...texts), '2026-11-20')?.valor;

  it.each([
    ['Madrid, a doce de octubre de dos mil veintiséis', '2026-10-12'],
    ['Fecha: 2026/10/12', '2026-10-12'],
    ["Girona, 3 d'abril de 2026", '2026-04-03'],
    ['Data: 12 de gener de 2026', '2026-01-12'],
    ['Santiago, 5 de outubro de 2026', '2026-10-05'],
    ['Bilbon, 2026ko urriaren 12a', '2026-10-12'],
    ['Date: January 7th, 2026', '2026-01-07'],
    ['Invoice date: 1 Aug 2026', '2026-08-01'],
    ['Fecha: 12-X-2026', '2026-10-12'],
    ['Fecha: 12 · 10 · 2026', '2026-10-12'],
    ['Garantía: 12 desde 2024', undefined],
    ['Fecha: 12-oct-26', '2026-10-12'],
    ['Fecha: Oct 12, 2026', '2026-10-12'],
    ['Vencimiento: 01/11/2026 Fecha: 12/10/2026', '2026-10-12'],
    ['Issue date: 12/10/2026     Due date: 01/11/2026', '2026-10-12'],
    ['Fecha de cargo: 01/11/2026     Emitida: 12/10/2026', '2026-10-12'],
    ['01/09/2026 - 30/09/2026     12/10/2026', '2026-10-12'],
    ['Periodo: 01/09/2026 al 30/09/2026     Soria,   a 12 de octubre de 2026', '2026-10-12'],
    ['12/10/2026 - 28013 Madrid', '2026-10-12'],
    ['Fecha registro: 12/10/2026', '2026-10-12'],
    ['Fecha de servicio: 12/10/2026     Vencimiento: 01/11/2026', '2026-10-12'],
    ['Fecha de pago: 01/11/2026', undefined],
  ])('%s', (text, expected) => {
    expect(day(text)).toBe(expected);
  });

  it('joins what is in separate boxes, or continues in the next line', () => {
    expect(day('DÍA   MES   AÑO', '12    10    2026')).toBe('2026-10-12');
    expect(day('Fecha de la factura: 9 de agosto', 'de 2026')).toBe('2026-08-09');
    expect(
      day(
        'Nº       Expedida   Vencimiento',
        'A-7      14 de      20 de',
        '         mayo de    junio de',
        '         2026       2026',
      ),
    ).toBe('2026-05-14');
    expect(day('Fecha: 9', 'agosto 2026', 'Vencimiento: 01/11/2026')).toBe('2026-08-09');
  });

  it('reads the date beside a number that ends like a day', () => {
    const day = (text: string) => findIssueDate(printedRows(text), '2026-11-20')?.valor;
    expect(day('Factura 2026/55 · 15/08/2026')).toBe('2026-08-15');
    expect(day('FACTURA Nº RA 2026/77 - 12-09-2026')).toBe('2026-09-12');
    expect(day('Factura rectificativa Nº RFRA 2026/55 FECHA 16-09-2026')).toBe('2026-09-16');
    expect(findNumber(printedRows('Factura n.º 10483, 13 de mayo de 2026'))?.valor).toBe('10483');
  });

  it('reads a number labelled in two languages, and does not take one from a date', () => {
    expect(findNumber(printedRows('Núm. factura / Nº factura: 26/118'))?.valor).toBe('26/118');
    expect(findNumber(printedRows('FACTURA DE VENTA núm. ES-26-8'))?.valor).toBe('ES-26-8');
    expect(findNumber(printedRows('Factura n.º: TA 26/00712'))?.valor).toBe('TA 26/00712');
    expect(findNumber(printedRows('Factura n.º: A 000712'))?.valor).toBe('A 000712');
    expect(findNumber(printedRows('FACTURA DE 10/2026'))).toBe(null);
    expect(
      findNumber(
        printedRows(
          'DOCUMENTO    NÚMERO     PÁGINA   FECHA',
          'Factura      1 000456   1        28-02-2026',
        ),
      )?.valor,
    ).toBe('1 000456');
    expect(findNumber(printedRows('FACTURA DE HONORARIOS PROFESIONALES Nº 51/2026'))?.valor).toBe(
      '51/2026',
    );
    expect(
      findNumber(
        printedRows('FACTURA     FECHA       PAGO', '26/000873   25/07/2026  RECIBO 30 DÍAS'),
      )?.valor,
    ).toBe('26/000873');
    expect(findNumber(printedRows('FACTURA COMPLETA: 118-26'))?.valor).toBe('118-26');
    expect(findNumber(printedRows('Nº        TA/26/88', 'Fecha fra.   25 jul 2026'))?.valor).toBe(
      'TA/26/88',
    );
  });

  it('reads a number broken at a mark, and not that of the invoice that it corrects', () => {
    expect(findNumber(printedRows('Factura nº: FR-2026-', '            00310'))?.valor).toBe(
      'FR-2026-00310',
    );
    expect(
      findNumber(printedRows('Rectificación de la factura nº A-1', 'FACTURA     RA-1'))?.valor,
    ).toBe('RA-1');
    expect(findNumber(printedRows('Nº documento   :   26-0457'))?.valor).toBe('26-0457');
  });

  it('takes a bare number beside the date if none is labelled, and no other figures', () => {
    const found = findNumber(printedRows('Talleres Vega, S.L.', '0412/2026', '18/01/2026'));
    expect(found).toMatchObject({ valor: '0412/2026', isNamed: false });
    expect(findNumber(printedRows('Talleres Vega, S.L.', '28013', '18/01/2026'))).toBeNull();
  });

  it('accepts a minuta as an invoice', () => {
    expect(findNumber(printedRows('MINUTA DE HONORARIOS Nº M-14/2026'))?.valor).toBe('M-14/2026');
  });
});

it('recognises a town that begins with an article of one letter', () => {
  expect(
    clientOf(
      'Talleres Vega, S.L.',
      'C/ Mayor, 3, 28013 Madrid  NIF: B12345674',
      '',
      '',
      '                                        DAVID MONTIEL REY',
      '                                        Gran Vía 55, 4º dcha.',
      '                                        15007 A Coruña',
      '',
      '',
      'Nº factura      Fecha         Código cliente       N.I.F.',
      '26V-00481       02/04/26      4300231              37418211V',
    ),
  ).toMatchObject({
    nombre: 'DAVID MONTIEL REY',
    direccion: 'Gran Vía 55, 4º dcha., 15007 A Coruña',
  });
});

it('does not take the number of the invoice that is corrected for its own', () => {
  const rows = printedRows(
    'FACTURA       RN-4408',
    'FECHA         11/03/2026',
    '',
    'Factura rectificativa de la factura FAC-2026-0310',
  );
  expect(findNumber(rows)?.valor).toBe('RN-4408');
});

describe('parties shown in other ways', () => {
  it('leaves out whoever opens the letter, the delivery address in a form, and the guest', () => {
    const expected = { nombre: 'Ana Ruiz Gómez', direccion: 'Plaza Nueva, 6, 48001 Bilbao' };
    expect(
      clientOf(
        'Talleres Vega, S.L.   NIF B12345674',
        '',
        '',
        'Ana Ruiz Gómez',
        'A/A: Dpto. de Administración',
        'Plaza Nueva, 6',
        '48001 Bilbao',
        'NIF: 12345678Z',
      ),
    ).toMatchObject(expected);
    expect(
      clientOf(
        'Talleres Vega, S.L.   NIF B12345674',
        '',
        '',
        '                           Ana Ruiz Gómez',
        '                           Plaza Nueva, 6',
        '                           48001 Bilbao',
        '',
        'Titular:                   Ana Ruiz Gómez',
        'NIF titular:               12345678Z',
        'Dirección de suministro:   Calle de los Olmos, 5, 45600 Talavera de la Reina',
      ),
    ).toMatchObject(expected);
    expect(
      clientOf(
        'HOTEL VEGA                 NIF B12345674',
        '',
        '',
        'Huésped: Sr. Castaño       Datos de facturación',
        'Habitación: 214            Ana Ruiz Gómez',
        'Entrada: 02/01/2026        Plaza Nueva, 6',
        'Salida: 04/01/2026         48001 Bilbao',
      ),
    ).toMatchObject(expected);
  });

  it('reads the sender above the window of an envelope, and whose NIF each is', () => {
    expect(
      clientOf(
        'Talleres Vega, S.L. · C/ Mayor, 3 · 28013 Madrid',
        '',
        'Lienzos del Norte, S.L.',
        'Plaza Nueva, 6',
        '48001 Bilbao',
        '',
        '',
        '                                        Factura 26/118',
        '                                        Su NIF: B87654323',
        '                                        Nuestro NIF: B12345674',
      ),
    ).toEqual({
      emisor: 'Talleres Vega, S.L.',
      nombre: 'Lienzos del Norte, S.L.',
      direccion: 'Plaza Nueva, 6, 48001 Bilbao',
    });
  });

  it('reads a form whose labels say whose data they are', () => {
    expect(
      clientOf(
        'Razón social del emisor            NIF',
        'Talleres Vega, S.L.                B12345674',
        'Domicilio',
        'C/ Mayor, 3, 28013 Madrid',
        '',
        'Nombre o razón social del cliente  NIF',
        'Ayuntamiento de Quel               P2612300E',
        'Domicilio del cliente',
        'Plaza Nueva, 6, 26570 Quel',
      ),
    ).toEqual({
      emisor: 'Talleres Vega, S.L.',
      nombre: 'Ayuntamiento de Quel',
      direccion: 'Plaza Nueva, 6, 26570 Quel',
    });
  });

  it('reads both parties in one sentence', () => {
    expect(
      clientOf(
        'Talleres Vega, S.L., con NIF B12345674 y domicilio en C/ Mayor, 3, 28013 Madrid, factura a',
        'Ana Ruiz Gómez, con NIF 12345678Z y domicilio en Plaza Nueva, 6, 48001 Bilbao, los siguientes',
        'conceptos:',
      ),
    ).toEqual({
      emisor: 'Talleres Vega, S.L.',
      nombre: 'Ana Ruiz Gómez',
      direccion: 'Plaza Nueva, 6, 48001 Bilbao',
    });
  });

  it('reads a label in front of «Noelia», which is no number, and a NIF without a blank after its label', () => {
    expect(
      clientOf(
        'Talleres Vega, S.L.   NIF B12345674',
        '',
        '',
        'CLIENTE Noelia Ruiz Gómez',
        'Plaza Nueva, 6',
        '48001 Bilbao',
        'NIF: 12345678Z',
      ).nombre,
    ).toBe('Noelia Ruiz Gómez');
    expect(
      clientOf(
        'Talleres Vega, S.L.   NIF B12345674',
        '',
        '',
        'Cliente: Ana Ruiz Gómez, N.I.F.:12345678Z, Paseo de la Castellana, 141 planta 2, 28046 Madrid',
      ).direccion,
    ).toBe('Paseo de la Castellana, 141 planta 2, 28046 Madrid');
  });

  it('does not end a name with the next line of the text around it', () => {
    expect(
      clientOf(
        'Ana Ruiz Gómez, con NIF 12345678Z y domicilio en Plaza Nueva, 6, 48001 Bilbao, DEBE a Talleres Vega',
        'SL:',
        '',
        '',
        'Talleres Vega SL',
        'NIF B12345674',
      ).nombre,
    ).toBe('Ana Ruiz Gómez');
  });

  it('reads the address of somebody in another country', () => {
    const { direccion } = clientOf(
      'Talleres Vega, S.L.   NIF B12345674',
      '',
      '',
      'Cliente:',
      'Dupont et Fils SARL',
      '12 Rue de la Paix',
      '75002 Paris',
    );
    expect(direccion).toBe('12 Rue de la Paix, 75002 Paris');
    expect(
      clientOf(
        'Talleres Vega, S.L.   NIF B12345674',
        '',
        '',
        '                    Padaria do Minho, Lda.',
        '                    Rua de Santa Catarina, 120',
        '                    4000-447 Porto',
      ).direccion,
    ).toBe('Rua de Santa Catarina, 120, 4000-447 Porto');
  });
});

it("joins a company's name of three lines in big letters", () => {
  const big = (text: string, y: number) =>
    text.split(' ').map((word, i, all) => ({
      text: word,
      page: 1,
      x: 40 + all.slice(0, i).join(' ').length * 10 + (i > 0 ? 10 : 0),
      y,
      w: word.length * 10 - 1,
      h: 17,
    }));
  const small = (text: string, y: number) =>
    text.split(' ').map((word, i) => ({ text: word, page: 1, x: 40 + i * 40, y, w: 36, h: 9 }));
  const rows = rowsOf([
    ...big('Construcciones y Contratas', 40),
    ...big('Ebro Medio, Sociedad', 63),
    ...big('Limitada', 86),
    ...small('Factura 26/118', 140),
    ...small('Fecha 12/10/2026', 160),
    ...small('Pintura 1,00', 180),
    ...small('Total 1,00', 200),
    ...small('NIF B12345674', 260),
  ]);
  expect(findParties(rows, OWN).emisor.nombre?.text).toBe(
    'Construcciones y Contratas Ebro Medio, Sociedad Limitada',
  );
});

describe('parties shown in yet other ways', () => {
  const issuer = ['Talleres Vega, S.L.   NIF B12345674', '', ''] as const;

  it('does not take the F of a dotted label for the first letter of a NIF', () => {
    const { cliente } = findParties(
      printedRows(...issuer, 'Cliente: Ana Ruiz Gómez (N.I.F 48588990 H)', 'Plaza Nueva, 6'),
      OWN,
    );
    expect(cliente.nif?.valor).toBe('48588990H');
  });

  it('reads a window below its sender, whatever is in the columns of the foot', () => {
    expect(
      clientOf(
        '                                                            Cuenca Viajes, S.L.',
        '',
        '',
        'Cuenca Viajes, S.L. - Avenida de Andalucía, 12 bajo - 41013 Sevilla',
        'SERVICIOS CÁCERES, S.L.U.',
        'Centro Empresarial Los Llanos, despacho 12',
        '47400 Medina del Campo',
        '',
        '',
        '                                                Su NIF       B87654323',
        '',
        '',
        'Cuenca Viajes, S.L.         CIF: B12345674         Banco Sabadell',
        'Avenida de Andalucía, 12    Tel. 930 310 49 45     ES96 1428 1656 6709 5811 5155',
        '41013 Sevilla',
      ),
    ).toEqual({
      emisor: 'Cuenca Viajes, S.L.',
      nombre: 'SERVICIOS CÁCERES, S.L.U.',
      direccion: 'Centro Empresarial Los Llanos, despacho 12, 47400 Medina del Campo',
    });
  });

  it('reads an address that goes on below its label, or beside it', () => {
    expect(
      clientOf(
        ...issuer,
        'Datos del titular',
        'Nombre: Ana Ruiz Gómez',
        'NIF: 12345678Z',
        'Dirección fiscal: Paseo de la Castellana 141,',
        'planta 18, 33201 Gijón',
      ).direccion,
    ).toBe('Paseo de la Castellana 141, planta 18, 33201 Gijón');
    expect(
      clientOf(
        ...issuer,
        'DATOS DEL DESTINATARIO',
        'Nombre      Ana Ruiz Gómez',
        'NIF         12345678Z',
        'Domicilio   Centro Los Llanos, despacho',
        '            12',
        'Población   08930 Sant Adrià',
      ).direccion,
    ).toBe('Centro Los Llanos, despacho 12, 08930 Sant Adrià');
  });

  it('keeps «P.I.» in an address', () => {
    expect(
      clientOf(
        ...issuer,
        'Cliente: Ana Ruiz Gómez',
        'P.I. Els Batzacs, C/ Nou, 15',
        '08930 Sant Adrià',
      ).direccion,
    ).toBe('P.I. Els Batzacs, C/ Nou, 15, 08930 Sant Adrià');
  });

  it('reads a person at the foot, with the registered address before the NIF', () => {
    expect(
      clientOf(
        'Facturado a',
        'Lienzos del Norte, S.L.',
        'NIF: B87654323',
        'Plaza Nueva, 6',
        '48001 Bilbao',
        '',
        '',
        'Manuela Iglesias Toro con domicilio social en Camí de la Font, 22, 50010 Zaragoza y NIF B12345674.',
      ),
    ).toEqual({
      emisor: 'Manuela Iglesias Toro',
      nombre: 'Lienzos del Norte, S.L.',
      direccion: 'Plaza Nueva, 6, 48001 Bilbao',
    });
  });

  it.each([
    ['FACTURA Nº 14/26 que emite Bluewave Digital, S.L. (NIF B12345674)', 'Bluewave Digital, S.L.'],
    ['Viveros del Sil, S. Coop. Galega · NIF B12345674', 'Viveros del Sil, S. Coop. Galega'],
    [
      'Bodega Virgen del Rosario, S. Coop. de C-LM   NIF B12345674',
      'Bodega Virgen del Rosario, S. Coop. de C-LM',
    ],
  ])('names the issuer of «%s»', (text, name) => {
    expect(clientOf(text).emisor).toBe(name);
  });

  it('does not join a trade name in capitals with the name of its owner', () => {
    expect(
      clientOf('ESTACIÓN DE SERVICIO DUERO', 'Hormigones del Jiloca, S.A.', 'NIF B12345674').emisor,
    ).toBe('Hormigones del Jiloca, S.A.');
  });

  it('does not join the name of a petrol station with the name of its owner', () => {
    const sheet = ['E.S. LA ENCINA', 'CARBURANTES SOTO, S.L.', 'CIF B12345674', 'Ctra. N-VI, km 5'];
    expect(clientOf(...sheet).emisor).toBe('CARBURANTES SOTO, S.L.');
  });

  it('reads the window of somebody in another country, by the country below', () => {
    expect(
      clientOf(
        ...issuer,
        '                         Müller Maschinenbau GmbH',
        '                         Hauptstraße 45',
        '                         80331 München',
        '                         Alemania',
      ),
    ).toMatchObject({
      nombre: 'Müller Maschinenbau GmbH',
      direccion: 'Hauptstraße 45, 80331 München, Alemania',
    });
  });

  it('recognises «Interesado» and «Sr. D.» as labels of whoever pays', () => {
    expect(clientOf(...issuer, 'Interesado: Soria Valle, Eva María').nombre).toBe(
      'Soria Valle, Eva María',
    );
    expect(clientOf(...issuer, 'Sr. D.      Ana Ruiz Gómez').nombre).toBe('Ana Ruiz Gómez');
  });
});

it('reads the number of an invoice that says what it is for', () => {
  expect(findNumber(printedRows('FACTURA DE ALQUILER Nº 2026/0451'))?.valor).toBe('2026/0451');
});

it('ends the data of one party at the NIF of the other, if nothing else sets them apart', () => {
  expect(
    clientOf(
      'Duarte y Lemos, S.C.',
      'Plaza de la Villa 1',
      '03690 San Vicente',
      'CIF: B12345674',
      '   Servicios Cáceres, S.L.U.                Factura nº: 26-01544',
      '   Plaza Nueva, 6                           Fecha: 05-oct-26',
      '   48001 Bilbao',
      '   CIF: B87654323',
    ),
  ).toEqual({
    emisor: 'Duarte y Lemos, S.C.',
    nombre: 'Servicios Cáceres, S.L.U.',
    direccion: 'Plaza Nueva, 6, 48001 Bilbao',
  });
});

it('takes no number of an invoice for an address', () => {
  const { direccion } = clientOf(
    'Talleres Vega, S.L.   NIF B12345674',
    '',
    '',
    'Ana Ruiz Gómez             12345678Z',
    'Nombre                     NIF',
    'Dirección',
    'Factura nº 26/118 Fecha 12/10/2026',
  );
  expect(direccion).toBeUndefined();
});

describe('names that are easily mistaken', () => {
  const client = [
    '',
    '',
    'Cliente:    Ana Ruiz Gómez',
    'Domicilio:  Plaza Nueva, 6',
    'Población:  48001 Bilbao',
    'NIF:        12345678Z',
  ];

  it.each([
    ['only its legal form', 'Calle Real Hostelería,', 'S.L.'],
    ['half of the name', 'Vía Láctea Quesos', 'Artesanos, S.L.U.'],
  ])('joins a company called after a street with %s in the next line', (_, first, last) => {
    const { emisor } = clientOf(
      first,
      last,
      'Príncipe de Vergara, 131',
      '28006 Madrid',
      'NIF B12345674',
      ...client,
    );
    expect(emisor).toBe(`${first} ${last}`);
  });

  it('leaves apart a street and the company below it', () => {
    const { emisor } = clientOf(
      'Plaza del Sol, 7',
      'Talleres Vega, S.L.',
      '28013 Madrid',
      'NIF B12345674',
      ...client,
    );
    expect(emisor).toBe('Talleres Vega, S.L.');
  });

  it('reads who issues in the sentence of the register, whatever brand is on top', () => {
    const { emisor } = clientOf(
      'naranjal',
      ...client,
      '',
      '',
      'Fundación Pinares. Domicilio social: C/ Mayor, 3, 28013 Madrid. Inscrita en el R.M., T 8. CIF: B12345674',
    );
    expect(emisor).toBe('Fundación Pinares');
  });

  it('reads a company called after a street in a sentence', () => {
    const { nombre, direccion } = clientOf(
      'Talleres Vega, S.L.',
      'NIF: B12345674',
      '',
      '',
      'Datos fiscales del cliente: Calle Real Hostelería, S.L., con NIF B87654323 y domicilio en C/ Mayor, 3, 48001 Bilbao.',
    );
    expect([nombre, direccion]).toEqual([
      'Calle Real Hostelería, S.L.',
      'C/ Mayor, 3, 48001 Bilbao',
    ]);
  });

  it.each(['PACIENTE / PAGADOR', 'Socio/Titular', 'Cliente / Customer'])(
    'takes «%s» for the label of who pays',
    (label) => {
      expect(
        clientOf(
          'Marta Peláez Cifuentes',
          'B12345674',
          '',
          '',
          label,
          'Vidrios y Espejos, S.L.U.',
          'Plaza Nueva, 6',
          '48001 Bilbao',
          'B87654323',
        ),
      ).toEqual({
        emisor: 'Marta Peláez Cifuentes',
        nombre: 'Vidrios y Espejos, S.L.U.',
        direccion: 'Plaza Nueva, 6, 48001 Bilbao',
      });
    },
  );

  it.each([
    ['beside its label', ['Nombre:  Comunidad de Propietarios Avda. de', '         América, 12']],
    ['in a block', ['Cliente:', 'Comunidad de Propietarios Avda. de', 'América, 12']],
  ])('keeps the street in the name of a comunidad apart from its address, %s', (_, name) => {
    const isForm = name[0]?.startsWith('Nombre');
    const { nombre, direccion } = clientOf(
      'Talleres Vega, S.L.',
      'NIF: B12345674',
      '',
      '',
      ...(isForm ? ['DATOS DEL CLIENTE'] : []),
      ...name,
      isForm ? 'Dirección:  Plaza Nueva, 6' : 'Plaza Nueva, 6',
      isForm ? 'Población:  48001 Bilbao' : '48001 Bilbao',
      'NIF: H87654323',
    );
    expect([nombre, direccion]).toEqual([
      'Comunidad de Propietarios Avda. de América, 12',
      'Plaza Nueva, 6, 48001 Bilbao',
    ]);
  });
});

describe('recipients in forms and sentences', () => {
  const issuer = ['Talleres Vega, S.L.', 'NIF: B12345674', '', ''];

  it('keeps the rows of a form apart, whose labels «Arrendador» and «Arrendatario» are in a column', () => {
    expect(
      clientOf(
        'Arrendador       Calle Real Hostelería, S.L., NIF B12345674',
        'Domicilio        C/ Mayor, 3, 28013 Madrid',
        'Arrendatario     Joaquín de la Fuente Rey, NIF 12345678Z',
        'Domicilio        Plaza Nueva, 6, 48001 Bilbao',
      ),
    ).toEqual({
      emisor: 'Calle Real Hostelería, S.L.',
      nombre: 'Joaquín de la Fuente Rey',
      direccion: 'Plaza Nueva, 6, 48001 Bilbao',
    });
  });

  it('does not mix up a label over its data with the data beside it', () => {
    const { emisor } = clientOf(
      '                         Talleres Vega, S.L.',
      'CLIENTE                  C/ Mayor, 3',
      'Ana Ruiz Gómez           28013 Madrid',
      'Plaza Nueva, 6           NIF B12345674',
      '48001 Bilbao',
      '12345678Z',
    );
    expect(emisor).toBe('Talleres Vega, S.L.');
  });

  it('reads a company called after a street and its address in one line', () => {
    expect(
      clientOf(
        ...issuer,
        'Cliente: Ronda Norte Automoción, S.A., C/ Mayor, 3, 48001 Bilbao - NIF A87654323',
      ),
    ).toEqual({
      emisor: 'Talleres Vega, S.L.',
      nombre: 'Ronda Norte Automoción, S.A.',
      direccion: 'C/ Mayor, 3, 48001 Bilbao',
    });
  });

  it.each([
    'He recibido de Ana Ruiz Gómez, con NIF 12345678Z y domicilio en C/ Mayor, 3, 48001 Bilbao.',
    'D./Dª Ana Ruiz Gómez, con NIF 12345678Z y domicilio en C/ Mayor, 3, 48001 Bilbao.',
  ])('leaves out what leads up to the name: «%s»', (sentence) => {
    expect(clientOf(...issuer, sentence).nombre).toBe('Ana Ruiz Gómez');
  });
});

it('takes no date for an address', () => {
  const { direccion } = clientOf(
    'Talleres Vega, S.L.   NIF B12345674',
    '',
    '',
    'Factura n.º    26/118',
    'Fecha          2 de agosto de 2026',
    'Su NIF         B87654323',
  );
  expect(direccion).toBeUndefined();
});

it('takes a number with a dash among its figures for no NIF, even if its last one would be right', () => {
  expect(findNumber(printedRows('Factura n.º: R2026-0055'))?.valor).toBe('R2026-0055');
});

it('reads the number below its label, before the date', () => {
  expect(findNumber(printedRows('Factura', '26-01198 · 6 de mayo de 2026'))?.valor).toBe(
    '26-01198',
  );
  expect(findNumber(printedRows('Factura', '28013 · Madrid'))).toBeNull();
});

describe('a NIF that OCR spoiled', () => {
  const nifs = (...texts: readonly string[]) => {
    const { emisor, cliente } = findParties(withWholeLabels(printedRows(...texts)), OWN);
    return [emisor.nif?.valor, cliente.nif?.valor];
  };

  it("is that of the company that uploads, also without an entity's letter", () => {
    expect(nifs('Talleres Vega, S.L.   12345674', '', '', 'Cliente:', 'Ana Ruiz Gómez')).toEqual([
      OWN,
      undefined,
    ]);
  });

  it('may begin like a telephone number, if there is no other', () => {
    const sheet = ['Talleres Vega, S.L.   B12345674', '', '', 'Facturar a', 'Ana Ruiz Gómez'];
    expect(nifs(...sheet, '775801195')).toEqual([OWN, '77580119S']);
    expect(nifs(...sheet, '12345678Z', '775801195')).toEqual([OWN, '12345678Z']);
  });
});

describe('the invoice of somebody else', () => {
  const rows = printedRows(
    'Luz Norte Comercializadora, S.A.',
    'CIF B82472127',
    'C/ Serrano, 56',
    '28033 Madrid',
    '',
    '',
    'Titular del contrato: Panadería Soto, S.L.',
    'NIF: B12345674',
    'C/ Real, 22',
    '15401 Ferrol',
  );

  it('is issued by another company if the own NIF is labelled as that of who pays', () => {
    const { emisor, cliente } = findParties(rows, OWN);
    expect(emisor.nif?.valor).toBe('B82472127');
    expect(cliente.nif?.valor).toBe(OWN);
    expect(cliente.nombre?.text).toBe('Panadería Soto, S.L.');
  });

  it('is not, if the tax QR says who issued it', () => {
    expect(findParties(rows, OWN, { isCertain: true }).emisor.nif?.valor).toBe(OWN);
  });
});

it('keeps the legal form in front of a NIF in brackets, and the province below the town', () => {
  expect(
    clientOf(
      'Talleres Vega, S.L.',
      'C/ Mayor, 3',
      '28013 Madrid',
      'NIF: B12345674',
      '',
      '',
      'Facturado a',
      'Hoteles Costa Adeje, S.A. (B82472127)',
      'Avda. de Bruselas, s/n',
      '38660 Adeje',
      'Santa Cruz de Tenerife',
    ),
  ).toMatchObject({
    nombre: 'Hoteles Costa Adeje, S.A.',
    direccion: 'Avda. de Bruselas, s/n, 38660 Adeje, Santa Cruz de Tenerife',
  });
});

it('keeps the country below a town whose postcode is not ours', () => {
  expect(
    clientOf(
      'Talleres Vega, S.L.   NIF B12345674',
      '',
      '',
      'Bill to',
      'Bäckerei Hoffmann GmbH',
      'Lindenstraße 12',
      '80331 München',
      'Germany',
      'VAT ID: DE811907980',
    ),
  ).toMatchObject({
    nombre: 'Bäckerei Hoffmann GmbH',
    direccion: 'Lindenstraße 12, 80331 München, Germany',
  });
});

it('takes no number of an account for a street', () => {
  expect(
    clientOf(
      'TELENORTE',
      'Nº de factura 26/118         Panadería Soto, S.L.',
      'Nº de cuenta 112233445       C/ Real, 22',
      'NIF 12345678Z                15401 Ferrol',
      '',
      '',
      'Total a pagar    121,00',
      '',
      'Talleres Vega, S.L. C/ Mayor, 3, 28013 Madrid. NIF B12345674',
    ),
  ).toMatchObject({ nombre: 'Panadería Soto, S.L.', direccion: 'C/ Real, 22, 15401 Ferrol' });
});

it('leaves out the contact named behind a company', () => {
  expect(
    clientOf(
      'Talleres Vega, S.L.',
      'C/ Mayor, 3',
      '28013 Madrid',
      'NIF: B12345674',
      '',
      '',
      '                            Conservas Lago, S.L., Antía Barreiro',
      '                            Muelle de Trasatlánticos, nave 3',
      '                            15003 A Coruña',
      '                            NIF: B82472127',
    ),
  ).toMatchObject({
    nombre: 'Conservas Lago, S.L.',
    direccion: 'Muelle de Trasatlánticos, nave 3, 15003 A Coruña',
  });
});

it('reads a year with a mark of thousands', () => {
  const rows = printedRows('Valencia a 12 de Mayo de 2.026');
  expect(findIssueDate(rows, '2026-11-20')?.valor).toBe('2026-05-12');
});
