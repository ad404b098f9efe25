import { expect, test } from '@playwright/test';
import { enterFullCompany } from '../support/signed-in.ts';
import { untilLetGo } from '../support/until-let-go.ts';

test('Ctrl+Enter waits until the last keystroke is checked, and leads to what is missing', async ({
  page,
  baseURL,
}) => {
  await enterFullCompany(page, baseURL);
  await page.goto('/panel/pendientes?editar=B-1');
  const verdict = page.getByRole('region', { name: 'Registrar la factura' }).getByRole('status');
  const dialog = page.getByRole('dialog', { name: 'Registrar factura', exact: true });
  const price = page.getByLabel('Precio, línea 1');
  await expect(verdict).toHaveText('Se puede registrar');

  await test.step('the field with the problem gets the focus, and no dialog opens', async () => {
    await price.fill('12,3456789');
    await page.keyboard.press('Control+Enter');
    await expect(price).toBeFocused();
    await expect(verdict).toHaveText('No se puede registrar');
    await expect(dialog).toBeHidden();
  });

  await test.step('a correction is checked before the dialog opens', async () => {
    const { held, release: letGo } = untilLetGo();
    await page.route('**/ValidarFactura', async (route) => {
      await held;
      await route.continue();
    });
    await price.fill('12,34');
    await page.keyboard.press('Control+Enter');
    await expect(verdict).toHaveText('Comprobando…');
    await expect(dialog).toBeHidden();
    letGo();
    await expect(dialog).toBeVisible();
    await expect(dialog).toContainText('no se puede cambiar');
  });

  await test.step('once it is registered, it starts another invoice', async () => {
    await dialog.getByRole('button').last().press('Enter');
    await expect(page.getByText(/^Registrada, eslabón/)).toBeVisible();
    await page.keyboard.press('Control+Enter');
    await expect(page).toHaveURL(/\/panel\/crear$/);
    await expect(page.getByRole('heading', { level: 1, name: 'Crear factura' })).toBeFocused();
  });
});

test('a product is taken by Enter once its code or whole name is typed, and part of a name is text', async ({
  page,
  baseURL,
}) => {
  const { token } = await enterFullCompany(page, baseURL);
  const answer = await page.request.get('/api/GetData/GetProductos', {
    headers: { authorization: `Bearer ${token}` },
  });
  const products = (await answer.json()) as { No: string; Name: string }[];
  const code = products.find(({ Name }) => Name === 'Reparto en Madrid')?.No ?? '';
  await page.goto('/panel/crear');
  for (const [line, typed, description, price] of [
    [1, code.toLowerCase(), 'Reparto en Madrid', '6,00'],
    [2, 'taller de pan', 'Taller de pan', '38,00'],
    [3, 'taller', 'taller', ''],
  ] as const) {
    await page.getByLabel(`Descripción, línea ${line}`).pressSequentially(typed);
    await expect(page.getByRole('option').filter({ visible: true }).first()).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(page.getByLabel(`Cantidad, línea ${line}`)).toBeFocused();
    await expect(page.getByLabel(`Descripción, línea ${line}`)).toHaveValue(description);
    await expect(page.getByLabel(`Precio, línea ${line}`)).toHaveValue(price);
  }
});

