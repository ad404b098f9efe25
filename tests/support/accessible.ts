import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

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
  // The other mode ends in a page of its own, and the browser then holds this one for hidden: it
  // draws no more frames, and waiting for one is waiting for ever.
  // Of what is well nothing is told: naming every element of it takes most of the time.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
  if (but) axe.exclude(but);
  const { violations } = await axe.analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html}`));
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
