import type { SaveAttempt, SavedDraft } from './draft-saver.ts';
import type { DraftState } from './draft-state.ts';
import type { RegisterAttempt } from './register-attempt.ts';

/**
 * A copy of an open form in the browser's storage: what a reload, an expired session or a closed tab would lose. There
 * is one per open form and company; it is deleted when the form is closed in an orderly way.
 */
export interface SafetyCopy {
  readonly state: DraftState;
  /** The draft it belongs to, once the server has one. */
  readonly saved?: SavedDraft | undefined;
  /** True when the server has all of it. */
  readonly isKept: boolean;
  /** The call that saves it, while nobody knows how that ended: it may have made the draft, or changed its version. */
  readonly saving?: SaveAttempt | undefined;
  /** The call that registers it, while nobody knows how that ended. */
  readonly registering?: RegisterAttempt | undefined;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export interface StoredCopy {
  readonly key: string;
  readonly copy: SafetyCopy;
}

/** Which form it belongs to: «Crear factura», or an invoice opened from the pending ones. */
export type CopyOrigin = 'crear' | 'pendiente';

/** Has to change with the format of the copies: older ones are then dropped instead of misread. */
const PREFIX = 'huella.borrador.1.';
const MAX_AGE_MS = 30 * 24 * 3_600_000;

export function copyKey(companyId: string, origin: CopyOrigin, id: string): string {
  return `${PREFIX}${companyId}.${origin}.${id}`;
}

/** If the storage is full or forbidden, only the copy is lost, not the form: the server keeps the draft too. */
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
    // Then nothing was stored.
  }
}

/** The copies of a company, newest first. Those too old to be missed are deleted on the way. */
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

/** Those left by «Crear factura». */
export function copiesOfCreate(copies: readonly StoredCopy[]): StoredCopy[] {
  return copies.filter(({ key }) => key.slice(PREFIX.length).split('.')[1] === 'crear');
}

/** Those that the same address was registering in «Crear factura», while nobody knows how that ended. */
export function copiesRegistering(copies: readonly StoredCopy[], search: string): StoredCopy[] {
  return copiesOfCreate(copies).filter(({ copy }) => copy.registering?.search === search);
}

/**
 * Those with changes to that draft that the server does not have, wherever they were typed: first the one that may be
 * registered already.
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
