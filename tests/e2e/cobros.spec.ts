import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { goWithin } from '../support/go-within.ts';
import { enterFullCompany } from '../support/signed-in.ts';
import { untilLetGo } from '../support/until-let-go.ts';

const callAs =
  (token: string, baseURL: string | undefined) =>
  async <T>(path: string, body?: object): Promise<T> => {
    const answer = await fetch(`${baseURL}/api/${path}`, {
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    expect(answer.status, path).toBe(200);
    return (await answer.json()) as T;
  };

/** The only invoice of a company: 12 × 4,20 € at 21 % and 2 × 38,00 € at 10 % are 60,98 € and 83,60 €. */
const enterWithInvoice = async (page: Page, baseURL: string | undefined) => {
  const { token } = await enterFullCompany(page, baseURL, 1);
  const call = callAs(token, baseURL);
  const { rows } = await call<{ rows: { DocNo: string }[] }>('GetData/GetInvoices?page=1');
  return { call, No: rows[0]?.DocNo ?? '' };
};

const openInvoice = async (page: Page, baseURL: string | undefined) => {
  const { No } = await enterWithInvoice(page, baseURL);
  await page.goto(`/panel/facturas/${encodeURIComponent(No)}`);
  return { docNo: No, card: page.getByRole('region', { name: 'Cobros' }) };
};

test('an invoice is noted down as collected, in two parts, and one of them is taken off again', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  const { docNo, card } = await openInvoice(page, baseURL);
  const sum = (label: string) =>
    card.locator('dl > div').filter({ has: page.getByText(label, { exact: true }) });
  await expect(sum('A cobrar')).toContainText('144,58 €');
  await expect(sum('Pendiente')).toContainText('144,58 €');
  await expectAccessible(page);

  await card.getByRole('button', { name: 'Anotar cobro' }).click();
  const dialog = page.getByRole('dialog', { name: `Anotar cobro de la factura ${docNo}` });
  const amount = dialog.getByLabel('Importe');
  await expect(amount).toBeFocused();
  await expect(amount).toHaveValue('144,58');
  await expect(dialog.getByLabel('Medio')).toHaveValue('Transferencia');
  await expectAccessible(page);
  await amount.fill('200');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('Como mucho, 144,58 €: es lo que queda.')).toBeVisible();
  await amount.fill('44,58');
  const day = dialog.getByLabel('Fecha');
  const usual = await day.inputValue();
  await day.fill('01/01/2099');
  await page.keyboard.press('Enter');
  const tooLate = dialog.getByText('La fecha del cobro no puede ser posterior a hoy.');
  await expect(tooLate).toBeVisible();
  await expect(day).toHaveAttribute('aria-invalid', 'true');
  await expect(amount).not.toHaveAttribute('aria-invalid', 'true');
  await expectAccessible(page);
  await day.fill(usual);
  await expect(tooLate).toHaveCount(0);
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(card.getByText('En parte')).toBeVisible();
  await expect(sum('Pendiente')).toContainText('100,00 €');

  await card.getByRole('button', { name: 'Anotar cobro' }).click();
  await dialog.getByLabel('Medio').click();
  await page.getByRole('option', { name: 'Efectivo, tarjeta u otro' }).click();
  await dialog.getByRole('button', { name: 'Anotar cobro' }).click();
  await expect(card.getByText('Cobrada', { exact: true })).toBeVisible();
  await expect(card.getByRole('button', { name: 'Anotar cobro' })).toHaveCount(0);
  await expect(card.getByRole('listitem')).toHaveCount(2);
  await expectAccessible(page);

  await card.getByRole('button', { name: /^Eliminar cobro de 44,58/ }).click();
  const question = page.getByRole('dialog', { name: 'Eliminar cobro' });
  await question.getByRole('button', { name: 'Cancelar' }).click();
  await expect(card.getByRole('listitem')).toHaveCount(2);
  await card.getByRole('button', { name: /^Eliminar cobro de 44,58/ }).click();
  await question.getByRole('button', { name: 'Eliminar cobro' }).click();
  await expect(card.getByRole('listitem')).toHaveCount(1);
  await expect(sum('Pendiente')).toContainText('44,58 €');
  await page.reload();
  await expect(card.getByRole('listitem')).toContainText('Efectivo, tarjeta u otro');
  await expect(card.getByRole('listitem')).toContainText('100,00 €');
});

