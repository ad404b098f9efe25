import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { enterFullCompany } from '../support/signed-in.ts';

test('what takes long says how far it is, and goes on while another screen is looked at @any-width', async ({
  page,
  baseURL,
}) => {
  await enterFullCompany(page, baseURL, 3);

  await test.step('«Conciliar»: its answer waits for who asked', async () => {
    await page.goto('/panel/registros');
    const held = await holdBack(page, '**/api/PostData/ConciliarRegistros');
    await page.getByRole('button', { name: 'Conciliar' }).click();
    await expect(page.getByRole('progressbar', { name: 'Consulta a la AEAT' })).toBeVisible();
    await expect(page.getByText(/la respuesta te espera aquí/).last()).toBeVisible();
    await expectAccessible(page);
    await goTo(page, 'Acerca de');
    await held.letGo();
    await page.goBack();
    await expect(page.getByText('Todo coincide.')).toBeVisible();
    await expect(page.getByRole('progressbar')).toHaveCount(0);
  });

  await test.step('the export is counted by what has come of it', async () => {
    const files = ['registros/000051-000100.xml', 'registros/000101-001250.xml'];
    const zip = await halfWay(page, '/ExportarRegistros', files, {
      'x-registros': '4000',
    });
    await page.getByRole('button', { name: 'Exportar registros' }).click();
    const bar = page.getByRole('progressbar', { name: 'Registros en el ZIP' });
    await expect(bar).toHaveAttribute('aria-valuetext', '1.200 de 4.000');
    await expect(bar).toHaveAttribute('aria-valuemax', '4000');
    await expect(page.getByText('1.200 de 4.000')).toBeVisible();
    await expectAccessible(page);
    await goTo(page, 'Acerca de');
    await page.goBack();
    await expect(page.getByText('1.200 de 4.000')).toBeVisible();
    await goTo(page, 'Acerca de');
    const saved = page.waitForEvent('download');
    await zip.end();
    expect((await saved).suggestedFilename()).toBe('todo.zip');
  });

  await test.step('the PDFs of ticked invoices', async () => {
    await page.goto('/panel/historial');
    await page.getByRole('checkbox', { name: 'Seleccionar las de esta página' }).check();
    const zip = await halfWay(page, '/DescargarFacturas', ['a.pdf', 'b.pdf']);
    const download = page.getByRole('button', { name: 'Descargar PDF (ZIP)' });
    const before = await download.boundingBox();
    await download.click();
    const bar = page.getByRole('progressbar', { name: 'Facturas en el ZIP' });
    await expect(bar).toHaveAttribute('aria-valuetext', '2 de 3');
    expect((await download.boundingBox())?.x, 'the buttons stay where they are').toBe(before?.x);
    await expectAccessible(page);
    const saved = page.waitForEvent('download');
    await zip.end();
    await saved;
    await expect(bar).toHaveCount(0);
  });

  await test.step('the copy of all that there is', async () => {
    await page.route('**/api/GetData/GetCopiaDatos', (route) =>
      route.fulfill({ json: { estado: 'preparando', facturas: 1200, total: 4000 } }),
    );
    await page.goto('/panel/perfil#mis-datos');
    const bar = page.getByRole('progressbar', { name: 'Facturas en la copia' });
    await expect(bar).toHaveAttribute('aria-valuetext', '1.200 de 4.000');
    await expect(page.getByText(/puedes seguir trabajando o cerrar Huella/)).toBeVisible();
    // What comes above it does not push it out of sight.
    await expect(page.getByRole('heading', { name: 'Sesiones abiertas' })).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Tus datos' })).toBeInViewport();
    await expect(bar).toBeInViewport();
    await expectAccessible(page);
  });
});

async function goTo(page: Page, section: string): Promise<void> {
  const sections = page.getByRole('navigation', { name: 'Secciones' });
  await sections.getByRole('link', { name: section }).click();
  await expect(page.getByRole('heading', { level: 1, name: section })).toBeVisible();
}

/** Keeps a call back until it is let go, and answered. */
async function holdBack(page: Page, call: string): Promise<{ letGo(): Promise<void> }> {
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  await page.route(call, async (route) => {
    await gate;
    await route.continue();
  });
  return {
    async letGo() {
      const answered = page.waitForResponse(call);
      open();
      await answered;
    },
  };
}

/** Answers a call of the page with a ZIP of which some files come, and the rest not until it is ended. */
async function halfWay(
  page: Page,
  call: string,
  files: readonly string[],
  headers: Readonly<Record<string, string>> = {},
): Promise<{ end(): Promise<void> }> {
  const bytes = JSON.stringify([...Buffer.concat(files.map(localHeader))]);
  const given = { 'content-disposition': 'attachment; filename="todo.zip"', ...headers };
  // What answers a route comes whole. Text, because this folder's types know no browser.
  await page.evaluate(`{
    const { fetch } = globalThis;
    globalThis.fetch = (url, options) => {
      if (!String(url).includes('${call}')) return fetch(url, options);
      const body = new ReadableStream({
        start(controller) {
          controller.enqueue(Uint8Array.from(${bytes}));
          globalThis.endZip = () => controller.close();
        },
      });
      return Promise.resolve(new Response(body, { headers: ${JSON.stringify(given)} }));
    };
  }`);
  return { end: () => page.evaluate('endZip()') };
}

/** Of a ZIP, as far as the name goes (APPNOTE.TXT 6.3.10, 4.3.7). */
function localHeader(name: string): Buffer {
  const header = Buffer.alloc(30);
  header.write('PK\u0003\u0004', 'latin1');
  header.writeUInt16LE(name.length, 26);
  return Buffer.concat([header, Buffer.from(name)]);
}
