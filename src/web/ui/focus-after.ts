/**
 * A `ref` for an element that disappears when it is pressed: its focus moves to what `next` finds while the element
 * is still in place. Otherwise users of keyboards and screen readers would start again at the top of the page.
 *
 * It is created once, outside components: with a new one for each render, each would move the focus.
 */
function focusAfter(next: (gone: HTMLElement) => HTMLElement | null | undefined) {
  return (shown: HTMLElement | null) => {
    if (!shown) return undefined;
    return () => {
      if (shown.contains(document.activeElement)) next(shown)?.focus({ preventScroll: true });
    };
  };
}

const inPage = (selector: string) => document.querySelector<HTMLElement>(`main ${selector}`);

/** The title of the screen, which takes the focus when what had it is gone. */
export const screenTitle = () => inPage('h1');

/** To the title of the screen, as when it opens. */
export const toTitle = focusAfter(screenTitle);

/**
 * To the search field of the list; on touch screens to its title, because the on-screen keyboard would cover the
 * rows.
 */
export const toSearch = focusAfter(() =>
  matchMedia('(pointer: coarse)').matches ? screenTitle() : inPage('[role="searchbox"]'),
);

/** To the first checkbox, that of the whole page if there is one. */
export const toTicks = focusAfter(() => inPage('input[type="checkbox"]') ?? screenTitle());

/** To the title of its section. */
export const toSection = focusAfter((gone) => gone.closest('section')?.querySelector('h2'));
