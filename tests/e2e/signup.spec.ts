import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { signUp } from '../support/demo-company.ts';
import { randomDni } from '../support/random-nif.ts';

const PASSWORD = 'siete tejas y una golondrina';

test('signs up for a demo using only the keyboard, with every check on the way and no card', {
  tag: '@any-width',
}, async ({ page }) => {
  test.setTimeout(120_000);
  const nif = randomDni();
  const email = `${nif.toLowerCase()}@obrador.example`;
  await page.goto('/registro');
  await expect(page).toHaveURL(/\/registro\/paso1$/);

  await test.step('step 1: empty fields, then different passwords, then the terms', async () => {
    await expect(page.getByText('Paso 1 de 3 - Datos de acceso')).toBeVisible();
    const points = page.getByRole('complementary', { name: 'Qué es Huella' }).getByRole('listitem');
    await expect(points).toHaveCount(3);
    await page.getByRole('button', { name: 'Siguiente' }).press('Enter');
    await expect(page.getByText('Escribe tu correo electrónico.')).toBeVisible();
    await expect(page.getByLabel('Correo electrónico')).toBeFocused();
    await page.keyboard.type('obrador@ejemplo');
    await page.getByLabel('Contraseña', { exact: true }).fill(PASSWORD);
    await page.getByLabel('Repite la contraseña').fill('otra cosa');
    await page.getByRole('checkbox').press('Space');
    // The next step has no field for the e-mail, so it is not left for the server to refuse there.
    await page.getByRole('button', { name: 'Siguiente' }).press('Enter');
    await expect(page.getByText(/no tiene una forma válida/)).toBeVisible();
    await page.getByLabel('Correo electrónico').fill(email);
    // Each error disappears as soon as its field is changed.
    await expect(page.locator('[aria-invalid="true"]')).toHaveCount(0);
    await expect(page.getByText('Para seguir tienes que aceptarlos.')).toBeHidden();
    await page.getByRole('button', { name: 'Siguiente' }).press('Enter');
    const dialog = page.getByRole('alertdialog', { name: 'Ha habido un error' });
    await expect(dialog).toContainText(
      'Las contraseñas no coinciden. Por favor, inténtalo de nuevo.',
    );
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await expect(page.getByText(/mejor 12 o más/)).toBeVisible();
    await page.getByLabel('Contraseña', { exact: true }).fill('12345678');
    await page.keyboard.press('Tab');
    await expect(page.getByText(/no puede ser una secuencia/)).toBeVisible();
    await page.getByLabel('Repite la contraseña').fill('12345678');
    await page.keyboard.press('Enter');
    await expect(dialog).toBeVisible();
    await page.keyboard.press('Escape');
    await page.getByLabel('Contraseña', { exact: true }).fill(PASSWORD);
    await page.getByLabel('Repite la contraseña').fill(PASSWORD);
    await page.keyboard.press('Enter');
  });

  await test.step('step 2: back and forth, a wrong NIF, a province with its own hacienda, and done', async () => {
    await expect(page.getByRole('heading', { name: 'Completa tu registro' })).toBeFocused();
    await page.getByRole('link', { name: 'Volver' }).press('Enter');
    await expect(page.getByLabel('Correo electrónico')).toHaveValue(email);
    await expect(page.getByLabel('Repite la contraseña')).toHaveValue(PASSWORD);
    await expect(page.getByRole('checkbox')).toBeChecked();
    await page.getByRole('button', { name: 'Siguiente' }).press('Enter');
    await page.getByLabel('Nombre de la empresa').fill('Obrador Candela, S.L.');
    await page.getByLabel('NIF/CIF').fill('12345678A');
    await page.getByLabel('NIF/CIF').press('Tab');
    await expect(page.getByLabel('NIF/CIF')).toHaveAttribute('aria-invalid', 'true');
    await page.getByLabel('NIF/CIF').fill(nif);
    await page.getByLabel('Dirección').fill('Calle de San Blas, 14');
    for (const [postCode, hacienda] of [
      ['48001', /Bizkaia|Vizcaya/],
      ['31001', /Navarra/],
    ] as const) {
      await page.getByLabel('Código postal').fill(postCode);
      const note = page.getByRole('status').filter({ hasText: 'tiene su propia hacienda' });
      await expect(note).toContainText(hacienda);
    }
    await expectAccessible(page);
    await page.getByLabel('Código postal').fill('50003');
    await expect(page.getByText('tiene su propia hacienda')).toBeHidden();
    await expect(
      page.getByText('Deberás subir tu Certificado Digital desde el perfil'),
    ).toBeVisible();
    await expect(page.getByText('La Subscripción Demo no pide tarjeta.')).toBeVisible();
    const size = page.viewportSize();
    await page.setViewportSize({ width: 390, height: 844 }); // Tab goes down, as everywhere.
    const heightOf = async (name: string) =>
      (await page.getByRole('button', { name }).boundingBox())?.y ?? 0;
    expect(await heightOf('Subscripción Demo')).toBeLessThan(await heightOf('Ir al pago'));
    if (size) await page.setViewportSize(size);
    await page.getByRole('button', { name: 'Subscripción Demo' }).press('Enter');
    await expect(page).toHaveURL(/\/registro\/completado$/);
    await expect(
      page.getByRole('heading', { name: 'Estamos configurando tu empresa' }),
    ).toBeFocused();
    await expect(page.getByText(email)).toBeVisible();
    expect(await kept(page)).not.toContain(email);
  });
});

