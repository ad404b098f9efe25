import type { Page } from '@playwright/test';
import { type DemoCompany, signIn, signUp } from './demo-company.ts';
import { openFullCompany } from './full-company.ts';
import { randomCompanyNif } from './random-nif.ts';

/** Puts a session into the page's storage once: a session that ends stays ended. */
export async function enter(page: Page, token: string): Promise<void> {
  await page.addInitScript({
    content: `if (!sessionStorage.getItem('pruebas.dentro')) {
      sessionStorage.setItem('pruebas.dentro', 'sí');
      localStorage.setItem('authToken', ${JSON.stringify(token)});
    }`,
  });
}

/** Creates a company with certificate, clients and products, and signs this page in to it. */
export async function enterFullCompany(page: Page, baseURL: string | undefined, invoices = 0) {
  const company = await openFullCompany(baseURL ?? '', randomCompanyNif(), { invoices });
  await enter(page, company.token);
  return company;
}

/** Creates a company that has just signed up, and signs this page in to it. */
export async function enterNewCompany(
  page: Page,
  baseURL: string | undefined,
): Promise<DemoCompany & { readonly token: string }> {
  const company = await signUp(baseURL ?? '', randomCompanyNif());
  const token = await signIn(baseURL ?? '', company);
  await enter(page, token);
  return { ...company, token };
}
