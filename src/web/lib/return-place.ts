import { PATHS } from './paths.ts';

const PLACE = 'huella.volver';

/** Remembers where the user was when the session ended, for this tab only. */
export function rememberPlace(path: string): void {
  try {
    sessionStorage.setItem(PLACE, path);
  } catch {
    // Without storage the sign-in goes to the panel's first screen.
  }
}

/** Whether signing in again leads to exactly that path. */
export function leadsBackTo(path: string): boolean {
  try {
    return sessionStorage.getItem(PLACE) === path;
  } catch {
    return false;
  }
}

/** Takes that place, once: a path of the panel, the renewal, or null. */
export function takePlace(): string | null {
  try {
    const path = sessionStorage.getItem(PLACE);
    sessionStorage.removeItem(PLACE);
    return path?.startsWith(PATHS.renewal) || path?.startsWith('/panel/') ? path : null;
  } catch {
    return null;
  }
}
