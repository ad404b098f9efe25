import { readFile } from 'node:fs/promises';
import { expect, type Page, test } from '@playwright/test';
import { readPdf } from '../pdf/read-pdf.ts';
import { expectAccessible } from '../support/accessible.ts';
import { giveCertificate } from '../support/demo-company.ts';
import { goWithin } from '../support/go-within.ts';
import { enterFullCompany, enterNewCompany } from '../support/signed-in.ts';

/** From «something is wrong» to an annulled invoice, using the keyboard, and then its proof, checked offline. */
test(
  'the guide leads to an annulment, and the exported registros are verified offline',
  { tag: '@any-width' },
  async ({ page, baseURL, context }, testInfo) => {
    const company = await enterNewCompany(page, baseURL);
    const docNo = await registerOne(page, company, baseURL);

    await post(page, company.token, 'AnotarCobro', {
      No: docNo,
      Fecha: new Date().toLocaleDateString('sv-SE', { timeZone: 'Europe/Madrid' }),
      Importe: '20,00',
      Medio: '01',
    });

    await test.step('the guide recommends what to do', async () => {
      await page.goto(`/panel/facturas/${encodeURIComponent(docNo)}`);
      await expect(page.getByText('Aceptada por la AEAT')).toBeVisible({ timeout: 60_000 });
      await expectAccessible(page);
      await page.getByRole('link', { name: '¿Qué hago?' }).click();
      const delivered = page.getByRole('radiogroup', { name: '¿Ya la tiene tu cliente?' });
      await delivered.getByRole('radio', { name: 'Sí' }).focus();
      await page.keyboard.press('Space');
      const meant = page.getByRole('radiogroup', { name: '¿Esta factura tenía que existir?' });
      await meant.getByRole('radio', { name: 'Sí' }).check();
      await page.getByRole('radio', { name: 'El precio o la cantidad' }).check();
      // The question that an answer reveals is in view, even on a short screen.
      const meantTotal = page.getByLabel('¿Cuánto tenía que ser el total?');
      await expect(meantTotal).toBeInViewport({ ratio: 1 });
      await meantTotal.fill('100');
      await expect(page.getByRole('heading', { name: 'Haz una rectificativa' })).toBeVisible();
      await meantTotal.blur();
      await expect(page.getByRole('link', { name: 'Hacer la rectificativa' })).toBeInViewport({
        ratio: 1,
      });
      // 100,00 − 121,00
      await expect(page.getByText('−21,00 €')).toBeVisible();
      await expect(page.getByRole('link', { name: 'Hacer la rectificativa' })).toHaveAttribute(
        'href',
        /rectificar=.*&tipo=R4&metodo=I&total=-21\.00$/,
      );
      await expectAccessible(page);

      // The amount given in the guide is carried over, so that nobody credits the whole invoice by mistake.
      await page.getByLabel('¿Cuánto tenía que ser el total?').fill('60,50');
      await page.getByRole('link', { name: 'Hacer la rectificativa' }).click();
      const total = page.getByRole('definition').filter({ hasText: '−60,50 €' });
      await expect(total.first()).toBeVisible();
      await page.goto(`/panel/facturas/${encodeURIComponent(docNo)}/que-hago`);
      await delivered.getByRole('radio', { name: 'Sí' }).check();
      await meant.getByRole('radio', { name: 'Sí' }).check();
      // With the arrow keys, as usual for radio buttons.
      await delivered.getByRole('radio', { name: 'Sí' }).focus();
      await page.keyboard.press('ArrowRight');
      await meant.getByRole('radio', { name: 'No' }).check();
      await expect(page.getByRole('heading', { name: 'Anúlala' })).toBeVisible();
    });

    await test.step('the invoice is annulled with a reason', async () => {
      await page.getByRole('button', { name: 'Anular' }).focus();
      await page.keyboard.press('Enter');
      await expect(page.getByText('Tiene 20,00 € anotados como cobrados.')).toBeVisible();
      await page.getByRole('button', { name: 'Anular factura' }).click();
      await expect(page.getByText('Escribe por qué la anulas.')).toBeVisible();
      await expectAccessible(page);
      await page.getByLabel('Motivo').fill('Repetida');
      await page.getByRole('button', { name: 'Anular factura' }).click();
      await expect(page.getByText('Motivo: Repetida')).toBeVisible();
      await expect(page.getByText('Anulada', { exact: true }).first()).toBeVisible({
        timeout: 60_000,
      });
      const cobros = page.getByRole('region', { name: 'Cobros' });
      await expect(cobros.getByText('Está anulada: no hay nada que cobrar.')).toBeVisible();
      await expect(cobros.getByText('A cobrar', { exact: true })).toBeHidden();
      await expect(cobros.getByRole('listitem')).toContainText('20,00 €');
    });

    const zip = await test.step('the cadena is verified and exported', async () => {
      await goWithin(page, '/panel/registros');
      await page.getByRole('button', { name: 'Verificar mi cadena' }).click();
      await expect(page.getByText('Tu cadena está íntegra.')).toBeVisible();
      const downloading = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Exportar registros' }).click();
      return (await downloading).path();
    });

    await test.step('the saved page verifies the export offline', async () => {
      await page.goto('/verificar');
      const saving = page.waitForEvent('download');
      await page.getByRole('link', { name: 'Guardar esta página' }).click();
      const saved = testInfo.outputPath('verificar.html');
      await (await saving).saveAs(saved);
      await context.setOffline(true);
      await page.goto(`file://${saved}`);
      await page.locator('#archivos').setInputFiles({
        name: 'registros.zip',
        mimeType: 'application/zip',
        buffer: await readFile(zip),
      });
      await expect(page.getByText(`${company.nif}: 2 registros`)).toBeVisible();
      await expectAccessible(page);
    });

    await test.step('the page says what to choose instead of a file without registros', async () => {
      await page.locator('#archivos').setInputFiles({
        name: 'factura.pdf',
        mimeType: 'application/pdf',
        buffer: Buffer.from('%PDF-1.7'),
      });
      await expect(page.getByText(/Elige el ZIP que exportaste o los XML/)).toBeVisible();
    });

    await test.step('the page says what to do about a ZIP that is cut', async () => {
      await page.locator('#archivos').setInputFiles({
        name: 'registros.zip',
        mimeType: 'application/zip',
        buffer: (await readFile(zip)).subarray(0, 500),
      });
      await expect(page.getByText('No se puede abrir.')).toBeVisible();
      await expect(page.getByText(/está incompleto\. Expórtalo o cópialo otra vez/)).toBeVisible();
    });

    await test.step('the page does not go on saying that it checks a file that cannot be read', async () => {
      await page.evaluate(() => {
        const file = new File(['<registro/>'], 'movido.xml');
        file.arrayBuffer = () => Promise.reject(new DOMException('', 'NotReadableError'));
        const event = new DragEvent('drop');
        Object.defineProperty(event, 'dataTransfer', { value: { files: [file] } });
        document.getElementById('zona')?.dispatchEvent(event);
      });
      await expect(page.getByText('No se ha podido leer.')).toBeVisible();
    });

    await test.step('the page names the registro that was changed', async () => {
      const broken = Buffer.from(await readFile(zip));
      // Changes a byte of the first registro inside the ZIP.
      const at = broken.indexOf('registros/000001') + 80;
      broken.writeUInt8(broken.readUInt8(at) ^ 0xff, at);
      await page.locator('#archivos').setInputFiles({
        name: 'registros.zip',
        mimeType: 'application/zip',
        buffer: broken,
      });
      await expect(page.getByText(/registros\/000001/).first()).toBeVisible();
      await expect(page.getByText('Mal').first()).toBeVisible();
    });
  },
);