test('a new client can be added from a long list, and a future date is reported', async ({
  page,
  baseURL,
}) => {
  await enterFullCompany(page, baseURL);
  await page.goto('/panel/pendientes?editar=B-1');

  await test.step('«Crear Nuevo Cliente» is in view without scrolling through the clients', async () => {
    const client = page.getByRole('combobox', { name: 'Cliente', exact: true });
    await client.fill('');
    const options = page.getByRole('option').filter({ visible: true });
    await expect(options).toHaveCount(12); // Eleven clients and «Crear Nuevo Cliente».
    await expect(options.last()).toHaveText('Crear Nuevo Cliente');
    await expect(options.last()).toBeInViewport({ ratio: 1 });
    await expect(options.nth(10)).not.toBeInViewport();
    await client.press('Escape');
  });

  await test.step('a client who already exists is chosen instead', async () => {
    const client = page.getByRole('combobox', { name: 'Cliente', exact: true });
    await client.fill('Otra');
    await page.getByRole('option', { name: 'Crear Nuevo Cliente' }).click();
    const dialog = page.getByRole('dialog', { name: 'Crear Nuevo Cliente' });
    await dialog.getByLabel('CIF').fill('A58818501');
    await expect(dialog.getByText('Ya lo tiene tu cliente')).toBeVisible();
    await dialog.getByRole('button', { name: 'Elegir ese cliente' }).click();
    await expect(dialog).toBeHidden();
    await expect(client).toHaveValue(
      'Hoteles y Apartamentos Turísticos del Mediterráneo Occidental, S.L.',
    );
  });

  await test.step('a future date stays as typed, and a button changes it to today', async () => {
    const year = new Date().getFullYear();
    const day = page.getByLabel('Fecha', { exact: true });
    await day.fill(`31/12/${year + 1}`);
    await day.press('Tab');
    await expect(day).toHaveValue(`31/12/${year + 1}`);
    await expect(page.getByText('La fecha es posterior a hoy').first()).toBeVisible();
    await page.getByRole('button', { name: 'Poner la fecha de hoy' }).first().click();
    await expect(day).toHaveValue(new RegExp(`/${year}$`));
    await expect(page.getByText('La fecha es posterior a hoy')).toHaveCount(0);
  });
});

test('searching for a client or opening the days does not move the page', async ({
  page,
  baseURL,
}) => {
  await enterFullCompany(page, baseURL);
  await page.setViewportSize({ width: 1440, height: 500 });
  await page.goto('/panel/crear');
  const client = page.getByRole('combobox', { name: 'Cliente', exact: true });
  await page.getByRole('button', { name: 'Más opciones' }).click();
  await client.evaluate((field) => window.scrollBy(0, field.getBoundingClientRect().top - 100));
  const scrolled = () => page.evaluate(() => window.scrollY);
  const before = await scrolled();
  expect(before).toBeGreaterThan(100);
  await client.focus();
  await page.keyboard.press('h');
  const first = page.getByRole('option').filter({ visible: true }).first();
  await expect(first).toHaveAttribute('aria-selected', 'true');
  expect(await scrolled()).toBe(before);
  const day = page.getByLabel('Fecha', { exact: true });
  const days = page.getByRole('button', { name: 'Mes anterior' });
  await day.focus();
  await page.keyboard.press('Escape');
  await expect(days).toBeHidden();
  const atTheDay = await scrolled();
  await page.keyboard.press('Alt+ArrowDown');
  await expect(days).toBeVisible();
  expect(await scrolled()).toBe(atTheDay);
});

test('a keystroke redraws only its own line at first; totals and preview follow', async ({
  page,
  baseURL,
}) => {
  await enterFullCompany(page, baseURL);
  await page.goto('/panel/pendientes?editar=B-1');
  const price = page.getByLabel('Precio, línea 1');
  await expect(price).toBeEnabled();
  const drawnElsewhere = await price.evaluate((field: HTMLInputElement) => {
    const changes = new MutationObserver(() => {});
    const all = { subtree: true, childList: true, characterData: true, attributes: true };
    changes.observe(document.body, all);
    // As the browser does it, so that React treats it as typing.
    const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value') ?? {};
    set?.call(field, '98.765,43');
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
    const line = field.closest('tr');
    return changes.takeRecords().filter(({ target }) => !line?.contains(target)).length;
  });
  expect(drawnElsewhere).toBe(0);
  await expect(price).toHaveValue('98.765,43');
  const paper = page.getByRole('region', { name: 'Vista previa de la factura' });
  await expect(paper).toContainText('98.765,43');

  await test.step('the next line is there when Enter leaves the last one at once', async () => {
    const rows = page.getByLabel(/^Descripción, línea/);
    const last = rows.last();
    const count = await rows.count();
    await last.fill('Una más');
    await last.press('Enter');
    await expect(rows).toHaveCount(count + 1);
  });
});

