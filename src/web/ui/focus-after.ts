/**
 * A `ref` for what goes away when it is pressed: the focus it had goes to what `next` finds, while it is still in its
 * place. Who works with the keyboard, or is read the page, would begin again at its top.
 *
 * It is made once, outside of what is drawn: with another one at each drawing, each would move the focus.
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
const title = () => inPage('h1');

/** To the title of the screen, as when it opens. */
export const toTitle = focusAfter(title);

/** To the search of the list; by hand to its title, as the keyboard of the screen would come up over the rows. */
export const toSearch = focusAfter(() =>
  matchMedia('(pointer: coarse)').matches ? title() : inPage('[role="searchbox"]'),
);

/** To the first box to tick, that of the whole page where there is one. */
export const toTicks = focusAfter(() => inPage('input[type="checkbox"]') ?? title());

/** To the title of its section. */
export const toSection = focusAfter((gone) => gone.closest('section')?.querySelector('h2'));
