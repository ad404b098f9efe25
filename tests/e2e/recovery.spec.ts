import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { signIn, signUp } from '../support/demo-company.ts';
import { randomDni } from '../support/random-nif.ts';
import { eventually } from '../support/wait.ts';

const NEW_PASSWORD = 'cuatro hogazas en la repisa';

test('recovers the account using only the keyboard, and ends the open sessions', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  test.setTimeout(120_000);
  const company = await signUp(String(baseURL), randomDni());
  const oldToken = await signIn(String(baseURL), company);
  await page.goto('/iniciosesion');
  await page.getByRole('link', { name: '¿Has olvidado tu contraseña?' }).press('Enter');

  await test.step('1: the e-mail', async () => {
    await expect(page.getByRole('heading', { name: 'Recuperar contraseña' })).toBeFocused();
    await expect(page.getByText('Te enviaremos un código de recuperación')).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Solicitar código' }).press('Enter');
    await expect(page.getByText('Escribe tu correo electrónico.')).toBeVisible();
    await expect(page.getByLabel('Correo electrónico')).toBeFocused();
    await page.keyboard.type(company.email);
    await expect(page.getByText('Escribe tu correo electrónico.')).toBeHidden();
    await page.keyboard.press('Enter');
    await expect(page.getByText('Te hemos enviado un código al correo.')).toBeVisible();
  });

  await test.step('2: the code, first a wrong one, then pasted with its blank', async () => {
    const code = await codeOf(page, company.email);
    const wrong = code === '000 000' ? '111111' : '000000';
    const field = page.getByLabel('Código de verificación');
    await expectAccessible(page);
    await field.press('Enter');
    await expect(page.getByText('Escribe las seis cifras del código.')).toBeVisible();
    await field.fill(wrong);
    await expect(page.getByText('Escribe las seis cifras del código.')).toBeHidden();
    await field.press('Enter');
    const dialog = page.getByRole('alertdialog', { name: 'Ha habido un error' });
    await expect(dialog).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Cerrar' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(dialog).toBeHidden();
    await field.fill(code);
    await field.press('Enter');
    await expect(page.getByText('El código es válido. Introduce nueva contraseña')).toBeVisible();
  });

  await test.step('3: the new password, typed twice alike and not a common one', async () => {
    const password = page.getByLabel('Nueva contraseña');
    const repeat = page.getByLabel('Repite la contraseña');
    await password.fill('corta');
    await repeat.fill(`${NEW_PASSWORD}s`);
    await repeat.press('Enter');
    await expect(page.getByText('Las contraseñas no coinciden.')).toBeVisible();
    const tooShort = page.getByText('La contraseña debe tener de 8 a 128 caracteres.');
    await expect(tooShort).toBeVisible();
    await expect(password).toBeFocused();
    await expectAccessible(page);
    await password.fill(NEW_PASSWORD);
    await expect(tooShort).toBeHidden();
    await repeat.press('Enter');
    await expect(page.getByText('Las contraseñas no coinciden.')).toBeVisible();
    await password.fill('contraseña');
    await expect(page.getByText('Las contraseñas no coinciden.')).toBeHidden();
    await repeat.fill('contraseña');
    await repeat.press('Enter');
    const dialog = page.getByRole('alertdialog');
    await expect(dialog).toBeVisible();
    await page.keyboard.press('Escape');
    await password.fill(NEW_PASSWORD);
    await repeat.fill(NEW_PASSWORD);
    await repeat.press('Enter');
    await expect(page.getByText('Contraseña cambiada con éxito.')).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('4: the new password signs in, old sessions are over, and an e-mail tells the owner', async () => {
    const old = await page.request.get('/api/GetData/GetDatosEmpresa', {
      headers: { authorization: `Bearer ${oldToken}` },
    });
    expect(old.status()).toBe(401);
    const told = await eventually(async () =>
      (await mailsOf(page, company.email)).find(({ asunto }) => asunto.includes('ha cambiado')),
    );
    expect(told.texto).not.toContain(NEW_PASSWORD);
    await page.getByRole('link', { name: 'Iniciar sesión' }).last().press('Enter');
    await expect(page.getByLabel('Correo electrónico')).toHaveValue(company.email);
    await page.getByLabel('Contraseña', { exact: true }).fill(NEW_PASSWORD);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/panel\//);
  });
});

test('the e-mail typed to sign in need not be typed again to recover the password', {
  tag: '@any-width',
}, async ({ page }) => {
  const email = `nadie-${randomDni()}@ejemplo.es`;
  await page.goto('/iniciosesion');
  await page.getByLabel('Correo electrónico').fill(email);
  await page.getByRole('link', { name: '¿Has olvidado tu contraseña?' }).click();
  await expect(page.getByRole('heading', { name: 'Recuperar contraseña' })).toBeFocused();
  await expect(page.getByLabel('Correo electrónico')).toHaveValue(email);
  await page.getByRole('button', { name: 'Solicitar código' }).click();
  await expect(page.getByText(`Lo hemos enviado a ${email}.`)).toBeVisible();
});

test('a code that expires while the password is thought up: another one is asked for', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  test.setTimeout(120_000);
  const { email } = await signUp(String(baseURL), randomDni());
  await page.goto('/recuperar-contrasena');
  await page.getByLabel('Correo electrónico').fill(email);
  await page.keyboard.press('Enter');
  const field = page.getByLabel('Código de verificación');
  await field.fill(await codeOf(page, email));
  await field.press('Enter');
  const isValid = page.getByText('El código es válido.');
  await expect(isValid).toBeVisible();
  const password = page.getByLabel('Nueva contraseña');
  await password.fill(NEW_PASSWORD);
  // A newer code replaces it.
  await page.request.post('/api/Auth/ForgotPassword', {
    data: { Email: email, Code: '', NewPassword: '' },
  });
  await page.getByLabel('Repite la contraseña').fill(NEW_PASSWORD);
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('alertdialog');
  await expect(dialog.getByText('El código ya no es válido. Pide otro.')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(isValid).toBeHidden();
  await page.getByRole('button', { name: 'Pedir otro código' }).press('Enter');
  await expect(page.getByLabel('Correo electrónico')).toHaveValue(email);
});

test('an e-mail without an account gets the same answer', { tag: '@any-width' }, async ({
  page,
}) => {
  await page.goto('/recuperar-contrasena');
  await page.getByLabel('Correo electrónico').fill(`nadie-${randomDni()}@ejemplo.es`);
  await page.getByRole('button', { name: 'Solicitar código' }).click();
  await expect(page.getByText('Te hemos enviado un código al correo.')).toBeVisible();
  await expect(page.getByText('Valida tu código de verificación.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Iniciar sesión' }).last()).toBeVisible();
});