test('lines are moved, deleted and restored, and the focus follows them', async ({
  page,
  baseURL,
}) => {
  await enterFullCompany(page, baseURL);
  await page.goto('/panel/crear');
  const description = (line: number) =>
    page.getByLabel(`Descripción, línea ${line}`, { exact: true });
  const shown = (...texts: string[]) =>
    Promise.all(texts.map((text, at) => expect(description(at + 1)).toHaveValue(text)));
  await description(1).fill('Mesa');
  await description(2).fill('Silla');
  await description(3).fill('Banco');
  await expect(description(4)).toBeVisible();

  await test.step('moving with the keyboard', async () => {
    await description(1).click();
    await page.keyboard.press('Alt+ArrowDown');
    await shown('Silla', 'Mesa', 'Banco', '');
    await expect(description(2)).toBeFocused();
    await page.keyboard.press('Alt+ArrowUp');
    await page.keyboard.press('Alt+ArrowUp'); // It is already the first one.
    await shown('Mesa', 'Silla', 'Banco', '');
    await expect(description(1)).toBeFocused();
    await page.keyboard.press('Alt+ArrowDown');
    await page.keyboard.press('Alt+ArrowDown'); // Pressed before the first move is drawn.
    await shown('Silla', 'Banco', 'Mesa', '');
    await expect(description(3)).toBeFocused();
  });

  await test.step('the menu of a line is opened, used and closed with the keyboard', async () => {
    const button = page.getByRole('button', { name: 'Más acciones de la línea 1' });
    const item = (name: string) => page.getByRole('menuitem', { name });
    await button.press('Enter');
    await expect(button).toHaveAttribute('aria-expanded', 'true');
    await expect(item('Subir')).toBeDisabled();
    await expect(item('Bajar')).toBeFocused();
    for (const [key, reached] of [
      ['ArrowUp', 'Eliminar línea'],
      ['ArrowDown', 'Bajar'],
      ['End', 'Eliminar línea'],
      ['Home', 'Bajar'],
      ['g', 'Guardar como producto'],
    ] as const) {
      await page.keyboard.press(key);
      await expect(item(reached)).toBeFocused();
    }
    await page.keyboard.press('Escape');
    await expect(page.getByRole('menu')).toHaveCount(0);
    await expect(button).toBeFocused();
    await button.press('Enter');
    await page.keyboard.press('Tab');
    await expect(page.getByRole('menu')).toHaveCount(0);
    await expect(description(2)).toBeFocused();
  });

  await test.step('the menu is closed with its button, or by pressing elsewhere', async () => {
    const button = page.getByRole('button', { name: 'Más acciones de la línea 3' });
    for (const other of [button, page.getByRole('heading', { name: 'Líneas' })]) {
      await button.click();
      await expect(page.getByRole('menu')).toBeInViewport({ ratio: 1 });
      await other.click();
      await expect(page.getByRole('menu')).toHaveCount(0);
    }
    await shown('Silla', 'Banco', 'Mesa', '');
  });

  await test.step('deleting from the menu, and undoing it', async () => {
    await page.getByRole('button', { name: 'Más acciones de la línea 2' }).click();
    await page.getByRole('menuitem', { name: 'Eliminar línea' }).click();
    const undo = page.getByRole('button', { name: 'Deshacer' });
    await undo.hover(); // It stays while the mouse is over it.
    await shown('Silla', 'Mesa', '');
    await expect(description(2)).toBeFocused();
    await undo.click();
    await shown('Silla', 'Banco', 'Mesa', '');
  });
});

