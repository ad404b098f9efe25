import type { StoredCopy } from './safety-copy.ts';

/** A copy that this form holds, and how to release it. */
export interface HeldCopy {
  readonly stored: StoredCopy;
  readonly release: () => void;
}

/** Takes the first of these copies that no other open form holds; null when all are held. */
export async function claimCopy(copies: readonly StoredCopy[]): Promise<HeldCopy | null> {
  for (const stored of copies) {
    const release = await holdCopy(stored.key);
    if (release) return { stored, release };
  }
  return null;
}

/**
 * Holds the name of a copy while its form is open, so that another tab does not consider it abandoned. The browser
 * releases it when the page is closed, for whatever reason.
 *
 * @returns how to release it, or null when another form holds it
 */
export async function holdCopy(key: string): Promise<(() => void) | null> {
  // Pages that are not served securely have no locks: then a copy is taken whether it is held or not.
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