test('another code: says that it was sent, and the keyboard is where it is typed', {
  tag: '@any-width',
}, async ({ page }) => {
  await page.clock.install();
  await page.goto('/recuperar-contrasena');
  await page.getByLabel('Correo electrónico').fill(`nadie-${randomDni()}@ejemplo.es`);
  await page.keyboard.press('Enter');
  const field = page.getByLabel('Código de verificación');
  await field.fill('123');
  const again = page.getByRole('button', { name: 'Enviar otro código' });
  // Each second of the minute begins when the last one has been drawn.
  while (!(await again.isVisible())) await page.clock.fastForward(1_000);
  await again.press('Enter');
  await expect(page.getByRole('status').getByText('Te hemos enviado otro código')).toBeVisible();
  await expect(again).toBeHidden();
  await expect(field).toBeFocused();
  await expect(field).toHaveValue('');
});

interface Mail {
  readonly asunto: string;
  readonly texto: string;
}

async function mailsOf(page: Page, email: string): Promise<Mail[]> {
  return (await page.request.get(`/desarrollo/correo?para=${email}`)).json();
}

async function codeOf(page: Page, email: string): Promise<string> {
  return eventually(async () => {
    const mails = await mailsOf(page, email);
    return mails.flatMap(({ asunto }) => /^\d{3} \d{3}/.exec(asunto)?.[0] ?? [])[0];
  });
}
