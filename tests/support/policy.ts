import { expect, type Page } from '@playwright/test';

/**
 * Watches what the browser blocks because of the page's policy.
 *
 * @returns a function that fails if it blocked anything
 */
export function watchPolicy(page: Page): () => void {
  const refused: string[] = [];
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) refused.push(message.text());
  });
  return () => expect(refused, 'refused by the policy').toEqual([]);
}
