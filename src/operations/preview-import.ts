import { createHash } from 'node:crypto';
import type { ColumnasLeidas, Correspondencia } from '../contract/imports.ts';
import type { Deps } from '../deps.ts';
import { DomainError } from '../domain/errors.ts';
import { BadFileError, OtherFileError } from '../import/bad-file.ts';
import { type ReaderAnswer, type ReaderJob, runReader } from '../import/reader.ts';
import { findImportedFile } from '../store/imports.ts';
import { assertMayTry, IMPORTS } from './attempts.ts';
import { readKnown } from './import-known.ts';
import { importCatalogs, listsOf } from './import-template.ts';

type ReadDeps = Pick<Deps, 'sql' | 'clock'>;

/** Companies whose file is being read by this process, and the percentage that is done. */
const reading = new Map<number, number>();

/** How far the file of a company is read, per cent; undefined when this process reads none of it. */
export function percentRead(companyId: number): number | undefined {
  return reading.get(companyId);
}

/** A file, and what its columns are when it is not the template. */
export interface UploadedImport {
  readonly file: Uint8Array;
  readonly correspondencia: Correspondencia | null;
}

/**
 * Reads a file and says what importing it would do. Nothing is saved.
 *
 * @returns JSON of an `ImportExcelAnswer`
 * @throws {DomainError} NOT_THE_TEMPLATE for what may be a file of another program; BAD_REQUEST for one
 *   that cannot be imported, saying why; CONFLICT while another one of the company is read;
 *   TOO_MANY_REQUESTS
 */
export async function previewImport(
  deps: ReadDeps,
  companyId: number,
  { file, correspondencia }: UploadedImport,
): Promise<Uint8Array> {
  const importId = createHash('sha256').update(file).digest('base64url');
  const answer = await read(deps, companyId, async () => {
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

/** The template, in base64, with what the file has and its wrong cells commented. @throws as previewImport */
export async function commentImport(
  deps: ReadDeps,
  companyId: number,
  { file, correspondencia, onlyWrong }: UploadedImport & { readonly onlyWrong: boolean },
): Promise<string> {
  const answer = await read(deps, companyId, async () => ({
    ...{ kind: 'comment', file, correspondencia, onlyWrong },
    ...(await readKnown(deps.sql, deps, companyId)),
  }));
  if (answer.kind !== 'commented') throw new Error('The reader answered something else.');
  return Buffer.from(answer.file).toString('base64');
}

/** What a file of another program has, and what its columns seem to be. @throws as previewImport */
export async function describeImport(
  deps: ReadDeps,
  companyId: number,
  file: Uint8Array,
): Promise<ColumnasLeidas> {
  const answer = await read(deps, companyId, async () => ({
    ...{ kind: 'describe', file },
    lists: listsOf(await importCatalogs(deps.sql, companyId)),
  }));
  if (answer.kind !== 'described') throw new Error('The reader answered something else.');
  return answer.columnas;
}

async function read(
  deps: ReadDeps,
  companyId: number,
  jobOf: () => Promise<ReaderJob>,
): Promise<ReaderAnswer> {
  if (reading.has(companyId)) {
    throw new DomainError('CONFLICT', 'Ya estamos leyendo otro archivo tuyo. Espera a que acabe.');
  }
  reading.set(companyId, 0);
  try {
    await assertMayTry(deps, `import:${companyId}`, IMPORTS);
    return await runReader(await jobOf(), (percent) => reading.set(companyId, percent));
  } catch (error) {
    if (error instanceof OtherFileError) {
      throw new DomainError('NOT_THE_TEMPLATE', error.message, { cause: error });
    }
    if (error instanceof BadFileError) {
      throw new DomainError('BAD_REQUEST', error.message, { cause: error });
    }
    throw error;
  } finally {
    reading.delete(companyId);
  }
}
