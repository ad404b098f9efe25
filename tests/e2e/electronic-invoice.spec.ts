import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { payAt } from '../support/gateway.ts';
import { goWithin } from '../support/go-within.ts';
import { enterFullCompany } from '../support/signed-in.ts';

test('an electronic invoice says what it lacks, lets it be filled in there, and is signed', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  test.setTimeout(120_000);
  const { token } = await enterFullCompany(page, baseURL, 1);
  const headers = { authorization: `Bearer ${token}` };
  const pathOf = (DocNo: string) => `/panel/facturas/${encodeURIComponent(DocNo)}`;
  const list = await page.request.get('/api/GetData/GetInvoices?page=1&pageSize=1', { headers });
  const { DocNo } = (await list.json()).rows[0];
  await page.goto(pathOf(DocNo));
  const card = page.getByRole('region', { name: 'Factura electrónica' });
  const sign = card.getByRole('button', { name: 'Firmar y descargar Facturae' });

  // A demo invoice, which has no legal effect.
  await expect(card.getByText('Es una factura de demostración')).toBeVisible();
  await expect(sign).toHaveCount(0);

  await payPlan(page, headers);
  const invoice = pathOf(await registerAnother(page, headers));
  await page.goto(invoice);

  const ubl = page.waitForEvent('download');
  await card.getByRole('button', { name: 'UBL' }).click();
  expect((await ubl).suggestedFilename()).toMatch(/^00002-.*-ubl\.xml$/);

  await sign.click();
  const refusal = card.getByRole('alert').filter({ hasText: 'Falta el municipio de tu empresa' });
  await expect(refusal).toBeVisible();
  const missing = (await refusal.innerText()).match(/Falta el municipio de (?!tu empresa)(.+?):/);
  await expectAccessible(page);

  await goWithin(page, '/panel/perfil');
  await page.getByLabel('Municipio').fill('Madrid');
  await page.getByRole('button', { name: 'Guardar' }).first().click();
  await expect(page.getByText('Los datos de tu empresa están guardados.')).toBeVisible();

  await goWithin(page, '/panel/clientes');
  await page.getByPlaceholder('Buscar clientes').fill(missing?.[1] ?? '');
  await expect(page.getByText('1 cliente', { exact: true })).toBeVisible();
  const edit = page.getByRole('button', { name: 'Editar' });
  await edit.click();
  const form = page.getByRole('form', { name: /^Editar/ });
  await form.getByLabel('Municipio').fill('Getafe');
  const office = form.getByRole('button', { name: 'Administración pública (FACe)' });
  await expect(form.getByLabel('Oficina contable')).toBeHidden();
  await office.click();
  await form.getByLabel('Oficina contable').fill('l01280796');
  await form.getByRole('button', { name: 'Guardar' }).click();
  await expect(form.getByText('FACe pide los tres códigos, y falta este.')).toHaveCount(2);
  await form.getByLabel('Órgano gestor').fill('L01280796');
  await form.getByLabel('Unidad tramitadora').fill('L01280796');
  await form.getByRole('button', { name: 'Guardar' }).click();
  await expect(form).toBeHidden();

  await goWithin(page, invoice);
  const signed = page.waitForEvent('download');
  await sign.click();
  expect((await signed).suggestedFilename()).toMatch(/^00002-.*\.xsig$/);
  await expect(card.getByText('Falta')).toHaveCount(0);
});

type Headers = Readonly<Record<string, string>>;

/** From here on, what is registered is no longer a demo. */
async function payPlan(page: Page, headers: Headers): Promise<void> {
  const form = await page.request.post('/api/Redsys/InitRenewPayment', {
    headers,
    data: {
      orderId: `O${String(Date.now()).slice(-11)}`,
      totalCents: 999,
      datosEmpresa: '{}',
      subscriptionType: 'monthly',
    },
  });
  await payAt(await form.json());
}

/** @returns the number of the invoice */
async function registerAnother(page: Page, headers: Headers): Promise<string> {
  const clients = await page.request.get('/api/GetData/GetClientes', { headers });
  const hotel = ((await clients.json()) as { No: string; Name: string }[]).find(({ Name }) =>
    Name.startsWith('Hoteles y'),
  );
  const answer = await page.request.post('/api/PostData/SetFacturas', {
    headers,
    data: {
      type: 'factura',
      invoiceDate: new Date().toLocaleDateString('sv-SE', { timeZone: 'Europe/Madrid' }),
      invoiceType: 0,
      invoiceClient: hotel?.No,
      typeClient: 'NAC',
      claveRegimen: '01',
      invoiceItems: [
        { description: 'Taller de pan', quantity: '2', price: '38,00', tax: 'IVA21', linetype: 0 },
      ],
      accionFactura: 1,
    },
  });
  return (await answer.json()).DocNo;
}
