import { expect, test } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { giveCertificate } from '../support/demo-company.ts';
import { AGAIN } from '../support/fetch-again.ts';
import { goWithin } from '../support/go-within.ts';
import { enterNewCompany } from '../support/signed-in.ts';

/** From the profile to the invoices imported from the ERP, including a wrong secret. */
test('connects Business Central, maps its VAT codes and imports its invoices', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  test.setTimeout(180_000);
  const { token, nif } = await enterNewCompany(page, baseURL);
  await giveCertificate(baseURL ?? '', token, nif);

  await test.step('the profile links to the connection page', async () => {
    await page.goto('/panel/perfil#integraciones');
    await page.getByRole('link', { name: 'Conectar Business Central' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Business Central' })).toBeVisible();
  });

  await test.step('missing data and a wrong secret are reported', async () => {
    await page.getByRole('button', { name: 'Buscar empresas' }).click();
    await expect(page.getByText('Escribe el inquilino.')).toBeVisible();
    const tenant = page.getByLabel('Inquilino');
    await tenant.fill('https://empresa.example');
    await page.getByRole('button', { name: 'Buscar empresas' }).click();
    await expect(tenant).toBeFocused();
    await expect(tenant).toHaveAccessibleDescription(/El inquilino es un identificador como/);
    await page.getByRole('button', { name: 'Rellenar con datos de prueba' }).click();
    await expect(tenant).not.toHaveValue('https://empresa.example');
    const secret = page.getByLabel('Secreto', { exact: true });
    const right = await secret.inputValue();
    await secret.fill('otro');
    const size = page.viewportSize();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('button', { name: 'Buscar empresas' }).click();
    await expect(page.getByRole('alert')).toContainText('El secreto no es correcto');
    // Also on a phone, where it is below the buttons: it comes into sight, above the footer.
    await expect
      .poll(async () => {
        const notice = await page.getByRole('alert').boundingBox();
        const footer = await page.getByRole('contentinfo').boundingBox();
        return (footer?.y ?? 0) - (notice?.y ?? 0) - (notice?.height ?? 0);
      })
      .toBeGreaterThan(0);
    await expectAccessible(page);
    if (size) await page.setViewportSize(size);
    await secret.fill(right);
  });

  await test.step('the company is chosen from a list', async () => {
    await page.getByRole('button', { name: 'Buscar empresas' }).click();
    await expect(page.getByRole('combobox', { name: 'Empresa' })).toHaveValue(/Arga, S\.L\./);
    await page.getByRole('textbox', { name: 'Traer facturas desde el' }).fill('01/01/2020');
    // The calendar closes when the field loses focus.
    await page.keyboard.press('Tab');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Guardar conexión' }).click();
    await expect(page.getByText('Falta activarla')).toBeVisible();
  });

  await test.step('the connection is tested', async () => {
    await page.getByRole('button', { name: 'Probar conexión' }).click();
    await expect(page.getByText('Podemos leer facturas y abonos')).toBeVisible();
    await expect(page.getByRole('img', { name: 'Correcto' })).toHaveCount(3);
    await expect(page.getByText('Business Central no dice su NIF')).toBeVisible();
  });

  await test.step('each VAT code is mapped to one of ours', async () => {
    await expect(page.getByText('Propuesto').first()).toBeVisible();
    await expect(page.getByText(/^8\scódigos .*: las facturas que los lleven/)).toBeVisible();
    // Codes of exempt national customers are not guessed; there are none here.
    await page.getByRole('button', { name: 'Confirmar códigos de IVA' }).click();
    await expect(page.getByRole('button', { name: 'Guardar códigos de IVA' })).toBeDisabled();
    await expectAccessible(page);
  });

  await test.step('on a phone, a long name of an IVA is told in full below its field', async () => {
    const name = 'IVA general 21 % de una operación con inversión del sujeto pasivo';
    const call = '**/GetBusinessCentralIVA';
    await page.route(call, async (route) => {
      const response = await route.fetch(AGAIN);
      const [code] = await response.json();
      const opciones = [{ value: code.tax, label: name }];
      await route.fulfill({ response, json: [{ ...code, opciones }] });
    });
    const size = page.viewportSize();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.reload();
    await expect(page.getByText(name)).toBeVisible();
    await page.unroute(call);
    if (size) await page.setViewportSize(size);
    await page.reload();
    await expect(page.getByRole('button', { name: 'Guardar códigos de IVA' })).toBeDisabled();
  });

  await test.step('a statement must be confirmed before the first synchronisation', async () => {
    const start = page.getByRole('button', { name: 'Activar y sincronizar' });
    await start.click();
    await expect(page.getByText('Confírmalo para activar la conexión.')).toBeVisible();
    await page.getByLabel(/VERI\*FACTU está desactivado en Business Central/).check();
    await start.click();
    const history = page.getByRole('region', { name: 'Historial de sincronizaciones' });
    await expect(history.getByText('Terminada').first()).toBeVisible({ timeout: 60_000 });
    await expect(history.getByText(/40\s+facturas nuevas/)).toBeVisible();
    // Credit memos wait until the invoices that they correct are registered.
    await expect(page.getByRole('heading', { name: 'Por resolver' })).toBeVisible();
    await expect(page.getByText(/Rectifica la factura FV\d\d-00001/)).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('cards that fail to load say so, and can be retried', async () => {
    const calls = ['**/GetBusinessCentralIVA', '**/GetBusinessCentralProblemas'];
    for (const call of calls) {
      await page.route(call, (route) =>
        route.fulfill({ status: 500, json: { message: 'No ha podido ser.' } }),
      );
    }
    await page.reload();
    const taxes = page.getByRole('region', { name: 'Códigos de IVA' });
    const problems = page.getByRole('region', { name: 'Por resolver' });
    await expect(taxes.getByText('No hemos podido consultar tus códigos de IVA')).toBeVisible();
    await expect(
      problems.getByText('No hemos podido consultar lo que está por resolver'),
    ).toBeVisible();
    await expectAccessible(page);
    for (const call of calls) await page.unroute(call);
    await taxes.getByRole('button', { name: 'Intentar nuevamente' }).click();
    await expect(taxes.getByText(/Ver o cambiar/)).toBeVisible();
    await problems.getByRole('button', { name: 'Intentar nuevamente' }).click();
    await expect(problems.getByText(/Rectifica la factura FV\d\d-00001/)).toBeVisible();
  });

  await test.step('a second synchronisation finds nothing new', async () => {
    await page.getByRole('button', { name: 'Sincronizar ahora' }).click();
    await expect(page.getByText('Sin novedades').first()).toBeVisible({ timeout: 60_000 });
  });

  await test.step('the screens are accessible in the dark scheme too', async () => {
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectAccessible(page);
    await goWithin(page, '/panel/perfil');
    await expect(page.getByText(/Arga, S\.L\. · sincronizada/)).toBeVisible();
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme: 'light' });
  });

  await test.step('the drafts are among the pending invoices and stay after disconnecting', async () => {
    await page.getByRole('link', { name: 'Abrir Business Central' }).click();
    await page.getByRole('button', { name: 'Desconectar' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Desconectar' }).click();
    await expect(page.getByRole('heading', { name: 'Conecta tu Business Central' })).toBeVisible();
    await goWithin(page, '/panel/pendientes');
    await expect(page.getByRole('button', { name: /Registrar todas \(40\)/ })).toBeVisible();
  });
});
