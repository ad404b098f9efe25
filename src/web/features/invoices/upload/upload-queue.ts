import type { ExtraerFacturaAnswer } from '../../../../contract/reading.ts';
import type { FileStore, StoredFile } from '../../../lib/file-store.ts';
import { ApiError, errorMessages } from '../../../lib/http.ts';
import { fileProblem } from './file-problem.ts';

export type UploadState =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'reading' }
  /** Its draft waits for the user. */
  | { readonly kind: 'ready'; readonly docNo: string; readonly warnings: number }
  | {
      readonly kind: 'failed';
      readonly sentence: string;
      readonly canRetry: boolean;
      /** The invoice that it already is. */
      readonly knownAs?: string;
    }
  /** Checked and left as a draft. */
  | { readonly kind: 'kept'; readonly docNo: string }
  | { readonly kind: 'registered'; readonly docNo: string };

export interface Upload {
  readonly id: string;
  readonly name: string;
  readonly state: UploadState;
}

export interface UploadQueueOptions {
  readonly read: (file: File) => Promise<ExtraerFacturaAnswer>;
  /** Answers the name of the draft. */
  readonly save: (reading: ExtraerFacturaAnswer, key: string) => Promise<string>;
  readonly newKey: () => string;
  readonly wait: (ms: number) => Promise<void>;
  /** There is a new draft. */
  readonly onSaved: () => void;
  /** Where waiting files are stored, so that a reload does not lose them. */
  readonly store: FileStore;
}

/** How long to wait while another tab or device of the company has a file being read. */
const BUSY_MS = 3_000;
const BUSY_TRIES = 40;

const NO_ANSWER = 'Se ha cortado la conexión. Comprueba que tienes internet y reinténtalo.';

/** The state of a file until it is a draft. */
interface Work {
  readonly file: File;
  /** Set once it has been read: only saving is left. */
  reading?: ExtraerFacturaAnswer;
  readonly key: string;
  /** Settles once it is known whether the file could be stored. */
  readonly stored: Promise<unknown>;
  /** Left by a tab that was closed, which may have saved it already. */
  readonly isRestored?: true;
}

/**
 * Files to be read, one after another, whatever screen is shown. Each one read is saved as a draft at once, and
 * waiting ones are stored, so that closing the tab loses nothing.
 */
export class UploadQueue {
  readonly #options: UploadQueueOptions;
  readonly #work = new Map<string, Work>();
  readonly #listeners = new Set<() => void>();
  /** Waiting files that are not stored, or not yet. */
  readonly #unstored = new Set<string>();
  #uploads: readonly Upload[] = [];
  #isRunning = false;
  #opensNext = false;

  constructor(options: UploadQueueOptions) {
    this.#options = options;
  }

