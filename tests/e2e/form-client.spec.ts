import { expect, type Page, test } from '@playwright/test';
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
});

async function post(page: Page, token: string, call: string, data: object): Promise<unknown> {
  const answer = await page.request.post(`/api/PostData/${call}`, {
    headers: { authorization: `Bearer ${token}` },
    data,
  });
  expect(answer.status(), await answer.text()).toBe(200);
  return answer.json();
}
