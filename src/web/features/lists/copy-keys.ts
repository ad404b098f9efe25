import { newKey } from '../../lib/new-key.ts';

interface KeptKey {
  readonly key: string;
  readonly at: number;
}

type Kept = Readonly<Record<string, KeptKey>>;
type Shelf = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** As long as the server remembers them. */
const KEPT_MS = 24 * 3_600_000;

/**
 * The keys under which a set of invoices is copied, kept in this browser until the user has been told the outcome. If
 * the page is closed or the session ends halfway, the invoices copied already are not copied again.
 */
export class CopyKeys {
  readonly #shelf: Shelf;
  readonly #name: string;
  readonly #keys = new Map<string, string>();
  /** Whether some of them were requested before, and nobody was told how that ended. */
  readonly isAgain: boolean;

  constructor(
    shelf: Shelf,
    companyId: string,
    docNos: readonly string[],
    now: number = Date.now(),
  ) {
    this.#shelf = shelf;
    this.#name = `huella.duplicar.${companyId}`;
    const kept = this.#read(now);
    this.isAgain = docNos.some((docNo) => docNo in kept);
    for (const docNo of docNos) this.#keys.set(docNo, kept[docNo]?.key ?? newKey());
    const added = [...this.#keys].map(([docNo, key]) => [docNo, { key, at: now }] as const);
    this.#write({ ...Object.fromEntries(added), ...kept });
  }

  of(docNo: string): string {
    const key = this.#keys.get(docNo);
    if (key === undefined) throw new Error(`${docNo} is not among those to copy`);
    return key;
  }

  /** The user knows how it ended: copying them again makes new drafts, except for those in `unknown`. */
  told(unknown: readonly string[], now: number = Date.now()): void {
    const kept = Object.entries(this.#read(now));
    const left = kept.filter(([docNo]) => !this.#keys.has(docNo) || unknown.includes(docNo));
    this.#write(Object.fromEntries(left));
  }

  #read(now: number): Kept {
    try {
      const kept = JSON.parse(this.#shelf.getItem(this.#name) ?? '{}') as Kept;
      return Object.fromEntries(Object.entries(kept).filter(([, { at }]) => now - at < KEPT_MS));
    } catch {
      return {};
    }
  }

  #write(kept: Kept): void {
    try {
      if (Object.keys(kept).length === 0) this.#shelf.removeItem(this.#name);
      else this.#shelf.setItem(this.#name, JSON.stringify(kept));
    } catch {
      // Without storage they last as long as the page.
    }
  }
}