  /** The same array as long as nothing changes. */
  readonly uploads = (): readonly Upload[] => this.#uploads;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  get isBusy(): boolean {
    return this.#uploads.some(({ state }) => state.kind === 'waiting' || state.kind === 'reading');
  }

  /** True if leaving the page would lose a chosen file. */
  get wouldLose(): boolean {
    return this.isBusy && this.#unstored.size > 0;
  }

  add(files: readonly File[]): void {
    const added = files.map((file): Upload => {
      const id = this.#options.newKey();
      const sentence = fileProblem(file);
      if (sentence === null) this.#keep({ id, file, key: this.#options.newKey() });
      return {
        id,
        name: file.name,
        state:
          sentence === null ? { kind: 'waiting' } : { kind: 'failed', sentence, canRetry: false },
      };
    });
    if (!this.#uploads.some(({ state }) => state.kind === 'ready')) this.#opensNext = true;
    this.#change([...this.#uploads, ...added]);
    void this.#run();
  }

  /** Continues with what was waiting when its tab was closed. */
  restore(files: readonly StoredFile[]): void {
    const known = new Set(this.#uploads.map(({ id }) => id));
    const found = files.filter(({ id }) => !known.has(id));
    for (const { id, file, key } of found) {
      this.#work.set(id, { file, key, stored: Promise.resolve(), isRestored: true });
    }
    const added = found.map(
      ({ id, file }): Upload => ({ id, name: file.name, state: { kind: 'waiting' } }),
    );
    this.#change([...this.#uploads, ...added]);
    void this.#run();
  }

  retry(id: string): void {
    if (!this.#work.has(id)) return;
    this.#set(id, { kind: 'waiting' });
    void this.#run();
  }

  /** Removes it from the list. Its draft stays. */
  remove(id: string): void {
    this.#forget(id);
    this.#change(this.#uploads.filter((upload) => upload.id !== id));
  }

  /** Records what the user did with a draft of the list. */
  settle(docNo: string, state: Extract<UploadState, { kind: 'kept' | 'registered' }>): void {
    this.#change(
      this.#uploads.map((upload) =>
        'docNo' in upload.state && upload.state.docNo === docNo ? { ...upload, state } : upload,
      ),
    );
  }

  /** The draft of the latest selection, once; it opens automatically if nothing else was to be checked. */
  takeFirstReady(): string | null {
    const ready = this.#uploads.find(({ state }) => state.kind === 'ready');
    if (!this.#opensNext || ready?.state.kind !== 'ready') return null;
    this.#opensNext = false;
    return ready.state.docNo;
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    for (;;) {
      const next = this.#uploads.find(({ state }) => state.kind === 'waiting');
      const work = next && this.#work.get(next.id);
      if (!next || !work) break;
      this.#set(next.id, { kind: 'reading' });
      const state = await this.#stateAfter(work);
      if (state === null) {
        this.remove(next.id);
        continue;
      }
      if (state.kind !== 'failed' || !state.canRetry) this.#forget(next.id);
      this.#set(next.id, state);
    }
    this.#isRunning = false;
  }

  #keep({ id, file, key }: StoredFile): void {
    this.#unstored.add(id);
    const stored = this.#options.store.put({ id, file, key }).then(
      () => this.#unstored.delete(id),
      () => undefined,
    );
    this.#work.set(id, { file, key, stored });
  }

  #forget(id: string): void {
    const work = this.#work.get(id);
    this.#work.delete(id);
    this.#unstored.delete(id);
    void work?.stored.then(() => this.#options.store.remove(id)).catch(() => {});
  }

  /** Null if it turns out to be a draft from before the reload, which is listed as such. */
  async #stateAfter(work: Work): Promise<UploadState | null> {
    try {
      work.reading ??= await this.#read(work.file);
      const docNo = await this.#options.save(work.reading, work.key);
      this.#options.onSaved();
      return { kind: 'ready', docNo, warnings: work.reading.avisos.length };
    } catch (error) {
      const isDraft = error instanceof ApiError && error.codigo === 'CONFLICT' && work.reading;
      if (isDraft && work.isRestored) {
        this.#options.onSaved();
        return null;
      }
      const canRetry = isWorthRetrying(error);
      const sentence = errorMessages(error, NO_ANSWER).join(' ');
      const knownAs = error instanceof ApiError ? error.docNo : undefined;
      return { kind: 'failed', sentence, canRetry, ...(knownAs && { knownAs }) };
    }
  }

  async #read(file: File): Promise<ExtraerFacturaAnswer> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#options.read(file);
      } catch (error) {
        const isElsewhere = error instanceof ApiError && error.codigo === 'IN_PROGRESS';
        if (!isElsewhere || tries === BUSY_TRIES) throw error;
        await this.#options.wait(BUSY_MS);
      }
    }
  }

  #set(id: string, state: UploadState): void {
    this.#change(this.#uploads.map((upload) => (upload.id === id ? { ...upload, state } : upload)));
  }

  #change(uploads: readonly Upload[]): void {
    this.#uploads = uploads;
    for (const listener of this.#listeners) listener();
  }
}

/** An error caused by the file itself will be the same the second time. */
function isWorthRetrying(error: unknown): boolean {
  if (!(error instanceof ApiError)) return true;
  const { status, codigo } = error;
  return (
    status === 0 || status >= 500 || [401, 408, 429].includes(status) || codigo === 'IN_PROGRESS'
  );
}
