const RELOADED_AT = 'huella.recargada';
/** A second failure this soon after reloading is not an old version: reloading again is useless. */
const AGAIN_MS = 15_000;

let destination: () => string | undefined = () => undefined;

/** Tells where the person was going, which the browser does not know until they arrive. */
export function reloadTowards(path: () => string | undefined): void {
  destination = path;
}

/** The code of a screen did not come because nobody answers: it will when the connection is back. */
export class ConnectionLostError extends Error {
  override readonly name = 'ConnectionLostError';
}

/**
 * Loads a module. When it cannot be had, a new version has most likely replaced its file: the page
 * reloads, once, at the address the person was going to.
 *
 * @throws {ConnectionLostError} when nothing answers there: reloading would leave the browser's own page
 * @throws the failure of the import, when reloading has just been tried
 */
export function loadModule<Module>(load: () => Promise<Module>): () => Promise<Module> {
  return async () => {
    try {
      return await load();
    } catch (error) {
      const path = destination();
      if (!(await pageAnswers(path))) throw new ConnectionLostError(String(error));
      if (!mayReload()) throw error;
      if (path === undefined) window.location.reload();
      else window.location.assign(path);
      return new Promise<never>(() => {}); // The page goes away: nothing else is drawn.
    }
  };
}

/**
 * The same for what opens over a screen: menus, dialogs, toasts. It is fetched in a pause once the person touches the
 * page, so that it opens at once, and without a connection too. If it does not come then, it is fetched when wanted.
 */
export function loadAhead<Module>(load: () => Promise<Module>): () => Promise<Module> {
  afterFirstTouch(() => void load().catch(() => undefined));
  return loadModule(load);
}

const TOUCHES = ['pointerdown', 'keydown'] as const;

function afterFirstTouch(then: () => void): void {
  const touched = () => {
    for (const touch of TOUCHES) window.removeEventListener(touch, touched, true);
    if ('requestIdleCallback' in window) window.requestIdleCallback(then);
    else setTimeout(then, 200); // Safari has no such call.
  };
  for (const touch of TOUCHES) window.addEventListener(touch, touched, true);
}

/** Whether the page at this address, or the one that is open, would come if it were asked for. */
export async function pageAnswers(path = window.location.href): Promise<boolean> {
  try {
    return (await fetch(path, { method: 'HEAD', cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}

function mayReload(): boolean {
  try {
    const last = Number(sessionStorage.getItem(RELOADED_AT) ?? 0);
    if (Date.now() - last < AGAIN_MS) return false;
    sessionStorage.setItem(RELOADED_AT, String(Date.now()));
    return true;
  } catch {
    return false; // Without storage there is no telling a first time from a loop.
  }
}