test('what was collected of an invoice that comes to nothing is given back', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  const { call, No } = await enterWithInvoice(page, baseURL);
  const { emitida, borrador } = await call<{
    emitida: { fechaExpedicion: string };
    borrador: object;
  }>('PostData/GetInvoiceDetail', { No });
  const Fecha = emitida.fechaExpedicion;
  await call('PostData/AnotarCobro', { No, Fecha, Importe: '144,58', Medio: '01' });
  const { DocNo } = await call<{ DocNo: string }>('PostData/SetFacturas', {
    ...borrador,
    type: 'abono',
    crmemoType: 3,
    tipoRectificativa: 'S',
    invoiceToRectify: No,
    invoiceItems: [
      { description: 'Nada', quantity: '1', price: '0,00', tax: 'IVA21', linetype: 0 },
    ],
    accionFactura: 1,
  });
  await page.goto(`/panel/facturas/${encodeURIComponent(No)}`);
  const card = page.getByRole('region', { name: 'Cobros' });
  await expect(card).toContainText(`La sustituye la factura ${DocNo}: lo cobrado aquí`);
  await card.getByRole('link', { name: DocNo }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText(DocNo);
  await expect(card.getByText('Cobrada de más')).toBeVisible();
  await expect(card.getByText(/^Si lo descuentas/)).toHaveCount(0);
  await card.getByRole('button', { name: 'Anotar devolución' }).click();
  const dialog = page.getByRole('dialog', { name: `Anotar devolución de la factura ${DocNo}` });
  await expect(dialog.getByLabel('Importe')).toHaveValue('144,58');
  await dialog.getByRole('button', { name: 'Anotar devolución' }).click();
  await expect(card.getByText('Cobrada', { exact: true })).toBeVisible();
  await expect(card.getByRole('listitem')).toContainText('−144,58 €');
});

test('where a phone is narrowest, the date and the amount collected are seen whole', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  await page.setViewportSize({ width: 320, height: 700 });
  const { card } = await openInvoice(page, baseURL);
  await card.getByRole('button', { name: 'Anotar cobro' }).click();
  const dialog = page.getByRole('dialog');
  const amount = dialog.getByLabel('Importe');
  await amount.fill('1.234.567.890,12');
  for (const field of [amount, dialog.getByLabel('Fecha')]) {
    expect(await field.evaluate((input) => input.scrollWidth - input.clientWidth)).toBe(0);
  }
});

/** The codes of an R3, for an invoice that is not paid, and of an R4. */
const R3 = 2;
const R4 = 3;

/** The same invoice, and its credit of all of it. */
const enterWithCredit = async (page: Page, baseURL: string | undefined, crmemoType = R4) => {
  const { call, No } = await enterWithInvoice(page, baseURL);
  const { borrador, emitida } = await call<{
    borrador: object;
    emitida: { fechaExpedicion: string };
  }>('PostData/GetInvoiceDetail', { No });
  const { DocNo } = await call<{ DocNo: string }>('PostData/SetFacturas', {
    ...borrador,
    type: 'abono',
    crmemoType,
    tipoRectificativa: 'I',
    invoiceToRectify: No,
    accionFactura: 1,
  });
  return { call, No, DocNo, Fecha: emitida.fechaExpedicion };
};

