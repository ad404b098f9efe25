import { bakeryLogo } from '../pdf/logo.ts';
import { type DemoCompany, giveCertificate, signIn, signUp } from './demo-company.ts';
import { eventually } from './wait.ts';

export interface FullCompany extends DemoCompany {
  readonly token: string;
}

type Fields = Readonly<Record<string, string | Blob>>;

const CUSTOMERS = [
  ['Hoteles y Apartamentos Turísticos del Mediterráneo Occidental, S.L.', 'A58818501', '46002'],
  ['Ana Beltrán Ruiz', '12345678Z', '28013'],
  ['Cafetería La Plaza, S.L.', 'B12345674', '28830'],
  ['Hotel Mirador del Puerto, S.A.', 'A28015865', '35001'],
  ['Colegio San Isidro', 'B76543214', '28001'],
  ['Catering Sierra Norte', '', '28280'],
  ['Restaurante Casa Pepe', '', '41001'],
  ['Librería El Faro', '', '33201'],
  ['Academia Norte', '', '48001'],
  ['Clínica Dental Sonrisa', '', '50001'],
] as const;

/** All of them on the mainland. */
const WITH_NIF = [0, 1, 2, 4];

const PRODUCTS = [
  ['Pan de masa madre, hogaza de 1 kg', 'UD', '4,20'],
  ['Napolitana de chocolate', 'UD', '1,35'],
  ['Tarta de queso entera', 'UD', '32,00'],
  ['Catering de desayuno', 'UD', '9,50'],
  ['Taller de pan', 'HORA', '38,00'],
  ['Reparto en Madrid', 'UD', '6,00'],
] as const;

/**
 * A company in full use, created through the same calls as its screens make: certificate, logo, clients, products,
 * invoices accepted by the AEAT, and drafts.
 *
 * @param options.days over which its invoices are spread, up to today
 */
export async function openFullCompany(
  baseUrl: string,
  nif: string,
  { invoices = 10, days = 0 } = {},
): Promise<FullCompany> {
  const company = await signUp(baseUrl, nif);
  const token = await signIn(baseUrl, company);

  async function send<T>(path: string, fields: Fields | string): Promise<T> {
    const isText = typeof fields === 'string';
    const answer = await fetch(`${baseUrl}/api/PostData/${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        ...(isText && { 'content-type': 'application/json' }),
      },
      body: isText ? JSON.stringify(fields) : formOf(fields),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  }

  await giveCertificate(baseUrl, token, nif);
  await send('SetCompanyPicture', (await bakeryLogo()).toString('base64'));

  const customers: string[] = [];
  for (const [Name, VATRegistrationNo, postCode] of CUSTOMERS) {
    const { No } = await send<{ No: string }>('SetClientes', {
      Name,
      VATRegistrationNo,
      postCode,
      Address: 'Calle Mayor, 3',
      countryCode: 'ES',
      Email: 'compras@ejemplo.es',
    });
    customers.push(No);
  }
  for (const [Name, UnitOfMeasure, UnitPrice] of PRODUCTS) {
    await send('SetProductos', { Name, UnitOfMeasure, UnitPrice });
  }

  const dayBefore = (ago: number) =>
    new Date(Date.now() - ago * 86_400_000).toLocaleDateString('sv-SE', {
      timeZone: 'Europe/Madrid',
    });
  const invoice = (index: number, accionFactura: '0' | '1') => {
    const [description, , price] = PRODUCTS[index % PRODUCTS.length] ?? PRODUCTS[0];
    const ago = accionFactura === '0' ? 0 : Math.round((days * (invoices - 1 - index)) / invoices);
    return send<{ DocNo: string }>('SetFacturas', {
      type: 'factura',
      invoiceDate: dayBefore(ago),
      invoiceType: '0',
      // Only those with NIF and address, which the law requires in a complete invoice.
      invoiceClient: customers[WITH_NIF[index % WITH_NIF.length] ?? 0] ?? '',
      typeClient: 'NAC',
      claveRegimen: '01',
      invoiceItems: JSON.stringify([
        {
          description,
          quantity: String(12 * (1 + ((index * 5) % 14))),
          price,
          tax: 'IVA21',
          linetype: 1,
        },
        { description: 'Taller de pan', quantity: '2', price: '38,00', tax: 'IVA10' },
      ]),
      accionFactura,
    });
  };
  for (let index = 0; index < invoices; index++) await invoice(index, '1');
  for (const index of [2, 3]) await invoice(index, '0');
  await eventually(async () => {
    const answer = await fetch(`${baseUrl}/api/GetData/GetInvoices?page=1&pageSize=1`, {
      headers: { authorization: `Bearer ${token}` },
    });
    return ((await answer.json()) as { total: number }).total === invoices;
  }, 60);
  return { ...company, token };
}

function formOf(fields: Fields): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}
