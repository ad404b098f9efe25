/**
 * The only script of the landing. Without it everything reads and every link leads where it says:
 * it lays out what is below the first screen once that one is painted with its typeface, folds the menu after a choice,
 * and unfolds the legal bar on a narrow screen.
 */
addEventListener('load', () => requestAnimationFrame(() => setTimeout(layOutWhole)));

function layOutWhole(): void {
  delete document.documentElement.dataset.firstPaint;
  // What is above the block that the address names has its true height only now.
  if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
}

const menu = document.querySelector<HTMLDetailsElement>('header details');

if (menu) {
  document.addEventListener('click', ({ target }) => {
    const summary = menu.querySelector('summary');
    if (target instanceof Node && !summary?.contains(target)) menu.open = false;
  });
  menu.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape') return;
    menu.open = false;
    menu.querySelector('summary')?.focus();
  });
}

for (const button of document.querySelectorAll('button[aria-controls]')) {
  button.addEventListener('click', () => {
    const panel = document.getElementById(button.getAttribute('aria-controls') ?? '');
    if (!panel) return;
    panel.hidden = !panel.hidden;
    button.setAttribute('aria-expanded', String(!panel.hidden));
  });
}
