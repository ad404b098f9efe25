import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { signUp } from '../support/demo-company.ts';
import { randomDni } from '../support/random-nif.ts';
import { untilLetGo } from '../support/until-let-go.ts';
import { eventually } from '../support/wait.ts';

const PASSWORD = 'siete tejas y una golondrina';
const COMPANY = 'Obrador Candela, S.L.';

test('pays for a plan, gets the account and its receipt, and renews it from the profile', {
  tag: '@any-width',
}, async ({ page, browser }) => {
  test.setTimeout(180_000);
  const email = await fillTwoSteps(page);

  await test.step('the plans, semiannual first, and the total to pay', async () => {
    await expect(page.getByRole('heading', { name: 'Realiza el pago' })).toBeVisible();
    await expect(page.getByRole('radio', { name: /Semestral/ })).toBeChecked();
    await expect(page.getByText('53,99 €').last()).toBeVisible();
    await page.getByRole('radio', { name: /Anual/ }).check();
    await expect(total(page)).toHaveText(/99,99\s€/);
    await expect(page.getByText('impuestos incluidos')).toBeVisible();
    await expectAccessible(page);
    await page.setViewportSize({ width: 390, height: 844 });
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    expect(overflow, 'on a phone').toBeLessThanOrEqual(0);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  await test.step('going back and reloading keep what was typed, except the password', async () => {
    await page.getByRole('link', { name: 'Volver' }).click();
    await expect(page.getByLabel('Nombre de la empresa')).toHaveValue(COMPANY);
    await page.reload();
    await expect(page.getByLabel('Nombre de la empresa')).toHaveValue(COMPANY);
    await page.getByLabel('Contraseña', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Ir al pago' }).click();
    await expect(page.getByRole('radio', { name: /Anual/ })).toBeChecked();
    await page.getByRole('radio', { name: /Semestral/ }).check();
  });

  await test.step('test mode asks first, and declining stops the payment', async () => {
    await Promise.all([
      page.waitForEvent('dialog').then((dialog) => dialog.dismiss()),
      page.getByRole('button', { name: 'Pagar' }).click(),
    ]);
    await expect(page.getByRole('button', { name: 'Pagar' })).toBeVisible();
    expect(new URL(page.url()).pathname).toBe('/registro/paso3');
  });

  await test.step('the gateway says that it is a simulation', async () => {
    await goToGateway(page);
    await expect(page.getByText(/SIMULACIÓN/)).toBeVisible();
    await expect(page.getByText('Suscripción semestral')).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: /^Pagar 53,99/ }).click();
    await expect(page).toHaveURL(/\/registro\/completado$/);
    await expect(page.getByText(email)).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('the welcome and receipt e-mails arrive', async () => {
    const subjects = await eventually(async () => {
      const answer = await page.request.get(`/desarrollo/correo?para=${email}`);
      const mails = (await answer.json()) as { asunto: string }[];
      return mails.length >= 2 ? mails.map(({ asunto }) => asunto) : undefined;
    });
    expect(subjects).toContainEqual(expect.stringContaining('Tu cuenta de Huella está lista'));
    expect(subjects).toContainEqual(expect.stringMatching(/Hemos recibido tu pago de 53,99/));
  });

  await test.step('the plan is renewed', async () => {
    await page.getByRole('link', { name: 'Iniciar sesión' }).last().click();
    await page.getByLabel('Correo electrónico').fill(email);
    await page.getByLabel('Contraseña', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Iniciar sesión' }).click();
    await expect(page).toHaveURL(/\/panel\/perfil/);
    await page.getByRole('link', { name: 'Renovar la suscripción' }).click();
    await expect(page.getByRole('heading', { name: 'Renovación de suscripción' })).toBeVisible();
    await expect(page.getByText(/Tu plan actual acaba el/)).toBeVisible();
    await expect(page.getByText('Paso 3 de 3')).toHaveCount(0);
    await expect(page.getByRole('link', { name: 'Volver' })).toHaveCount(0);
    await expectAccessible(page);
    // Pressed before the company's data has loaded, it waits for it.
    const { held: late, release: arrive } = untilLetGo();
    await page.route('**/api/GetData/GetDatosEmpresa', async (route) => {
      await late;
      await route.continue();
    });
    await page.reload();
    const going = goToGateway(page);
    await expect(page.getByText('Procesando...')).toBeVisible();
    arrive();
    await going;
    await page.unroute('**/api/GetData/GetDatosEmpresa');
    await page.goBack();
    const monthly = page.getByRole('radio', { name: /Mensual/ });
    await monthly.check();
    await goToGateway(page);
    await page.goBack();
    await expect(monthly, 'who comes back from the bank chose it already').toBeChecked();
    await goToGateway(page);
    await page.getByRole('radio', { name: /Denegar/ }).check();
    await page.getByRole('button', { name: /^Pagar 9,99/ }).click();
    await page.getByRole('link', { name: 'Volver a intentarlo' }).click();
    await expect(monthly).toBeChecked();
    await goToGateway(page);
    await page.getByRole('button', { name: /^Pagar 9,99/ }).click();
    await expect(page.getByRole('heading', { name: 'Suscripción renovada' })).toBeVisible();
    await expectAccessible(page);
    // The bank's app may return to another browser, where nobody is signed in.
    const elsewhere = await (await browser.newContext()).newPage();
    await elsewhere.goto(page.url());
    await expect(elsewhere.getByRole('heading', { name: 'Suscripción renovada' })).toBeVisible();
    await elsewhere.context().close();
    await page.getByRole('link', { name: 'Ir al perfil' }).click();
    await expect(page.getByText('Plan mensual')).toBeVisible();
  });
});

test('a payment denied, cancelled or checked by the bank says what happened, and succeeds at last', {
  tag: '@any-width',
}, async ({ page }) => {
  test.setTimeout(180_000);
  await fillTwoSteps(page);

  await test.step('denied, with the reason and its code', async () => {
    await goToGateway(page);
    await page.getByRole('radio', { name: 'Denegar (código 0190)' }).check();
    await page.getByRole('button', { name: /^Pagar/ }).click();
    await expect(page.getByRole('heading', { name: 'El banco ha denegado el pago' })).toBeVisible();
    await expect(page.getByText(/No se te ha cobrado nada/)).toBeVisible();
    await expect(page.getByText('0190')).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('another try keeps the data, and shows a different reason', async () => {
    await page.getByRole('link', { name: 'Volver a intentarlo' }).click();
    const password = page.getByLabel('Contraseña', { exact: true });
    await expect(password).toHaveAccessibleDescription(/^No guardamos contraseñas: escribe otra/);
    await page.getByRole('button', { name: 'Pagar' }).click();
    // In our words and language, not in those of the browser.
    await expect(page.getByText('Escribe tu contraseña.', { exact: true })).toBeVisible();
    await expect(password).toBeFocused();
    await expectAccessible(page);
    await password.fill(PASSWORD);
    await goToGateway(page);
    await page.getByLabel('Código de seguridad').fill('173');
    await page.getByRole('button', { name: /^Pagar/ }).click();
    await expect(page.getByText('Revisa los datos de la tarjeta.')).toBeVisible();
  });

  await test.step('a third try is cancelled', async () => {
    await page.getByRole('link', { name: 'Volver a intentarlo' }).click();
    await page.getByLabel('Contraseña', { exact: true }).fill(PASSWORD);
    await goToGateway(page);
    await page.getByRole('button', { name: 'Cancelar' }).click();
    await expect(page.getByRole('heading', { name: 'Has cancelado el pago' })).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('a mistyped card number stays on the page, and the bank asks for a code', async () => {
    await page.getByRole('link', { name: 'Volver a intentarlo' }).click();
    await page.getByLabel('Contraseña', { exact: true }).fill(PASSWORD);
    await goToGateway(page);
    await page.getByLabel('Número de tarjeta').fill('4548 8100 0000 0004');
    await page.getByRole('button', { name: /^Pagar/ }).click();
    await expect(page.getByRole('alert')).toHaveText('El número de tarjeta no es correcto.');
    await page.getByLabel('Número de tarjeta').fill('4548 8172 1249 3017');
    await page.getByRole('button', { name: /^Pagar/ }).click();
    await page.getByLabel('Código recibido').fill('123456');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Confirmar' }).click();
    await expect(page).toHaveURL(/\/registro\/completado$/);
  });
});

test('who paid for an account that exists already is told of the refund, and led to sign in', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  test.setTimeout(120_000);
  const email = await fillTwoSteps(page);
  await goToGateway(page);
  const [nif = ''] = email.split('@');
  await signUp(baseURL ?? '', nif.toUpperCase());
  await page.getByRole('button', { name: /^Pagar/ }).click();
  await expect(page.getByRole('heading', { name: 'Te devolvemos el importe' })).toBeVisible();
  await expect(page.getByText(/^Ya existía una cuenta con estos datos/)).toBeVisible();
  await expect(page.getByRole('link', { name: 'Volver a intentarlo' })).toHaveCount(0);
  await expectAccessible(page);
  await page.getByRole('main').getByRole('link', { name: 'Iniciar sesión' }).click();
  await expect(page.getByRole('heading', { name: 'Inicia sesión' })).toBeVisible();
});

test('while the bank has not notified us, the page says so, and then continues automatically', {
  tag: '@any-width',
}, async ({ page }) => {
  test.setTimeout(120_000);
  const email = await fillTwoSteps(page);
  await goToGateway(page);
  // The test triggers the notification itself, so the page can be checked without waiting.
  const pedido = await page.locator('input[name="pedido"]').first().inputValue();
  await page.getByRole('radio', { name: 'Autorizar y no avisar' }).check();
  await page.getByRole('button', { name: /^Pagar/ }).click();
  await expect(page.getByRole('heading', { name: 'Confirmando tu pago' })).toBeVisible();
  await expect(page.getByText('Semestral')).toBeVisible();
  await expectAccessible(page);
  const told = await page.request.post('/desarrollo/redsys/avisar', { data: { pedido } });
  expect(await told.json()).toEqual({ estadoHttp: 200 });
  await expect(page).toHaveURL(/\/registro\/completado$/, { timeout: 60_000 });
  await expect(page.getByText(email)).toBeVisible();
});

test('the result in the return address is enough; without any result, the page confirms nothing', {
  tag: '@any-width',
}, async ({ page }) => {
  test.setTimeout(240_000);
  await fillTwoSteps(page);
  await goToGateway(page);
  await page.getByRole('radio', { name: 'Autorizar y no avisar' }).check();
  await page.getByRole('button', { name: /^Pagar/ }).click();
  await expect(page.getByRole('heading', { name: 'Confirmando tu pago' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Confirmando tu pago' })).toBeVisible();

  await page.goto('/registro');
  await page.evaluate(() => sessionStorage.clear());
  const email = await fillTwoSteps(page);
  await goToGateway(page);
  await page.getByRole('radio', { name: 'Autorizar y no avisar' }).check();
  await page.getByRole('button', { name: 'Cancelar' }).click();
  // The return is not a payment and has no reason, so the page gives none.
  await expect(page.getByRole('heading', { name: 'El pago no se ha completado' })).toBeVisible({
    timeout: 60_000,
  });

  await page.getByRole('link', { name: 'Volver a intentarlo' }).click();
  await page.getByLabel('Contraseña', { exact: true }).fill(PASSWORD);
  await goToGateway(page);
  await page.getByRole('radio', { name: 'Autorizar y avisar solo en la vuelta' }).check();
  await page.getByRole('button', { name: /^Pagar/ }).click();
  await expect(page).toHaveURL(/\/registro\/completado$/, { timeout: 60_000 });
  await expect(page.getByText(email)).toBeVisible();
});

/** Completes steps one and two of the sign-up, up to the plans. @returns the e-mail of the new account */
async function fillTwoSteps(page: Page): Promise<string> {
  const nif = randomDni();
  const email = `${nif.toLowerCase()}@obrador.example`;
  await page.goto('/registro');
  await page.getByLabel('Correo electrónico').fill(email);
  await page.getByLabel('Contraseña', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Repite la contraseña').fill(PASSWORD);
  await page.getByRole('checkbox', { name: /términos y condiciones/ }).check();
  await page.getByRole('button', { name: 'Siguiente' }).click();
  await page.getByLabel('Nombre de la empresa').fill(COMPANY);
  await page.getByLabel('NIF/CIF').fill(nif);
  await page.getByLabel('Dirección').fill('Calle de San Blas, 14');
  await page.getByLabel('Código postal').fill('50003');
  await page.getByRole('button', { name: 'Ir al pago' }).click();
  return email;
}

const total = (page: Page) => page.getByText('Total a pagar').locator('..').locator('strong');

async function goToGateway(page: Page): Promise<void> {
  const [message] = await Promise.all([
    page.waitForEvent('dialog').then(async (dialog) => {
      await dialog.accept();
      return dialog.message();
    }),
    page.getByRole('button', { name: 'Pagar' }).click(),
  ]);
  expect(message).toContain('entorno de pruebas');
  await expect(page.getByRole('heading', { name: 'Pago con tarjeta' })).toBeVisible();
}
