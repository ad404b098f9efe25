const RELOADED_AT = 'huella.recargada';
/** A second failure this soon after reloading is not due to an old version: reloading again would not help. */
const AGAIN_MS = 15_000;

let destination: () => string | undefined = () => undefined;

/** Registers where the user is going, which the browser does not know until they arrive. */
export function reloadTowards(path: () => string | undefined): void {
  destination = path;
}

/** The code of a screen could not be loaded because nobody answers: it will be once the connection is back. */
export class ConnectionLostError extends Error {
  override readonly name = 'ConnectionLostError';
}

/**
 * Loads a module. If that fails, a new version has probably replaced its file: the page reloads, once, at the address
 * to which the user was going.
 *
 * @throws {ConnectionLostError} when nobody answers there: reloading would show the browser's own error page
 * @throws the error of the import, when reloading has just been tried
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
      return new Promise<never>(() => {}); // The page is reloading: nothing else is drawn.
    }
  };
}

/**
 * The same for what opens over a screen: menus, dialogs, toasts. It is loaded in an idle moment after the user first
 * touches the page, so that it opens at once, even without a connection. If that fails, it is loaded when needed.
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
    else setTimeout(then, 200); // Safari lacks that function.
  };
  for (const touch of TOUCHES) window.addEventListener(touch, touched, true);
}

/** Whether the page at this address, or the current one, could be loaded. */
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
    return false; // Without storage, a first failure cannot be told from a loop.
  }
}