test('an anulación that the AEAT rejected is abandoned, from the guide and from the page', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  const company = await enterNewCompany(page, baseURL);
  const docNo = await registerOne(page, company, baseURL);
  await page.goto(`/panel/facturas/${encodeURIComponent(docNo)}`);
  await expect(page.getByText('Aceptada por la AEAT')).toBeVisible({ timeout: 60_000 });
  const refuse = (code: number) =>
    page.request.post('/desarrollo/aeat/comportamiento', {
      data: { rechazar: { [company.nif]: code } },
    });
  await refuse(1103);
  await post(page, company.token, 'AnularFactura', { No: docNo, motivo: 'Repetida' });
  await page.reload();
  const refused = page.getByRole('heading', { name: 'La AEAT ha rechazado su anulación' });
  await expect(refused).toBeVisible({ timeout: 60_000 });
  await refuse(0);
  await expect(page.getByRole('button', { name: 'Dejarla como estaba' })).toBeVisible();

  await test.step('in the list, the advice does not name the button, which is beside it', async () => {
    await goWithin(page, '/panel/pendientes');
    const rows = page.getByRole('main');
    await expect(rows.getByText(docNo).first()).toBeVisible();
    await expect(rows.getByText('en la ficha del cliente y regístrala otra vez.')).toBeVisible();
    await expect(rows.getByText('«Corregir»')).toHaveCount(0);
    await expect(rows.getByRole('button', { name: 'Editar' })).toBeVisible();
  });

  await test.step('the form advises pressing «Corregir», until it is pressed', async () => {
    const told = page.locator('main').getByText(/pulsa «Corregir»/i);
    await goWithin(page, `/panel/pendientes?editar=${encodeURIComponent(docNo)}`);
    await expect(told).toBeVisible();
    await page.getByRole('button', { name: 'Corregir', exact: true }).press('Enter');
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
    await expect(page.getByText('Corrige lo que haga falta y reenvíala.')).toBeVisible();
    await expect(told).toHaveCount(0);

    // The mistake is often in the client's card, which opens over the form.
    const name = 'Ruiz-Valdepeñas, S.L.';
    await page.getByRole('button', { name: 'Editar ficha' }).click();
    const card = page.getByRole('dialog', { name: 'Ficha del cliente' });
    await card.getByLabel('Nombre').fill(name);
    await expectAccessible(page);
    await card.getByRole('button', { name: 'Guardar' }).click();
    const client = page.getByRole('combobox', { name: 'Cliente' });
    await expect(client).toHaveValue(name);
    await expect(client).toBeFocused();
    await goWithin(page, `/panel/facturas/${encodeURIComponent(docNo)}`);
  });

  await test.step('the guide leads to the same remedy', async () => {
    await page.locator('main').getByRole('link', { name: '¿Qué hago?' }).first().click();
    await answerBoth(page, 'Sí');
    await expect(page.getByRole('heading', { name: 'Déjala como la tiene la AEAT' })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Dejarla como estaba' }).click();
  });

  await test.step('the dialog explains the consequences, and confirming it restores the invoice', async () => {
    const dialog = page.getByRole('dialog', { name: `Dejarla como estaba: factura ${docNo}` });
    await expect(dialog).toContainText('sigue valiendo');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Dejarla así' }).click();
    await expect(page.getByText('Se renunció a la anulación que la AEAT rechazó')).toBeVisible();
    await expect(page.getByText('Registrada', { exact: true }).first()).toBeVisible();
    await expect(refused).toBeHidden();
  });
});

