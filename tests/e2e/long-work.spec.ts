import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { goWithin } from '../support/go-within.ts';
import { enterFullCompany } from '../support/signed-in.ts';
import { untilLetGo } from '../support/until-let-go.ts';

test('a long task shows its progress and continues while another screen is open', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  await enterFullCompany(page, baseURL, 3);

  await test.step('«Conciliar»: its answer is still there on return', async () => {
    await page.goto('/panel/registros');
    const held = await holdBack(page, '**/api/PostData/ConciliarRegistros');
    await page.getByRole('button', { name: 'Conciliar' }).click();
    await expect(page.getByRole('progressbar', { name: 'Facturas de la AEAT' })).toBeVisible();
    await expect(page.getByText(/la respuesta te espera aquí/).last()).toBeVisible();
    await expectAccessible(page);
    await goTo(page, 'Acerca de');
    await held.letGo();
    await page.goBack();
    await expect(page.getByText('Todo coincide.')).toBeVisible();
    await expect(page.getByRole('progressbar')).toHaveCount(0);
  });

  await test.step('«Conciliar» and the export are stopped, and their buttons get the focus', async () => {
    const working = [
      ['Conciliar', '**/api/PostData/ConciliarRegistros', /no se ha comparado nada/],
      ['Exportar registros', '**/api/GetData/ExportarRegistros?*', /no se ha guardado/],
    ] as const;
    for (const [name, call, said] of working) {
      await page.route(call, () => {}); // Never answered.
      const cut = page.waitForEvent('requestfailed');
      const button = page.getByRole('button', { name, exact: true });
      await button.click();
      await page.getByRole('button', { name: 'Parar' }).click();
      await cut;
      await expect(page.getByText(said)).toBeVisible();
      await expect(button).toBeFocused();
      await expectAccessible(page);
      await page.unroute(call);
    }
  });

  await test.step('without registros in those days nothing is saved, and it says so', async () => {
    const until = page.getByRole('textbox', { name: 'Hasta' });
    await until.fill('02/01/2020');
    await page.getByRole('button', { name: 'Exportar registros' }).click();
    await expect(page.getByText('No hay ningún registro entre esas fechas.')).toBeVisible();
    await expect(page.getByText('Descargado:')).toHaveCount(0);
    await until.fill('');
  });

  await test.step('the progress of the export counts the registros received', async () => {
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

  await test.step('the PDFs of ticked invoices are counted', async () => {
    await goWithin(page, '/panel/historial');
    await page.getByRole('checkbox', { name: 'Seleccionar las de esta página' }).check();
    const download = page.getByRole('button', { name: 'Descargar PDF (ZIP)' });
    await page.route('**/api/PostData/DescargarFacturas', () => {}); // Never answered.
    const cut = page.waitForEvent('requestfailed');
    await download.click();
    await page.getByRole('button', { name: 'Parar' }).click();
    await cut;
    await expect(page.getByText(/Has parado la descarga/)).toBeVisible();
    await expect(download).toBeFocused();
    await page.unroute('**/api/PostData/DescargarFacturas');
    const zip = await halfWay(page, '/DescargarFacturas', ['a.pdf', 'b.pdf']);
    const before = await download.boundingBox();
    await download.click();
    const bar = page.getByRole('progressbar', { name: 'Facturas en el ZIP' });
    await expect(bar).toHaveAttribute('aria-valuetext', '2 de 3');
    expect((await download.boundingBox())?.x, 'the buttons stay where they are').toBe(before?.x);
    await expectAccessible(page);
    const wide = page.viewportSize() ?? { width: 1440, height: 900 };
    await page.setViewportSize({ width: 390, height: 844 });
    // It does not leave its card, which has 16 px beside it.
    await expect.poll(async () => (await bar.boundingBox())?.x).toBeGreaterThan(16);
    await page.setViewportSize(wide);
    const saved = page.waitForEvent('download');
    await zip.end();
    await saved;
    await expect(bar).toHaveCount(0);
  });

  await test.step('the copy of all data is counted', async () => {
    await page.route('**/api/GetData/GetCopiaDatos', (route) =>
      route.fulfill({ json: { estado: 'preparando', facturas: 1200, total: 4000 } }),
    );
    await goWithin(page, '/panel/perfil#mis-datos');
    const bar = page.getByRole('progressbar', { name: 'Facturas en la copia' });
    await expect(bar).toHaveAttribute('aria-valuetext', '1.200 de 4.000');
    await expect(page.getByText(/puedes seguir trabajando o cerrar Huella/)).toBeVisible();
    // The sections above it load later and must not push it out of view.
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

/** Holds back a call. `letGo` sends it on and waits for its answer. */
async function holdBack(page: Page, call: string): Promise<{ letGo(): Promise<void> }> {
  const { held: gate, release: open } = untilLetGo();
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

/** Answers a call of the page with a ZIP that contains some files and stays unfinished until `end` is called. */
async function halfWay(
  page: Page,
  call: string,
  files: readonly string[],
  headers: Readonly<Record<string, string>> = {},
): Promise<{ end(): Promise<void> }> {
  const bytes = JSON.stringify([...Buffer.concat(files.map(localHeader))]);
  const given = { 'content-disposition': 'attachment; filename="todo.zip"', ...headers };
  // `route.fulfill` can only send complete answers. The script is text because this folder's types lack the browser's.
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

/** The header of a file in a ZIP, up to its name (APPNOTE.TXT 6.3.10, 4.3.7). */
function localHeader(name: string): Buffer {
  const header = Buffer.alloc(30);
  header.write('PK\u0003\u0004', 'latin1');
  header.writeUInt16LE(name.length, 26);
  return Buffer.concat([header, Buffer.from(name)]);
}