test('what is settled between an invoice and its credit is noted down in both', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  const { No, DocNo } = await enterWithCredit(page, baseURL);
  const card = page.getByRole('region', { name: 'Cobros' });
  const words = /^Si lo descuentas de lo que queda por cobrar/;
  await page.goto(`/panel/facturas/${encodeURIComponent(DocNo)}`);
  await expect(card.getByText('Devuelto', { exact: true })).toBeVisible();
  await expect(card.getByText('Cobrado', { exact: true })).toHaveCount(0);
  await expect(card.getByText(words)).toBeVisible();
  await expectAccessible(page);
  await card.getByRole('link', { name: No }).click();
  await expect(card.getByText(`¿Le descuentas el abono ${DocNo}?`)).toBeVisible();
  await expectAccessible(page);
  const settle = card.getByRole('button', { name: /^Compensar 144,58/ });
  await settle.click();
  const { held, release: letGo } = untilLetGo();
  await page.route('**/AnotarCobro', async (route) => {
    await held;
    await route.continue();
  });
  await page.getByRole('dialog').getByRole('button', { name: 'Compensar' }).click();
  await expect(settle).toBeFocused();
  letGo();
  await expect(card.getByText('Cobrada', { exact: true })).toBeVisible();
  await expect(card.getByText(/¿Le descuentas/)).toHaveCount(0);
  await expect(card.getByRole('heading', { name: 'Cobros' })).toBeFocused();
  await page.goto(`/panel/facturas/${encodeURIComponent(DocNo)}`);
  await expect(card.getByText('Devuelta', { exact: true })).toBeVisible();
  await expect(card.getByText(words)).toHaveCount(0);
  await expect(card.getByRole('listitem')).toContainText(`Compensado con ${No}`);
  await expectAccessible(page);

  // Deleted of both, whichever page it is done on.
  await card.getByRole('button', { name: /^Eliminar compensación de 144,58/ }).click();
  const question = page.getByRole('dialog', { name: 'Eliminar compensación' });
  await expect(question).toContainText(`144,58 € aquí y en ${No}. Ninguna`);
  await expectAccessible(page);
  await question.getByRole('button', { name: 'Eliminar compensación' }).click();
  await expect(page.getByText('Compensación eliminada en las dos facturas.')).toBeVisible();
  await expect(card.getByText(words)).toBeVisible();
  await expect(card.getByRole('listitem')).toHaveCount(0);
  await card.getByRole('link', { name: No }).click();
  await expect(card.getByRole('button', { name: /^Compensar 144,58/ })).toBeVisible();
  await expect(card.getByRole('listitem')).toHaveCount(0);
});

