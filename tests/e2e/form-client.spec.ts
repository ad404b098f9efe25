import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { enterFullCompany } from '../support/signed-in.ts';

test('a draft is reckoned with the group that its client has today', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  const { token } = await enterFullCompany(page, baseURL);
  await post(page, token, 'UpdateClientes', { No: 'C00004', CustomerPostingGroup: 'NACRE' });
  await page.goto('/panel/pendientes?editar=B-1');
  // 132 × 32,00 at 21 % + 5,2 %, and 2 × 38,00 at 10 % + 1,4 %: 4.300,00 + 894,64 + 220,71.
  const total = page.getByRole('region', { name: 'Registrar la factura' }).getByText('5.415,35');
  await expect(total).toBeVisible();
  await page.getByRole('button', { name: 'Reenviar factura corregida' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('5.415,35');
  await dialog.getByRole('button').last().click();
  await expect(page.getByText(/^Registrada, eslabón/)).toBeVisible();
  await expect(page.getByText('5.415,35').first()).toBeVisible();

  await test.step('and reloading the receipt shows it again', async () => {
    await page.reload();
    await expect(page.getByText(/^Registrada, eslabón/)).toBeVisible();
    await expect(page.getByText('5.415,35').first()).toBeVisible();
  });
});

test('an invoice of a client that was deleted shows to whom it goes', async ({ page, baseURL }) => {
  const { token } = await enterFullCompany(page, baseURL, 1);
  const name = 'Cafetería La Plaza, S.L.';
  await post(page, token, 'DeleteCliente', { No: 'C00004' });
  await page.goto('/panel/pendientes?editar=B-1');
  const client = page.getByRole('combobox', { name: 'Cliente', exact: true });
  await expect(client).toHaveValue(name);
  await expect(page.getByText('Ya no está en tus clientes.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Editar ficha' })).toBeHidden();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Reenviar factura corregida' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText(`${name} (ya no está en tus clientes)`);
  await dialog.getByRole('button').last().click();
  await expect(page.getByText(/^Registrada, eslabón/)).toBeVisible();

  await test.step('and so does what is made from it', async () => {
    await post(page, token, 'DeleteCliente', { No: 'C00002' });
    const rows = await page.request.get('/api/GetData/GetInvoices', {
      headers: { authorization: `Bearer ${token}` },
    });
    const [{ DocNo }] = (await rows.json()) as [{ DocNo: string }];
    await page.goto(`/panel/crear?rectificar=${encodeURIComponent(DocNo)}`);
    await expect(client).toHaveValue(/^(Hoteles y Apartamentos|Cafetería La Plaza)/);
    await expect(page.getByText('Ya no está en tus clientes.')).toBeVisible();
    await client.click();
    await client.fill('Colegio');
    await page.getByRole('option', { name: /^Colegio San Isidro/ }).click();
    await expect(page.getByText('Ya no está en tus clientes.')).toBeHidden();
  });
});

async function post(page: Page, token: string, call: string, data: object): Promise<unknown> {
  const answer = await page.request.post(`/api/PostData/${call}`, {
    headers: { authorization: `Bearer ${token}` },
    data,
  });
  expect(answer.status(), await answer.text()).toBe(200);
  return answer.json();
}
