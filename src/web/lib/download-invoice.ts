import { fileFromBase64, pdfFileName, saveFile } from './download.ts';
import { ApiError, http } from './http.ts';

const EMPTY_FILE = 'No se pudo descargar el archivo. El contenido está vacío.';

/**
 * Saves the PDF of an invoice under its number.
 *
 * @throws {ApiError} also when there is nothing in the file
 */
export async function downloadInvoice(No: string): Promise<void> {
  const base64 = await http<string>('/api/PostData/DownloadInvoice', { json: { No } });
  const file = base64 ? fileFromBase64(base64, 'application/pdf') : null;
  if (!file) throw new ApiError(200, [EMPTY_FILE]);
  saveFile(file, pdfFileName(No));
}
