import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';

/** Once in each document is enough: its text is half a megabyte. None of our screens has frames. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * WCAG 2.2 AA and best practices, on the screen as it stands. Looked at once more when something was found: while it
 * was, an answer may have come that changed the screen, and what changes has not its contrast yet.
 *
 * @param but a selector of what is not looked at, because it is more of what is: fifty blocks of one shape
 */
export async function expectAccessible(
  page: Page,
  { but }: { readonly but?: string | undefined } = {},
): Promise<void> {
  const found = await violationsOf(page, but);
  const remains = found.length > 0 ? await violationsOf(page, but) : found;
  expect(remains, `axe on ${page.url()}`).toEqual([]);
}

async function violationsOf(page: Page, but: string | undefined): Promise<string[]> {
  await settle(page);
  if (!(await page.evaluate(`'axe' in globalThis`))) await page.evaluate(AXE);
  // Of what is well nothing is told, and of an element only its text: the rest is most of the time.
  const options = { resultTypes: ['violations'], selectors: false };
  const context = { include: [['html']], exclude: but ? [[but]] : [] };
  return page.evaluate(`axe
    .run(${JSON.stringify(context)}, ${JSON.stringify(options)})
    .then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))`);
}

/** What moves in has not its contrast yet. Text, because this folder's types know no browser. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(`Promise.race([
    Promise.allSettled(
      document
        .getAnimations()
        .filter(({ playState, effect }) =>
          playState === 'running' && effect?.getComputedTiming().iterations !== Infinity)
        .map(({ finished }) => finished),
    ),
    new Promise((resolve) => setTimeout(resolve, 1_000)),
  ]).then(() => undefined)`);
}
