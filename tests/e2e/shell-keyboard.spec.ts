import { expect, type Locator, type Page, test } from '@playwright/test';
import { goWithin } from '../support/go-within.ts';
import { enterFullCompany } from '../support/signed-in.ts';
import { untilLetGo } from '../support/until-let-go.ts';

/** The whole panel without a pointer: every stop is visible, every screen is reached, and an invoice is registered. */
test('works with the keyboard alone', async ({ page, baseURL }) => {
  test.setTimeout(240_000);
  await enterFullCompany(page, baseURL);
  await page.goto('/panel/inicio');
  await expect(page.getByRole('heading', { level: 1, name: 'Inicio' })).toBeFocused();

  await test.step('skips the menu at once', async () => {
    await page.getByRole('link', { name: 'Saltar al contenido' }).focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('main')).toBeFocused();
  });

  await test.step('each section, from the menu on the left', async () => {
    for (const name of [
      'Historial de facturas',
      'Facturas pendientes',
      'Importar datos',
      'Clientes',
      'Productos / Servicios',
      'Ayuda y soporte',
      'Preguntas frecuentes',
      'Acerca de',
      'Perfil empresa',
    ]) {
      const sections = page.getByRole('navigation', { name: 'Secciones' });
      await sections.getByRole('link', { name: new RegExp(`^${name}`) }).focus();
      await page.keyboard.press('Enter');
      await expect(page.getByRole('heading', { level: 1, name })).toBeFocused();
      await expectStopsInSight(page);
    }
  });

  await test.step('choosing a file, from the pending invoices', async () => {
    await goWithin(page, '/panel/pendientes');
    await tabTo(page, page.getByRole('link', { name: 'Subir facturas' }));
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1, name: 'Subir facturas' })).toBeFocused();
    await expectStopsInSight(page);
    const chooser = page.waitForEvent('filechooser'); // Set up well before the chooser opens, as the browser needs time to start watching for it.
    await page.getByRole('heading', { level: 1 }).focus();
    await tabTo(page, page.getByRole('button', { name: 'Elegir archivos' }));
    await page.keyboard.press('Enter');
    expect((await chooser).isMultiple()).toBe(true);
  });

  await test.step('verifying the cadena, from «Acerca de»', async () => {
    await goWithin(page, '/panel/acerca');
    await tabTo(page, page.getByRole('link', { name: 'Registros y evidencias' }));
    await page.keyboard.press('Enter');
    const heading = page.getByRole('heading', { level: 1, name: 'Registros y evidencias' });
    await expect(heading).toBeFocused();
    await expectStopsInSight(page);
    await heading.focus();
    await tabTo(page, page.getByRole('button', { name: 'Verificar mi cadena' }));
    await page.keyboard.press('Enter');
    await expect(page.getByText('Todavía no hay nada que verificar')).toBeVisible();
    await tabTo(page, page.getByRole('combobox', { name: 'Mes' }));
    await tabTo(page, page.getByRole('button', { name: 'Conciliar', exact: true }));
    await page.keyboard.press('Enter');
    await expect(page.getByText('Ni aquí ni en la AEAT hay facturas de ese mes.')).toBeVisible();
  });

  await test.step('Business Central, from the profile', async () => {
    await goWithin(page, '/panel/perfil');
    await tabTo(page, page.getByRole('link', { name: /Business Central/ }));
    await page.keyboard.press('Enter');
    const heading = page.getByRole('heading', { level: 1, name: 'Business Central' });
    await expect(heading).toBeFocused();
    await expectStopsInSight(page);
    await heading.focus();
    await tabTo(page, page.getByLabel('Inquilino', { exact: true }));
    await page.keyboard.type('no es un inquilino');
    for (const name of ['Entorno', 'Id. de aplicación (cliente)', 'Secreto']) {
      await tabTo(page, page.getByLabel(name, { exact: true }));
    }
    await page.keyboard.press('Enter');
    await expect(page.locator('[aria-invalid=true]').first()).toBeFocused();
  });

  await test.step('the menu of the company', async () => {
    const button = page.getByRole('button', { name: /^Menú de / });
    await button.focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('menuitem', { name: 'Perfil empresa' })).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await expect(page.getByRole('menuitem', { name: 'Cerrar sesión' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(button).toBeFocused();
  });

  await test.step('a client: added with Enter, cancelled with Escape', async () => {
    await page.goto('/panel/clientes');
    await tabTo(page, page.getByRole('button', { name: 'Añadir Cliente' }));
    await page.keyboard.press('Enter');
    await expect(page.getByLabel('Nombre')).toBeFocused();
    await page.keyboard.type('Bodega Alta, S.L.');
    await page.keyboard.press('Tab');
    await page.keyboard.type('A28015865');
    await page.keyboard.press('Enter');
    await expect(page.getByText('«Bodega Alta, S.L.» está guardado.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Añadir Cliente' })).toBeFocused();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('button', { name: 'Añadir Cliente' })).toBeFocused();
  });

  await test.step('the pending invoices: sorted, one opened and closed, one deleted', async () => {
    await goWithin(page, '/panel/pendientes');
    const customer = page.getByRole('columnheader', { name: 'Cliente' });
    await tabTo(page, customer.getByRole('button'));
    await page.keyboard.press('Enter');
    await expect(customer).toHaveAttribute('aria-sort', 'ascending');
    const edit = page.getByRole('button', { name: 'Editar' }).first();
    await tabTo(page, edit);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1, name: /^Borrador B-/ })).toBeFocused();
    const main = page.getByRole('main'); // The message about the client may still be there, with a button to close it.
    await tabTo(page, main.getByRole('button', { name: 'Cerrar', exact: true }));
    await page.keyboard.press('Enter');
    await tabTo(page, page.getByRole('button', { name: 'Eliminar' }).first());
    await page.keyboard.press('Enter');
    const question = page.getByRole('dialog', { name: 'Eliminar borrador' });
    await expect(question.getByRole('button', { name: 'Cancelar' })).toBeFocused();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect(page.getByText(/El borrador B-\d se ha eliminado/)).toBeVisible();
  });

  await test.step('a default of the company, saved when it is chosen', async () => {
    await goWithin(page, '/panel/perfil');
    await tabTo(page, page.getByRole('combobox', { name: 'Término pago' }));
    await page.keyboard.press('ArrowDown');
    await expect(page.getByRole('option', { name: 'Al contado' })).toBeVisible();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(page.getByText('Guardado', { exact: true })).toBeVisible();
  });

  await test.step('an invoice, from the form to its receipt', async () => {
    await goWithin(page, '/panel/crear');
    await tabTo(page, page.getByRole('combobox', { name: 'Cliente' }));
    await page.keyboard.type('Ana Bel');
    // The first option found is highlighted, and Enter chooses it.
    const found = page.getByRole('option', { name: /Ana Beltrán/ });
    await expect(found).toHaveAttribute('data-combobox-selected', 'true');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('combobox', { name: 'Cliente' })).toHaveValue(/Ana Beltrán/);
    await tabTo(page, page.getByLabel('Descripción, línea 1'));
    await page.keyboard.type('Taller de pan para grupos');
    await tabTo(page, page.getByLabel('Precio, línea 1'));
    await page.keyboard.press('Control+a');
    await page.keyboard.type('120,50');
    await expect(page.getByText('Se puede registrar')).toBeVisible();
    const dialog = page.getByRole('dialog');
    // The last keystrokes may still be being checked: until they are, the dialog does not open.
    await expect(async () => {
      await page.keyboard.press('Control+Enter');
      await expect(dialog.getByText('no se puede cambiar')).toBeVisible({ timeout: 2_000 });
    }).toPass();
    await tabTo(page, dialog.getByRole('button', { name: 'Registrar', exact: true }));
    await page.keyboard.press('Enter');
    await expect(page.getByText('Registrada, eslabón 1 de la cadena')).toBeVisible();
  });

  await test.step('on a link of the receipt, Ctrl+Enter opens it instead of starting another', async () => {
    await tabTo(page, page.getByRole('link', { name: 'la ficha de la factura' }));
    const opening = page
      .context()
      .waitForEvent('request', (request) => /\/panel\/facturas\//.test(request.url()));
    await page.keyboard.press('Control+Enter');
    await opening;
    await expect(page.getByText('Registrada, eslabón 1 de la cadena')).toBeVisible();
  });
});

