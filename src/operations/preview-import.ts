import { createHash, randomUUID } from 'node:crypto';
import type { ColumnasLeidas, Correspondencia } from '../contract/imports.ts';
import type { Deps } from '../deps.ts';
import { DomainError } from '../domain/errors.ts';
import { BadFileError, OtherFileError } from '../import/bad-file.ts';
import { type ReaderAnswer, type ReaderJob, runReader } from '../import/reader.ts';
import {
  closeImportReading,
  findImported,
  findImportedFile,
  noteImportReading,
  openImportReading,
} from '../store/imports.ts';
import { assertMayTry, IMPORTS } from './attempts.ts';
import { companyOf } from './company-of.ts';
import { readKnown } from './import-known.ts';
import { importCatalogs, listsOf } from './import-template.ts';

const MB = 1024 * 1024;
const MAX_FILE_MB = 5;

type ReadDeps = Pick<Deps, 'sql' | 'clock' | 'log'>;

/** A file and, when it is not the template, what its columns hold. */
export interface UploadedImport {
  readonly file: Uint8Array;
  readonly correspondencia: Correspondencia | null;
}

/**
 * Reads a file and says what importing it would do. Nothing is saved.
 *
 * @returns JSON of an `ImportExcelAnswer`
 * @throws {DomainError} NOT_THE_TEMPLATE for what may be a file of another program; BAD_REQUEST for one that cannot
 *   be imported, saying why; PAYLOAD_TOO_LARGE; CONFLICT while another file of the company is being read;
 *   TOO_MANY_REQUESTS
 */
export async function previewImport(
  deps: ReadDeps,
  companyId: number,
  { file, correspondencia }: UploadedImport,
): Promise<Uint8Array> {
  const importId = createHash('sha256').update(file).digest('base64url');
  const answer = await read(deps, companyId, file, async () => {
    const [judging, importedAt] = await Promise.all([
      readKnown(deps.sql, deps, companyId),
      findImportedFile(deps.sql, companyId, importId),
    ]);
    const past = { importId, ...(importedAt && { importadoEl: importedAt.toISOString() }) };
    return { kind: 'preview', file, correspondencia, past, ...judging };
  });
  if (answer.kind !== 'previewed') throw new Error('The reader answered something else.');
  return answer.json;
}

/**
 * The template, in base64, filled with the content of the file and with comments on its wrong cells.
 *
 * @throws as previewImport
 */
export async function commentImport(
  deps: ReadDeps,
  companyId: number,
  { file, correspondencia, onlyWrong }: UploadedImport & { readonly onlyWrong: boolean },
): Promise<string> {
  const answer = await read(deps, companyId, file, async () => ({
    kind: 'comment',
    file,
    correspondencia,
    onlyWrong,
    ...(await readKnown(deps.sql, deps, companyId)),
  }));
  if (answer.kind !== 'commented') throw new Error('The reader answered something else.');
  return Buffer.from(answer.file).toString('base64');
}

/**
 * The content of another program's file, and a guess at its columns.
 *
 * @throws as previewImport
 */
export async function describeImport(
  deps: ReadDeps,
  companyId: number,
  file: Uint8Array,
): Promise<ColumnasLeidas> {
  const answer = await read(deps, companyId, file, async () => {
    const [{ defaultTax }, catalogs] = await Promise.all([
      companyOf(deps, companyId),
      importCatalogs(deps.sql, companyId),
    ]);
    return { kind: 'describe', file, lists: listsOf(catalogs, defaultTax) };
  });
  if (answer.kind !== 'described') throw new Error('The reader answered something else.');
  return answer.columnas;
}

async function read(
  deps: ReadDeps,
  companyId: number,
  file: Uint8Array,
  jobOf: () => Promise<ReaderJob>,
): Promise<ReaderAnswer> {
  if (file.length > MAX_FILE_MB * MB) {
    throw new DomainError(
      'PAYLOAD_TOO_LARGE',
      `El archivo no puede pasar de ${MAX_FILE_MB} MB. Repártelo en varios.`,
    );
  }
  const token = randomUUID();
  if (!(await openImportReading(deps.sql, companyId, token))) {
    throw new DomainError('CONFLICT', 'Ya estamos leyendo otro archivo tuyo. Espera a que acabe.');
  }
  const notes = new ReadingNotes(deps, companyId, token);
  try {
    await assertMayTry(deps, `import:${companyId}`, IMPORTS);
    return await runReader(
      await jobOf(),
      (references) => findImported(deps.sql, companyId, references),
      (percent) => notes.tell(percent),
    );
  } catch (error) {
    if (error instanceof OtherFileError) {
      throw new DomainError('NOT_THE_TEMPLATE', error.message, { cause: error });
    }
    if (error instanceof BadFileError) {
      throw new DomainError('BAD_REQUEST', error.message, { cause: error });
    }
    throw error;
  } finally {
    await notes.close();
  }
}

/** Progress is written after an advance of at least this much, or after some time. */
const NOTE_PERCENT = 5;
const NOTE_MS = 500;
/** Written at least this often, so that the reading is not taken for dead. */
const ALIVE_MS = 5_000;

/** Records the progress of a reading, one statement at a time, so that any process can report it. */
class ReadingNotes {
  readonly #deps: ReadDeps;
  readonly #companyId: number;
  readonly #token: string;
  readonly #timer: NodeJS.Timeout;
  #percent = 0;
  #noted = 0;
  #notedAt = Date.now();
  #note: Promise<void> | null = null;

  constructor(deps: ReadDeps, companyId: number, token: string) {
    this.#deps = deps;
    this.#companyId = companyId;
    this.#token = token;
    this.#timer = setInterval(() => this.#write(), NOTE_MS);
  }

  tell(percent: number): void {
    this.#percent = percent;
    if (percent - this.#noted >= NOTE_PERCENT) this.#write();
  }

  /** The reading is over, whatever its outcome. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#note;
    await closeImportReading(this.#deps.sql, this.#companyId, this.#token).catch((error: unknown) =>
      this.#warn(error),
    );
  }

  #write(): void {
    const percent = this.#percent;
    const isNews = percent !== this.#noted || Date.now() - this.#notedAt > ALIVE_MS;
    if (this.#note || !isNews) return;
    this.#noted = percent;
    this.#notedAt = Date.now();
    const token = this.#token;
    this.#note = noteImportReading(this.#deps.sql, this.#companyId, { token, percent })
      .catch((error: unknown) => this.#warn(error))
      .finally(() => {
        this.#note = null;
      });
  }

  #warn(error: unknown): void {
    const { log } = this.#deps;
    log.warn({ err: error, companyId: this.#companyId }, 'how far a file is read was not noted');
  }
}
