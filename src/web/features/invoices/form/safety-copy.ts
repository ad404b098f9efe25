import type { SavedDraft } from './draft-saver.ts';
import type { DraftState } from './draft-state.ts';
import type { RegisterAttempt } from './register-attempt.ts';

/**
 * A copy of an open form in the browser's own storage: what a reload, an expired session or a closed
 * tab would lose. One per open form and company; it goes away when the form is left in order.
 */
export interface SafetyCopy {
  readonly state: DraftState;
  /** The draft it belongs to, once the server has it. */
  readonly saved?: SavedDraft | undefined;
  /** True when the server has all of it. */
  readonly isKept: boolean;
  /** The call that registers it, while nobody knows how that ended. */
  readonly registering?: RegisterAttempt | undefined;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export interface StoredCopy {
  readonly key: string;
  readonly copy: SafetyCopy;
}

/** Which form it is of: «Crear factura», or an invoice opened from the pending ones. */
export type CopyOrigin = 'crear' | 'pendiente';

/** A change of shape of the copies changes this: older ones are dropped instead of misread. */
const PREFIX = 'huella.borrador.1.';
const MAX_AGE_MS = 30 * 24 * 3_600_000;

export function copyKey(companyId: string, origin: CopyOrigin, id: string): string {
  return `${PREFIX}${companyId}.${origin}.${id}`;
}

/** Full or forbidden storage loses the copy, not the form: the server keeps the draft too. */
export function writeCopy(storage: Storage, key: string, copy: SafetyCopy): void {
  try {
    storage.setItem(key, JSON.stringify(copy));
  } catch {
    removeCopy(storage, key);
  }
}

export function removeCopy(storage: Storage, key: string): void {
  try {
    storage.removeItem(key);
  } catch {
    // Nothing was kept, then.
  }
}

/** The copies of a company, newest first; those too old to be missed are removed on the way. */
export function readCopies(storage: Storage, companyId: string, now: number): StoredCopy[] {
  const prefix = `${PREFIX}${companyId}.`;
  const copies: StoredCopy[] = [];
  for (const key of keysOf(storage)) {
    if (!key.startsWith(prefix)) continue;
    const copy = parseCopy(storage.getItem(key));
    if (copy && now - copy.at < MAX_AGE_MS) copies.push({ key, copy });
    else removeCopy(storage, key);
  }
  return copies.sort((a, b) => b.copy.at - a.copy.at);
}

/** Those that «Crear factura» left. */
export function copiesOfCreate(copies: readonly StoredCopy[]): StoredCopy[] {
  return copies.filter(({ key }) => key.slice(PREFIX.length).split('.')[1] === 'crear');
}

/** Those of what the same address was registering in «Crear factura», and nobody knows how that ended. */
export function copiesRegistering(copies: readonly StoredCopy[], search: string): StoredCopy[] {
  return copiesOfCreate(copies).filter(({ copy }) => copy.registering?.search === search);
}

/**
 * Those with something of that draft that the server does not have, wherever it was typed: first the one
 * that may be registered already.
 */
export function unkeptCopiesOf(copies: readonly StoredCopy[], docNo: string): StoredCopy[] {
  const unkept = copies.filter(
    ({ copy }) => copy.saved?.docNo === docNo && (!copy.isKept || copy.registering),
  );
  return unkept.sort(
    (a, b) => Number(Boolean(b.copy.registering)) - Number(Boolean(a.copy.registering)),
  );
}

function keysOf(storage: Storage): string[] {
  try {
    return Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '');
  } catch {
    return [];
  }
}

function parseCopy(text: string | null): SafetyCopy | null {
  try {
    const copy = JSON.parse(text ?? '') as Partial<SafetyCopy> | null;
    if (!copy || typeof copy.at !== 'number' || !Array.isArray(copy.state?.lines)) return null;
    return copy as SafetyCopy;
  } catch {
    return null;
  }
}
