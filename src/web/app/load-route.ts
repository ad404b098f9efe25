const RELOADED_AT = 'huella.recargada';
/** A second failure this soon after reloading is not an old version: reloading again is useless. */
const AGAIN_MS = 15_000;

/**
 * Loads the module of a route. When it cannot be had, a new version has most likely replaced its
 * file: the page reloads, once.
 *
 * @throws the failure of the import, when reloading has just been tried
 */
export function loadRoute<Module>(load: () => Promise<Module>): () => Promise<Module> {
  return async () => {
    try {
      return await load();
    } catch (error) {
      if (!mayReload()) throw error;
      window.location.reload();
      return new Promise<never>(() => {}); // The page goes away: nothing else is drawn.
    }
  };
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