test('what somebody else has settled first is refused, and both cards show what they did', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  const { call, No, DocNo, Fecha } = await enterWithCredit(page, baseURL, R3);
  const card = page.getByRole('region', { name: 'Cobros' });
  await page.goto(`/panel/facturas/${encodeURIComponent(No)}`);
  await page.route('**/AnotarCobro', async (route) => {
    const body = { No, Fecha, Importe: '144,58', Medio: '04', Abono: DocNo };
    await call('PostData/AnotarCobro', body);
    await route.continue();
  });
  await card.getByRole('button', { name: /^Compensar 144,58/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Compensar' }).click();
  const refusal = page.getByRole('alertdialog');
  await expect(refusal).toContainText(`De la factura ${No} no queda nada por cobrar.`);
  await refusal.getByRole('button', { name: 'Cerrar' }).click();
  await expect(card.getByText('Cobrada', { exact: true })).toBeVisible();
  await expect(card.getByRole('listitem')).toContainText(`Compensado con ${DocNo}`);
  await expect(card.getByRole('button', { name: /^Compensar/ })).toHaveCount(0);
  // Nothing is given back to somebody who has not paid.
  await page.goto(`/panel/facturas/${encodeURIComponent(DocNo)}`);
  await expect(card.getByText('Compensada', { exact: true })).toBeVisible();
  await expect(card).toContainText('A compensar144,58 €Compensado144,58 €');
  await expect(card).not.toContainText(/devol|devuel/i);
});

test('what somebody else settles while it is asked is refused, and the focus stays on the screen', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  const { call, No, DocNo, Fecha } = await enterWithCredit(page, baseURL);
  const card = page.locator('section[aria-labelledby="cobros"]'); // Hidden while something is asked.
  await page.goto(`/panel/facturas/${encodeURIComponent(No)}`);
  await card.getByRole('button', { name: /^Compensar 144,58/ }).click();
  const settle = page.getByRole('dialog').getByRole('button', { name: 'Compensar' });
  await expect(settle).toBeVisible();
  const body = { No, Fecha, Importe: '144,58', Medio: '04', Abono: DocNo };
  await call('PostData/AnotarCobro', body);
  await expect(card.getByText('Cobrada', { exact: true })).toBeVisible();
  await settle.click();
  const refusal = page.getByRole('alertdialog');
  await expect(refusal).toContainText(`De la factura ${No} no queda nada por cobrar.`);
  await expect(page.getByRole('dialog', { name: /^Compensar/ })).toHaveCount(0);
  await refusal.getByRole('button', { name: 'Cerrar' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
});

test('what was settled although its answer was lost is shown, once', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  const { No, DocNo } = await enterWithCredit(page, baseURL);
  const card = page.getByRole('region', { name: 'Cobros' });
  await page.goto(`/panel/facturas/${encodeURIComponent(No)}`);
  await page.route('**/AnotarCobro', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await card.getByRole('button', { name: /^Compensar 144,58/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Compensar' }).click();
  const refusal = page.getByRole('alertdialog');
  await expect(refusal).toContainText('Huella no responde.');
  await refusal.getByRole('button', { name: 'Cerrar' }).click();
  await expect(card.getByRole('listitem')).toHaveCount(1);
  await expect(card.getByRole('listitem')).toContainText(`Compensado con ${DocNo}`);
  await expect(card.getByRole('button', { name: /^Compensar/ })).toHaveCount(0);
});

test('under criterio de caja, that it is not collected is noted down on the day its term ended', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  const { token } = await enterFullCompany(page, baseURL);
  const call = callAs(token, baseURL);
  const clients = await call<{ No: string; VATRegistrationNo: string }[]>('GetData/GetClientes');
  const client = clients.find((one) => one.VATRegistrationNo === 'A58818501');
  const { DocNo } = await call<{ DocNo: string }>('PostData/SetFacturas', {
    type: 'factura',
    invoiceDate: '2024-11-30',
    invoiceType: 0,
    invoiceClient: client?.No,
    typeClient: 'NAC',
    claveRegimen: '01',
    invoiceItems: [
      { description: 'Pan', quantity: '1', price: '100,00', tax: 'CAJA21', linetype: 0 },
    ],
    accionFactura: 1,
  });
  await page.goto(`/panel/facturas/${encodeURIComponent(DocNo)}`);
  const card = page.getByRole('region', { name: 'Cobros' });
  await card.getByRole('button', { name: 'Anotar cobro' }).click();
  const dialog = page.getByRole('dialog', { name: `Anotar cobro de la factura ${DocNo}` });
  const medio = dialog.getByLabel('Medio');
  await medio.click();
  await page.getByRole('option', { name: 'No se cobra (fin de plazo)' }).click();
  await expect(dialog.getByLabel('Fecha')).toHaveValue('31/12/2025');
  await dialog.getByRole('button', { name: 'Anotar cobro' }).click();
  await expect(card.getByRole('listitem')).toContainText('31/12/2025');
});

test('the history shows what is left to collect, with its sum, and what is overdue', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  const { docNo, card } = await openInvoice(page, baseURL);
  await card.getByRole('button', { name: 'Anotar cobro' }).click();
  const dialog = page.getByRole('dialog', { name: `Anotar cobro de la factura ${docNo}` });
  await dialog.getByLabel('Importe').fill('44,58');
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();

  await goWithin(page, '/panel/historial');
  const filter = page.getByRole('combobox', { name: 'Cobro', exact: true });
  // Beside the other filters, in their row.
  const period = page.getByRole('combobox', { name: 'Periodo' });
  const top = async (field: typeof filter) => (await field.boundingBox())?.y;
  await expect(filter).toBeVisible();
  expect(await top(filter)).toBe(await top(period));
  await filter.click();
  await page.getByRole('option', { name: 'Sin cobrar' }).click();
  await expect(page).toHaveURL(/cobro=pendiente/);
  await expect(page.getByText('Pendiente: 100,00 €')).toBeVisible();
  await expect(page.getByText(docNo).first()).toBeVisible();
  await expectAccessible(page);
  await filter.click();
  await page.getByRole('option', { name: 'Vencidas' }).click();
  await expect(page.getByText('No hay nada vencido.')).toBeVisible();
  await expectAccessible(page);
  await filter.click();
  await page.getByRole('option', { name: 'Todas' }).click();
  await expect(page).not.toHaveURL(/cobro=/);
  await expect(page.getByText(docNo).first()).toBeVisible();
});

test('the history does not say that nothing is owed while not all could be looked at', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  await enterWithInvoice(page, baseURL);
  // As with over a thousand that may be owed, of which those looked at are not.
  await page.route(/GetInvoices\?.*cobro=/, (route) =>
    route.fulfill({ json: { rows: [], total: 0, totalAlMenos: true, page: 1, pageSize: 8 } }),
  );
  await page.goto('/panel/historial?cobro=pendiente');
  const status = page.getByRole('status').filter({ hasText: 'Son demasiadas para mirarlas todas' });
  await expect(status).toContainText(
    'Entre las que se han mirado no hay nada sin cobrar. Elige un periodo.',
  );
  await expect(page.getByText('Ninguna factura coincide')).toHaveCount(0);
  await expectAccessible(page);
});
