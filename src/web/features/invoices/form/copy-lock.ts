import type { StoredCopy } from './safety-copy.ts';

/** A copy that this form has taken hold of, and how to let go of it. */
export interface HeldCopy {
  readonly stored: StoredCopy;
  readonly release: () => void;
}

/** Takes hold of the first of these copies that no other open form holds; null when all are held. */
export async function claimCopy(copies: readonly StoredCopy[]): Promise<HeldCopy | null> {
  for (const stored of copies) {
    const release = await holdCopy(stored.key);
    if (release) return { stored, release };
  }
  return null;
}

/**
 * Holds the name of a copy while its form is open, so that another tab does not take it for lost.
 * The browser lets go of it when the page goes away, however it goes.
 *
 * @returns how to let go of it, or null when another form holds it
 */
export async function holdCopy(key: string): Promise<(() => void) | null> {
  // Pages that are not served securely have no locks: then a copy is taken, held or not.
  if (!('locks' in navigator)) return () => {};
  return new Promise((resolve) => {
    navigator.locks
      .request(key, { ifAvailable: true }, (lock) => {
        if (!lock) return resolve(null);
        return new Promise<void>((release) => resolve(release));
      })
      .catch(() => resolve(() => {}));
  });
}