test('an invoice whose number is already used by another program is voided from the guide', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  const company = await enterNewCompany(page, baseURL);
  const refuse = (code: number) =>
    page.request.post('/desarrollo/aeat/comportamiento', {
      data: { rechazar: { [company.nif]: code } },
    });
  await refuse(3000);
  const docNo = await registerOne(page, company, baseURL);
  await page.goto(`/panel/facturas/${encodeURIComponent(docNo)}`);
  await expect(page.getByRole('heading', { name: 'La AEAT la ha rechazado' })).toBeVisible({
    timeout: 60_000,
  });
  await refuse(0);
  await expect(page.getByRole('button', { name: 'Dejarla sin efecto' })).toBeVisible();
  // At the AEAT that number is another program's invoice, so annulling it is not offered.
  await expect(page.getByRole('button', { name: 'Anular', exact: true })).toHaveCount(0);
  await expectAccessible(page);

  // Among others that wait, its link says which invoice it is about.
  await goWithin(page, '/panel/pendientes');
  await page.getByRole('link', { name: `¿Qué hago? Factura ${docNo}` }).click();
  await answerBoth(page, 'Sí');
  await expect(page.getByRole('heading', { name: 'Déjala sin efecto' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Dejarla sin efecto' }).click();

  const dialog = page.getByRole('dialog', { name: `Dejar sin efecto la factura ${docNo}` });
  await expect(dialog).toContainText('no se puede deshacer');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Dejar sin efecto' }).click();
  await expect(page.getByRole('heading', { name: 'Por qué está anulada' })).toBeVisible();
  await expect(page.getByText('Dejada sin efecto', { exact: true })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Duplicar' })).toBeVisible();
});

test('an invoice with a rectificativa links to it, as that one has to be annulled first', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  const company = await enterNewCompany(page, baseURL);
  const docNo = await registerOne(page, company, baseURL);
  const { DocNo: credit } = await post(page, company.token, 'SetFacturas', {
    ...(await post(page, company.token, 'GetEditInvoice', { No: docNo })),
    accionFactura: 1,
    type: 'abono',
    invoiceToRectify: docNo,
  });
  await page.goto(`/panel/facturas/${encodeURIComponent(docNo)}`);
  await expect(page.getByText('Aceptada por la AEAT')).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText(`La rectifica la ${credit}`)).toBeVisible();
  await expect(page.getByText(`anula antes la ${credit}`)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Anular', exact: true })).toHaveCount(0);
  await expectAccessible(page);

  await page.locator('main').getByRole('link', { name: '¿Qué hago?' }).first().click();
  await answerBoth(page, 'No');
  await expect(page.getByRole('heading', { name: 'Anula antes la otra' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: `Ver la ${credit}` }).click();
  await expect(page.getByRole('heading', { name: `Abono ${credit}` })).toBeVisible();
});

/** Answers the first two questions of the guide. */
async function answerBoth(page: Page, answer: 'Sí' | 'No'): Promise<void> {
  for (const question of ['¿Ya la tiene tu cliente?', '¿Esta factura tenía que existir?']) {
    const group = page.getByRole('radiogroup', { name: question });
    await group.getByRole('radio', { name: answer }).check();
  }
}

async function post(page: Page, token: string, path: string, data: object) {
  const answer = await page.request.post(`/api/PostData/${path}`, {
    data,
    headers: { authorization: `Bearer ${token}` },
  });
  expect(answer.ok(), await answer.text()).toBe(true);
  return answer.json();
}

/** Uploads a certificate and registers one invoice. @returns the number of the invoice */
async function registerOne(
  page: Page,
  { token, nif }: { readonly token: string; readonly nif: string },
  baseURL: string | undefined,
): Promise<string> {
  await giveCertificate(baseURL ?? '', token, nif);
  const call = (path: string, data: object) => post(page, token, path, data);
  const { No } = await call('SetClientes', {
    Name: 'Cliente de Prueba, S.A.',
    VATRegistrationNo: 'A58818501',
    Address: 'Gran Vía, 2',
    postCode: '08013',
    countryCode: 'ES',
  });
  const { DocNo } = await call('SetFacturas', {
    accionFactura: 1,
    type: 'factura',
    invoiceDate: new Date().toLocaleDateString('sv-SE', { timeZone: 'Europe/Madrid' }),
    invoiceType: 0,
    invoiceClient: No,
    typeClient: 'NAC',
    claveRegimen: '01',
    invoiceItems: [
      { description: 'Tarta', quantity: '1', price: '100,00', tax: 'IVA21', linetype: 0 },
    ],
  });
  return DocNo;
}

test('the list of invoices closes when an abono is filled in from one, so it covers nothing', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  await enterFullCompany(page, baseURL, 1);
  await page.goto('/panel/crear');
  await page.getByText('Abono', { exact: true }).click();
  const rectified = page.getByRole('combobox', { name: 'Factura a rectificar' });
  await rectified.click();
  await page.getByRole('option', { name: /^00001/ }).click();
  await page.getByRole('button', { name: 'Rellenar datos' }).click();
  await expect(page.getByLabel('Descripción, línea 1', { exact: true })).not.toHaveValue('');
  await expect(rectified).toBeFocused();
  await expect(rectified).toHaveAttribute('aria-expanded', 'false');
});

test('on a phone the PDF is shared with another app, and cancelling shows no error', async ({
  page,
  baseURL,
}, { project }) => {
  // Phones have this API and the browser of the tests does not. From the second call on, sharing is cancelled.
  await page.addInitScript({
    content: `window.shared = [];
      navigator.canShare = ({ files }) => files.every(({ type }) => type === 'application/pdf');
      navigator.share = async ({ files, title }) => {
        shared.push(title + ': ' + files[0].name + (files[0].size > 1000 ? '' : ', empty'));
        if (shared.length > 1) throw new DOMException('', 'AbortError');
      };`,
  });
  await enterFullCompany(page, baseURL, 1);
  await page.goto('/panel/facturas/00001%2F26');
  await expect(page.getByRole('button', { name: 'Enviar por correo' })).toBeVisible();
  const share = page.getByRole('button', { name: 'Compartir' });
  if (project.name !== 'phone') return expect(share).toHaveCount(0);
  const shared = () => page.evaluate('shared');
  await share.click();
  await expect.poll(shared).toEqual(['Factura 00001/26: 00001-26.pdf']);
  await page.goto('/panel/crear?recibo=00001%2F26');
  await share.click();
  await share.click();
  await expect.poll(shared).toHaveLength(2);
  await expect(share).toBeEnabled();
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
});

test('only the paper of an invoice is printed, on one page', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  await enterFullCompany(page, baseURL, 1);
  await page.goto('/panel/historial');
  await page.getByRole('link', { name: /^00001/ }).click();
  await expect(page.getByText('VERI*FACTU')).toBeVisible();
  await expectPaperAlone();

  // Also from its receipt, where a shop prints it.
  await page.goto('/panel/crear?recibo=00001%2F26');
  await page.evaluate('window.print = () => (window.hasPrinted = true)');
  await page.getByRole('button', { name: 'Imprimir' }).click();
  expect(await page.evaluate('window.hasPrinted')).toBe(true);
  await expectPaperAlone();

  async function expectPaperAlone() {
    const { text, pages } = await readPdf(new Uint8Array(await page.pdf({ format: 'A4' })));
    expect(text).toContain('VERI*FACTU');
    for (const of of ['Rectificar', 'Recorrido', 'Saltar', 'Historial', 'Imprimir', 'eslabón'])
      expect(text).not.toContain(of);
    expect(pages).toHaveLength(1);
  }
});

test('a printed invoice of several pages has its total beside what it adds up', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  const { token } = await enterFullCompany(page, baseURL);
  const headers = { authorization: `Bearer ${token}` };
  const clients = await (await page.request.get('/api/GetData/GetClientes', { headers })).json();
  const { No } = clients.find(({ Name }: { Name: string }) => /^Hoteles/.test(Name));
  const items = Array.from({ length: 60 }, (_, index) => ({
    description: `Artículo ${index + 1}${index % 7 ? '' : ', con una descripción larga que ocupa más de una línea de la factura'}`,
    quantity: '1',
    price: '12,34',
    tax: index % 3 ? 'IVA21' : 'IVA10',
    linetype: 1,
  }));
  const answer = await page.request.post('/api/PostData/SetFacturas', {
    headers,
    multipart: {
      type: 'factura',
      invoiceDate: new Date().toLocaleDateString('sv-SE', { timeZone: 'Europe/Madrid' }),
      invoiceType: '0',
      invoiceClient: No,
      typeClient: 'NAC',
      claveRegimen: '01',
      accionFactura: '1',
      invoiceItems: JSON.stringify(items),
    },
  });
  const { DocNo } = await answer.json();
  await page.goto(`/panel/facturas/${encodeURIComponent(DocNo)}`);
  await expect(page.getByText('VERI*FACTU')).toBeVisible();
  const { pages } = await readPdf(new Uint8Array(await page.pdf({ format: 'A4' })));
  expect(pages.length).toBeGreaterThan(1);
  const last = pages.find(({ text }) => text.includes('Total factura'));
  expect(last?.text).toContain('Base imponible');
});
