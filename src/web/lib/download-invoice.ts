import { fileFromBase64, pdfFileName, saveFile } from './download.ts';
import { ApiError, http } from './http.ts';
import { requireToken } from './require-token.ts';

const EMPTY_FILE = 'No se pudo descargar el archivo. El contenido está vacío.';

/**
 * The PDF of an invoice, or of a draft in its current state.
 *
 * @throws {ApiError} also when the file is empty
 */
export async function invoicePdf(No: string): Promise<Blob> {
  requireToken('El token ha caducado');
  const base64 = await http<string>('/api/PostData/DownloadInvoice', { json: { No } });
  const file = base64 ? fileFromBase64(base64, 'application/pdf') : null;
  if (!file) throw new ApiError(200, [EMPTY_FILE]);
  return file;
}

/** Saves the PDF of an invoice under its number. @throws {ApiError} as {@link invoicePdf} */
export async function downloadInvoice(No: string): Promise<void> {
  saveFile(await invoicePdf(No), pdfFileName(No));
}

/**
 * Shows the PDF of an invoice in a tab opened when the button was pressed, before there was anything to show: later
 * the browser would block it. Without a tab, the PDF is saved.
 *
 * @throws {ApiError} as {@link invoicePdf}
 */
export async function showInvoicePdf(No: string, tab: Window | null): Promise<void> {
  const pdf = await invoicePdf(No);
  if (!tab || tab.closed) return saveFile(pdf, pdfFileName(No));
  const url = URL.createObjectURL(pdf);
  tab.location.href = url;
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