test('a password made of the company’s name is changed from the message that refuses it', {
  tag: '@any-width',
}, async ({ page }) => {
  const nif = randomDni();
  await page.goto('/registro');
  await page.getByLabel('Correo electrónico').fill(`${nif.toLowerCase()}@obrador.example`);
  await page.getByLabel('Contraseña', { exact: true }).fill('obrador candela 26');
  await page.getByLabel('Repite la contraseña').fill('obrador candela 26');
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Siguiente' }).click();
  await page.getByLabel('Nombre de la empresa').fill('Obrador Candela, S.L.');
  await page.getByLabel('NIF/CIF').fill(nif);
  await page.getByLabel('Dirección').fill('Calle de San Blas, 14');
  await page.getByLabel('Código postal').fill('50 003');
  await page.getByRole('button', { name: 'Subscripción Demo' }).click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog).toContainText('no puede contener el nombre o el NIF de tu empresa');
  await dialog.getByRole('button', { name: 'Cambiar la contraseña' }).click();

  await page.getByLabel('Contraseña', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Repite la contraseña').fill(PASSWORD);
  await page.getByRole('button', { name: 'Siguiente' }).click();
  await expect(page.getByLabel('Dirección')).toHaveValue('Calle de San Blas, 14');
  await page.getByRole('button', { name: 'Subscripción Demo' }).click();
  await expect(page).toHaveURL(/\/registro\/completado$/);
});

test('only the person can accept the terms and repeat the password', {
  tag: '@any-width',
}, async ({ page }) => {
  await page.goto('/registro/paso1');
  await page.getByLabel('Correo electrónico').fill('alguien@obrador.example');
  await page.getByLabel('Contraseña', { exact: true }).fill(PASSWORD);
  const repeat = page.getByLabel('Repite la contraseña');
  const terms = page.getByRole('checkbox', { name: /términos y condiciones/ });

  await test.step('not by leaving and coming back', async () => {
    await page.getByRole('link', { name: 'Iniciar sesión' }).last().click();
    await expect(page).toHaveURL(/iniciosesion/);
    await page.goBack();
    await expect(page.getByLabel('Contraseña', { exact: true })).toHaveValue(PASSWORD);
    await expect(repeat).toHaveValue('');
    await expect(terms).not.toBeChecked();
  });

  await test.step('not by opening the next step by its address', async () => {
    for (const step of ['paso2', 'paso3']) {
      await page.goto(`/registro/${step}`);
      await expect(page).toHaveURL(/\/registro\/paso1$/);
    }
    await page.getByLabel('Contraseña', { exact: true }).fill(PASSWORD);
  });

  await test.step('not by typing the password in the next step after a reload', async () => {
    await repeat.fill(PASSWORD);
    await terms.check();
    await page.getByRole('button', { name: 'Siguiente' }).click();
    await expect(page.getByRole('heading', { name: 'Completa tu registro' })).toBeVisible();
    await page.reload();
    await page.getByLabel('Contraseña', { exact: true }).fill(PASSWORD);
    await page.getByRole('link', { name: 'Volver' }).click();
    await expect(repeat).toHaveValue('');
    // The person did accept them.
    await expect(terms).toBeChecked();
    await terms.uncheck();
    await page.getByRole('button', { name: 'Siguiente' }).click();
    await expect(page.getByText('Para seguir tienes que aceptarlos.')).toBeVisible();
  });
});

test('without an e-mail, later steps lead back to the first; renewing requires signing in', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  for (const step of ['paso2', 'paso3']) {
    await page.goto(`/registro/${step}`);
    await expect(page).toHaveURL(/\/registro\/paso1$/);
  }
  await page.goto('/registro/paso3?renovacion&plan=annual');
  await expect(page).toHaveURL(/\/iniciosesion$/);
  const company = await signUp(String(baseURL), randomDni());
  await page.getByLabel('Correo electrónico').fill(company.email);
  await page.getByLabel('Contraseña', { exact: true }).fill(company.password);
  await page.getByRole('button', { name: 'Iniciar sesión' }).click();
  await expect(page.getByRole('heading', { name: 'Renovación de suscripción' })).toBeVisible();
  await expect(page.getByRole('radio', { name: /Anual/ })).toBeChecked();
});

const kept = (page: Page) => page.evaluate(() => sessionStorage.getItem('huella.registro') ?? '');
