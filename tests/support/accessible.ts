import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';

/** Of axe, as text, because this folder's types know no browser: weak maps that keep each value on its key. */
const ON_KEYS = `class {
  #own = Symbol();
  get(key) { return key[this.#own]; }
  has(key) { return this.#own in key; }
  set(key, value) { key[this.#own] = value; return this; }
  add(key) { return this.set(key, true); }
}`;

/** Each text of a colour is read once: a screen has a few, on hundreds of elements. */
const READ_COLOURS_ONCE = `{
  const known = new Map();
  const { prototype } = axe.commons.color.Color;
  const { parseString } = prototype;
  prototype.parseString = function (text) {
    if (known.has(text)) return Object.assign(this, known.get(text));
    parseString.call(this, text);
    const { r, g, b, alpha } = this;
    known.set(text, { r, g, b, alpha });
    return this;
  };
}`;

/** In ASCII alone: for seven other characters the browser would keep, hand over and read all of it at twice the size. */
const AXE_TEXT = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
).replace(
  /[^\0-\x7f]/g,
  (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
);

/**
 * Loaded once per document, because its text is half a megabyte. None of our screens has frames.
 *
 * As it comes, axe spends half its time on colours: each is an object whose private fields were compiled to weak maps,
 * which keep the garbage collector busy, and is read from its text for each element. Its results are the same without.
 */
const AXE = `((WeakMap, WeakSet) => {
  ${AXE_TEXT}
})(...Array(2).fill(${ON_KEYS}));
${READ_COLOURS_ONCE}
axe.configure({ noHtml: true }); // Of every element looked at: \`violationsOf\` writes those found.`;

/**
 * Checks WCAG 2.2 AA and best practices on the current screen or, while one covers it, on the dialog alone: nobody can
 * use what is under it, and axe would spend most of its time there. If something is found it checks again: meanwhile an
 * answer may have changed the screen, and contrast is wrong during a transition.
 *
 * @param but selector of what is taken out meanwhile because it repeats what is checked, e.g. fifty equal blocks: what
 *   axe is only told to skip still costs it most of its time
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
  // Only violations are reported, with little about each element: the rest takes most of the time.
  const options = { resultTypes: ['violations'], selectors: false, elementRef: true };
  return page.evaluate(`(async () => {
    const repeated = ${but ? `[...document.querySelectorAll(${JSON.stringify(but)})]` : '[]'};
    const places = repeated.map((element) => {
      const place = document.createComment('');
      element.replaceWith(place);
      return place;
    });
    try {
      const dialogs = [...document.querySelectorAll('[aria-modal=true]')];
      const checked = dialogs.findLast((dialog) => dialog.checkVisibility()) ?? 'html';
      const { violations } = await axe.run(checked, ${JSON.stringify(options)});
      return violations.flatMap(({ id, nodes }) =>
        nodes.map(({ element }) => id + ': ' + element.outerHTML.slice(0, 300)));
    } finally {
      places.forEach((place, index) => place.replaceWith(repeated[index]));
    }
  })()`);
}

/** Elements that are still moving have no final contrast. As text, because this folder's types know no browser. */
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
