import { expect, type Page, test } from '@playwright/test';
import { enterFullCompany } from '../support/signed-in.ts';

interface Row {
  readonly No: string;
  readonly Name: string;
}

test('saving a client, a product or the defaults keeps what somebody else has changed', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  test.setTimeout(180_000);
  const { token } = await enterFullCompany(page, baseURL);
  const headers = { authorization: `Bearer ${token}` };
  const read = async <T>(call: string) =>
    (await (await page.request.get(`/api/GetData/${call}`, { headers })).json()) as T;
  const change = async (call: string, data: Record<string, string>) =>
    expect((await page.request.post(`/api/PostData/${call}`, { headers, data })).ok()).toBe(true);
  const rowOf = async (call: string, name: string) => {
    const found = (await read<Row[]>(call)).find(({ Name }) => Name === name);
    if (!found) throw new Error(`There is no ${name}.`);
    return found;
  };

  await test.step('a client', async () => {
    const { No } = await rowOf('GetClientes', 'Ana Beltrán Ruiz');
    const form = await edit(page, '/panel/clientes', 'Ana Beltrán Ruiz');
    await form.getByLabel('Dir. facturación').fill('Calle Nueva, 1');
    await change('UpdateClientes', { No, Email: 'ana@ejemplo.es', postCode: '28020' });
    // Also after reloading, with the form restored over the new list.
    await page.reload();
    await expect(form.getByLabel('Dir. facturación')).toHaveValue('Calle Nueva, 1');
    await form.getByRole('button', { name: 'Guardar' }).click();
    await expect(page.getByText('«Ana Beltrán Ruiz» está guardado.')).toBeVisible();
    expect(await rowOf('GetClientes', 'Ana Beltrán Ruiz')).toMatchObject({
      Address: 'Calle Nueva, 1',
      Email: 'ana@ejemplo.es',
      postCode: '28020',
    });
  });

  await test.step('a product', async () => {
    const { No } = await rowOf('GetProductos', 'Taller de pan');
    const form = await edit(page, '/panel/productos', 'Taller de pan');
    await form.getByLabel('Nombre').fill('Taller de panes');
    await change('UpdateProductos', { No, UnitPrice: '40,5' });
    await form.getByRole('button', { name: 'Guardar' }).click();
    await expect(page.getByText('«Taller de panes» está guardado.')).toBeVisible();
    expect(await rowOf('GetProductos', 'Taller de panes')).toMatchObject({
      UnitPrice: 40.5,
      UnitOfMeasure: 'HORA',
    });
  });

  await test.step('the defaults', async () => {
    await page.goto('/panel/perfil#facturacion');
    const terms = page.getByRole('combobox', { name: 'Término pago' });
    await expect(terms).toHaveValue(/.+/);
    await change('SetDatosEmpresa3', { PaymentMethod: 'TARJETA' });
    await terms.click();
    await page.getByRole('option', { name: '60 días fecha factura', exact: true }).click();
    await expect(page.getByText('Guardado', { exact: true })).toBeVisible();
    expect(await read('GetDatosEmpresa')).toMatchObject({
      PaymentTerms: '60D',
      PaymentMethod: 'TARJETA',
    });
  });
});

async function edit(page: Page, path: string, name: string) {
  await page.goto(path);
  await page.getByRole('searchbox').fill(name);
  await expect(page.getByText(/^1 (cliente|factura|producto)$/)).toBeVisible();
  await page.getByRole('button', { name: 'Editar' }).click();
  return page.getByRole('form', { name: `Editar ${name}` });
}
