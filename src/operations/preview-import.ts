import type { ImportExcelAnswer } from '../contract/imports.ts';
import type { Deps } from '../deps.ts';
import { DomainError } from '../domain/errors.ts';
import { BadFileError } from '../import/bad-file.ts';
import { type ReaderAnswer, runReader } from '../import/reader.ts';
import { assertMayTry, IMPORTS } from './attempts.ts';
import { readKnown } from './import-known.ts';

/** Companies whose file is being read by this process. */
const reading = new Set<number>();

/**
 * Reads a filled-in template and says what importing it would do. Nothing is saved.
 *
 * @throws {DomainError} BAD_REQUEST for a file that cannot be imported, saying why; CONFLICT while
 *   another one of the company is read; TOO_MANY_REQUESTS
 */
export async function previewImport(
  deps: Pick<Deps, 'sql' | 'clock'>,
  companyId: number,
  file: Uint8Array,
): Promise<ImportExcelAnswer> {
  const answer = await read(deps, companyId, { kind: 'preview', file });
  if (answer.kind !== 'preview') throw new Error('The reader answered something else.');
  return answer.preview;
}

/** The same file in base64 with its wrong cells commented. @throws as previewImport */
export async function commentImport(
  deps: Pick<Deps, 'sql' | 'clock'>,
  companyId: number,
  file: Uint8Array,
): Promise<string> {
  const answer = await read(deps, companyId, { kind: 'comment', file });
  if (answer.kind !== 'comment') throw new Error('The reader answered something else.');
  return Buffer.from(answer.file).toString('base64');
}

async function read(
  deps: Pick<Deps, 'sql' | 'clock'>,
  companyId: number,
  { kind, file }: { readonly kind: 'preview' | 'comment'; readonly file: Uint8Array },
): Promise<ReaderAnswer> {
  if (reading.has(companyId)) {
    throw new DomainError('CONFLICT', 'Ya estamos leyendo otro archivo tuyo. Espera a que acabe.');
  }
  reading.add(companyId);
  try {
    await assertMayTry(deps, `import:${companyId}`, IMPORTS);
    const { known, lists } = await readKnown(deps.sql, deps, companyId);
    return await runReader({ kind, file, lists, known });
  } catch (error) {
    if (error instanceof BadFileError) {
      throw new DomainError('BAD_REQUEST', error.message, { cause: error });
    }
    throw error;
  } finally {
    reading.delete(companyId);
  }
}