test('pasted text that does not fit is cut, with a notice', async ({ page, baseURL, context }) => {
  await enterFullCompany(page, baseURL);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/panel/clientes');
  await page.getByRole('button', { name: 'Añadir Cliente' }).click();
  const name = page.getByLabel('Nombre');
  const paste = async (text: string) => {
    await page.evaluate((value) => navigator.clipboard.writeText(value), text);
    await name.press('Control+V');
  };
  const told = page.getByText('No cabe todo lo que has pegado');
  await paste(`${'x'.repeat(120)}\r\n`); // As a cell is copied.
  await expect(name).toHaveValue('x'.repeat(120));
  await name.press('Control+A');
  await paste('Comunidad de Propietarios '.repeat(5).slice(0, 118));
  await expect(name).toHaveValue(/^Comunidad/);
  await expect(told).toBeHidden();
  await paste('\nde'); // A space takes the place of the end of the line.
  await expect(told).toBeVisible();
  await expect(page.getByText(/Aquí caben 120\s?caracteres y falta el último:/)).toBeVisible();
  await expect(name).toHaveValue(/ d$/);
  await paste('Otras dos'); // While the first notice is still open.
  await expect(page.getByText('faltan los 9 últimos')).toBeVisible();
  await expect(told).toHaveCount(1);

  await test.step('of emoji, as many fit as of letters', async () => {
    await name.press('Control+A');
    await paste('😀'.repeat(119));
    await expect(name).toHaveValue('😀'.repeat(119));
    await page.keyboard.insertText('🥖');
    await page.keyboard.insertText('🥖');
    await expect(name).toHaveValue(`${'😀'.repeat(119)}🥖`);
    await page.getByRole('button', { name: 'Guardar' }).click();
    await expect(name).toBeHidden();
  });
});

test('long amounts are fully visible where the form is narrowest', async ({ page, baseURL }) => {
  await enterFullCompany(page, baseURL);
  await page.setViewportSize({ width: 820, height: 900 });
  await page.goto('/panel/pendientes?editar=B-1');
  const price = page.getByLabel('Precio, línea 1');
  await price.fill('8765432,1');
  await price.press('Tab');
  await expect(price).toHaveValue('8.765.432,10');
  await expect.poll(() => price.evaluate((field) => field.scrollWidth - field.clientWidth)).toBe(0);

  await test.step('and so are the sums by rate of twelve figures', async () => {
    await price.fill('999999999');
    await page.getByLabel('Cantidad, línea 1').fill('150');
    const rates = page.getByRole('table').filter({ hasText: 'TipoBaseCuota' });
    await expect(rates).toContainText(/\d{3}\.\d{3}\.\d{3}\.\d{3},\d{2}/);
    const beyond = rates.evaluate((table) => {
      const right = (element: Element | null) => element?.getBoundingClientRect().right ?? 0;
      return right(table) - right(table.parentElement);
    });
    expect(await beyond).toBeLessThanOrEqual(0);
  });
});

test('cells of a spreadsheet are pasted as lines, and columns of numbers into theirs', async ({
  page,
  baseURL,
  context,
}) => {
  await enterFullCompany(page, baseURL);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/panel/crear');
  const paste = async (label: string, text: string) => {
    await page.evaluate((value) => navigator.clipboard.writeText(value), text);
    await page.getByLabel(label).press('Control+V');
  };
  const total = page.getByRole('region', { name: 'Registrar la factura' }).getByText(/€$/);
  const undo = page.getByRole('button', { name: 'Deshacer' });
  await expect(page.getByLabel('Descripción, línea 1')).toBeEnabled();

  await test.step('a range with a description becomes lines, whose prices are those of the products if it has none', async () => {
    await paste(
      'Descripción, línea 1',
      'Tornillo\t100\t0,12 €\r\nTaller de pan\t2\t\r\n"Mesa ""Olmo"""\t1\t1.234,50 €\r\n',
    );
    await undo.hover(); // It stays while the mouse is over it.
    await expect(page.getByLabel('Descripción, línea 3')).toHaveValue('Mesa "Olmo"');
    await expect(page.getByLabel('Descripción, línea 3')).toBeFocused();
    await expect(page.getByLabel('Precio, línea 2')).toHaveValue('38,00');
    // 12,00 + 76,00 + 1.234,50 = 1.322,50; 277,73 of VAT.
    await expect(total).toHaveText('1.600,23 €');
  });

  await test.step('a column of numbers goes down from the field', async () => {
    await paste('Cantidad, línea 1', '50\r\n1\r\n2\r\n');
    await expect(page.getByLabel('Cantidad, línea 3')).toHaveValue('2');
    // 6,00 + 38,00 + 2.469,00 = 2.513,00; 527,73 of VAT.
    await expect(total).toHaveText('3.040,73 €');
  });

  await test.step('what was pasted as lines is undone at once', async () => {
    await undo.click();
    await expect(page.getByLabel(/^Descripción, línea/)).toHaveCount(1);
    await expect(total).toHaveText('0,00 €');
  });
});
