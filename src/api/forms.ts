import { z } from 'zod';
import type { UploadedFile } from './app.ts';

/**
 * A file field. Forms carry the file itself; a JSON body may carry it as base64 text. That there is none,
 * each call says in its own words.
 */
export const FileField = z.unknown().optional().meta({ type: 'string', format: 'binary' });

/** The file of a field, or null when there is none. */
export function fileOf(value: unknown, jsonFileName = 'archivo'): UploadedFile | null {
  if (typeof value === 'string') {
    const data = Buffer.from(value.replace(/^data:[^,]*,/, ''), 'base64');
    return data.length > 0 ? { fileName: jsonFileName, data } : null;
  }
  return isUploadedFile(value) && value.data.length > 0 ? value : null;
}

function isUploadedFile(value: unknown): value is UploadedFile {
  return (
    typeof value === 'object' && value !== null && 'data' in value && Buffer.isBuffer(value.data)
  );
}
