/**
 * The only script of the landing page. Without it everything is readable and every link works. It lays out what is
 * below the first screen after that has been painted with its font, folds the menu after a choice, and unfolds the
 * legal bar on a narrow screen.
 */
addEventListener('load', () => requestAnimationFrame(() => setTimeout(layOutWhole)));

function layOutWhole(): void {
  delete document.documentElement.dataset.firstPaint;
  // Only now does everything above the target of the address have its final height.
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