/** Presses Tab until the given element has the focus. */
async function tabTo(page: Page, wanted: Locator): Promise<void> {
  await wanted.waitFor();
  for (let presses = 0; presses < 90; presses++) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${wanted}`);
}

/** Expects that from the heading on nothing with the focus is hidden, or covered by the footer or the bar. */
async function expectStopsInSight(page: Page): Promise<void> {
  for (let stop = 0; stop < 12; stop++) {
    await page.keyboard.press('Tab');
    const hidden = await page.evaluate(() => {
      const element = document.activeElement;
      if (!element || element === document.body || element.closest('footer')) return null;
      const { left, top, width, height } = element.getBoundingClientRect();
      const seen = document.elementFromPoint(left + width / 2, top + height / 2);
      const isSeen =
        seen && (element.contains(seen) || seen.contains(element) || seen.closest('label'));
      return isSeen
        ? null
        : `${element.outerHTML.slice(0, 160)} under ${seen?.outerHTML.slice(0, 90)}`;
    });
    expect(hidden, page.url()).toBeNull();
  }
}

test('a button gets the focus back when its work is done, unless the user has moved elsewhere', async ({
  page,
  baseURL,
}) => {
  await enterFullCompany(page, baseURL, 1);
  await page.goto('/panel/registros');
  const compare = page.getByRole('button', { name: 'Conciliar' });
  const answered = () => page.waitForResponse('**/api/PostData/ConciliarRegistros');
  let held = hold();
  await page.route('**/api/PostData/ConciliarRegistros', async (route) => {
    await held.gate;
    await route.continue();
  });
  await compare.focus();
  const first = answered();
  await compare.press('Enter');
  await expect(compare).toBeDisabled();
  held.go();
  await first;
  await expect(compare).toBeEnabled();
  await expect(compare).toBeFocused();

  held = hold();
  const second = answered();
  await compare.press('Enter');
  await expect(compare).toBeDisabled();
  await page.getByText(/^Cada factura que registras/).click();
  held.go();
  await second;
  await expect(compare).toBeEnabled();
  await expect(compare).not.toBeFocused();
});

test('a button that disappears when pressed moves the focus to a nearby element', async ({
  page,
  baseURL,
}) => {
  await enterFullCompany(page, baseURL, 1);
  await page.goto('/panel/historial');
  const search = page.getByRole('searchbox');
  const clear = page.getByRole('button', { name: 'Limpiar' });

  await test.step('«Limpiar», above the list and inside the empty list', async () => {
    for (const which of [clear.first(), clear.last()]) {
      await search.fill('zzz');
      await expect(page.getByText('Ninguna factura coincide')).toBeVisible();
      await which.press('Enter');
      await expect(page.getByRole('row')).toHaveCount(2);
      await expect(search).toBeFocused();
      await expect(search).toHaveValue('');
    }
  });

  await test.step('«Quitar selección»', async () => {
    const ticks = page.getByRole('main').getByRole('checkbox');
    await ticks.last().check();
    await page.getByRole('button', { name: 'Quitar selección' }).press('Enter');
    await expect(ticks.first()).toBeFocused();
    await expect(ticks.last()).not.toBeChecked();
  });

  await test.step('«Limpiar» in the list of clients', async () => {
    await page.goto('/panel/clientes');
    await search.fill('nadie que exista');
    await clear.press('Enter');
    await expect(search).toBeFocused();
    await expect(page.getByText('Ningún cliente coincide')).toBeHidden();
  });

  await test.step('«Seguir», for a half-typed invoice', async () => {
    await page.goto('/panel/crear');
    await page.getByLabel('Descripción, línea 1').fill('Pan de pueblo');
    await page.reload();
    await page.getByRole('button', { name: 'Seguir', exact: true }).press('Enter');
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  });
});

/** A gate to wait for, and the function that opens it. */
function hold() {
  const { held: gate, release: go } = untilLetGo();
  return { gate, go: () => go() };
}
