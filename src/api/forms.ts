import { z } from 'zod';
import { DomainError } from '../domain/errors.ts';

/** A file of a multipart form, as routes find it in the body beside the text fields. */
export interface UploadedFile {
  readonly fileName: string;
  readonly data: Buffer;
}

/** Content types of calls that are forms; the same fields may be sent as JSON. */
export const FORM_OR_JSON = ['multipart/form-data', 'application/json'];

/**
 * A file field. Forms contain the file itself; a JSON body may contain it as base64 text. Each call has its own
 * message for a missing one.
 */
export const FileField = z.unknown().optional().meta({ type: 'string', format: 'binary' });

/**
 * The file of a field, or null when there is none.
 *
 * @param defaultName for a file that comes without its own
 * @throws {DomainError} `BAD_REQUEST` when there is one and it is empty
 */
export function fileOf(value: unknown, defaultName = 'archivo'): UploadedFile | null {
  if (typeof value === 'string') {
    const data = Buffer.from(value.replace(/^data:[^,]*,/, ''), 'base64');
    return data.length > 0 ? { fileName: defaultName, data } : null;
  }
  if (!isUploadedFile(value)) return null;
  if (value.data.length > 0) return { ...value, fileName: value.fileName || defaultName };
  // A form sent without choosing a file contains one without a name.
  if (!value.fileName) return null;
  throw new DomainError(
    'BAD_REQUEST',
    'El archivo está vacío. Vuelve a guardarlo o a descargarlo.',
  );
}

function isUploadedFile(value: unknown): value is UploadedFile {
  return (
    typeof value === 'object' && value !== null && 'data' in value && Buffer.isBuffer(value.data)
  );
}
