import { expectOk, type TestCompany } from './world.ts';

/** Lines by their tax: `{ IVA21: '100,00' }`. */
export const linesOf = (prices: Readonly<Record<string, string>>) => ({
  invoiceItems: Object.entries(prices).map(([tax, price]) => ({
    description: 'Género',
    quantity: '1',
    price,
    tax,
    linetype: 0 as const,
  })),
});

export const simplified = { isSimplificada: true, invoiceType: 1 } as const;

/** A rectificativa por sustitución of these numbers. */
export const insteadOf = (...numbers: string[]) =>
  ({
    type: 'abono',
    crmemoType: 3,
    tipoRectificativa: 'S',
    invoiceToRectify: numbers.join(', '),
  }) as const;

/** Saves a client who pays recargo de equivalencia. Returns what a draft to it says. */
export async function recargoClientOf(company: TestCompany) {
  const { No: invoiceClient } = expectOk(
    await company.call<{ No: string }>('POST', '/api/PostData/SetClientes', {
      Name: 'Mercería Paqui',
      VATRegistrationNo: '12345678Z',
      Address: 'Calle Una, 1',
      postCode: '08013',
      countryCode: 'ES',
      Email: '',
      CustomerPostingGroup: 'NACRE',
    }),
  );
  return { invoiceClient, typeClient: 'NACRE' } as const;
}
