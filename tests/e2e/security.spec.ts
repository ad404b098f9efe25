import { readFile } from 'node:fs/promises';
import { expect, type Page, test } from '@playwright/test';
import { type TOTP, URI } from 'otpauth';
import { expectAccessible } from '../support/accessible.ts';
import { signUp } from '../support/demo-company.ts';
import { AGAIN } from '../support/fetch-again.ts';
import { randomCompanyNif } from '../support/random-nif.ts';

/** A company secures its account, and signs in with the phone and without it. */
test('turns the second factor on, signs in with it, and closes the other sessions', async ({
  page,
  baseURL,
  browser,
}, { project }) => {
  test.setTimeout(240_000);
  const company = await signUp(baseURL ?? '', randomCompanyNif());
  await enter(page, company);
  await page.goto('/panel/perfil#seguridad');
  const section = page.getByRole('region', { name: 'Seguridad' });

  await section.getByRole('button', { name: 'Activar' }).click();
  const dialog = page.getByRole('dialog', { name: 'Activar la verificación en dos pasos' });
  const secret = (await dialog.locator('code').innerText()).replaceAll(' ', '');
  const phone = URI.parse(`otpauth://totp/Huella:yo?secret=${secret}&issuer=Huella`) as TOTP;
  // On the phone itself there is nothing to scan the QR with.
  const here = dialog.getByRole('link', { name: 'Abrir en este teléfono' });
  if (project.name === 'phone') {
    await expect(here).toHaveAttribute('href', new RegExp(`^otpauth://totp/.*secret=${secret}`));
    await expectAccessible(page);
    return; // The rest is the same at any width.
  }
  await expect(here).toBeHidden();
  await expect(dialog.getByRole('button', { name: 'Copiar la clave' })).toBeVisible();
  await dialog.getByLabel('Código de seis cifras').fill('000000');
  await dialog.getByRole('button', { name: 'Activar' }).click();
  await expect(dialog.getByText('El código no es correcto o ya se ha usado.')).toBeVisible();
  await expectAccessible(page);
  await dialog.getByLabel('Código de seis cifras').fill(phone.generate());
  await page.keyboard.press('Enter');

  const codes = page.getByRole('dialog', { name: 'Guarda tus códigos de recuperación' });
  await expect(codes.getByRole('listitem')).toHaveCount(10);
  const [first, second] = await codes.locator('code').allInnerTexts();
  const saving = page.waitForEvent('download');
  await codes.getByRole('button', { name: 'Descargar' }).click();
  expect(await readFile(await (await saving).path(), 'utf8')).toContain(`${first}\n${second}\n`);
  await expectAccessible(page);
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    const cuts = await codes
      .locator('.mantine-Button-label')
      .evaluateAll((labels) =>
        labels.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
      );
    expect(Math.max(...cuts), 'the words of each button are whole').toBeLessThanOrEqual(1);
  }
  await codes.getByRole('button', { name: 'Los he guardado' }).click();
  await expect(section.getByText('Te quedan 10 códigos de recuperación.')).toBeVisible();
  await expect(section.getByText('Verificación en dos pasos activada')).toBeVisible();
  await expectAccessible(page);

  // On another device: the password alone is not enough, a recovery code is.
  const elsewhere = await (await browser.newContext({ baseURL: baseURL ?? '' })).newPage();
  await enter(elsewhere, company);
  await expect(elsewhere.getByRole('heading', { name: 'Verificación en dos pasos' })).toBeFocused();
  await expectAccessible(elsewhere);
  await elsewhere.getByLabel('Código de seis cifras').fill('123456');
  await elsewhere.keyboard.press('Enter');
  await expect(elsewhere.getByText(/El código no es correcto/)).toBeVisible();
  await elsewhere.keyboard.press('Escape');
  await elsewhere.getByRole('button', { name: 'No tengo el teléfono' }).click();
  await elsewhere.getByLabel('Código de recuperación').fill(first ?? '');
  await elsewhere.keyboard.press('Enter');
  await expect(elsewhere).toHaveURL(/\/panel\/perfil/);

  // A program may have opened many since: the list does not grow with them, and this one is the first.
  await page.route('**/GetSesiones', async (route) => {
    const response = await route.fetch(AGAIN);
    const own = (await response.json()) as object[];
    const many = Array.from({ length: 9 }, (_, hour) => ({
      ...own[0],
      actual: false,
      dispositivo: 'Otro programa',
      ultimoUso: `2026-01-02T0${hour}:00:00Z`,
    }));
    await route.fulfill({ response, json: [...many, ...own] });
  });
  await page.reload();
  await expect(section.getByText('Te quedan 9 códigos de recuperación.')).toBeVisible();
  await expect(section.getByText('11 sesiones')).toBeVisible();
  const others = section.getByRole('listitem').filter({ hasText: 'Otro programa' });
  await expect(others).toHaveCount(7);
  await expect(section.getByRole('listitem').first()).toContainText('Esta sesión');
  await page.unrouteAll({ behavior: 'wait' });
  await section.getByRole('button', { name: 'Cerrar las demás' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cerrar las demás' }).click();
  await expect(page.getByText('1 sesión cerrada.')).toBeVisible();
  await elsewhere.goto('/panel/perfil');
  await expect(elsewhere).toHaveURL(/\/iniciosesion/);
  await enter(elsewhere, company);
  await elsewhere.getByRole('button', { name: 'No tengo el teléfono' }).click();
  await expect(elsewhere.getByText('¿Tampoco tienes los códigos?')).toBeVisible();
  await elsewhere.getByLabel('Código de recuperación').fill(second ?? '');
  await elsewhere.keyboard.press('Enter');
  await expect(elsewhere).toHaveURL(/\/panel/);

  await section.getByRole('button', { name: 'Desactivar' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Desactivar' }).click();
  await expect(section.getByRole('button', { name: 'Activar' })).toBeVisible();
});

async function enter(page: Page, { email, password }: { email: string; password: string }) {
  await page.goto('/iniciosesion');
  await page.getByLabel('Correo electrónico').fill(email);
  await page.getByLabel('Contraseña', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Iniciar sesión' }).click();
  await expect(page.getByRole('button', { name: 'Iniciar sesión' })).toBeHidden();
}
