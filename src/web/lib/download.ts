/**
 * The name under which an invoice's PDF is saved. Series carry bars and other characters that file
 * systems refuse or read as folders: `00001/LO` is saved as `00001-LO.pdf`.
 */
export function pdfFileName(docNo: string): string {
  const name = docNo
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what goes.
    .replace(/[\u0000-\u001f<>:"/\\|?*]+/g, '-')
    .replace(/^[.\s-]+|[.\s-]+$/g, '');
  return `${name || 'factura'}.pdf`;
}

/**
 * The file an answer carries in base64, or null when there is nothing in it.
 *
 * @throws {DOMException} when the text is not base64
 */
export function fileFromBase64(base64: string, type: string): Blob | null {
  const binary = atob(base64);
  if (binary.length === 0) return null;
  return new Blob([Uint8Array.from(binary, (char) => char.charCodeAt(0))], { type });
}

/** Hands a file over to the browser to save, under that name. */
export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Some browsers read the address after the click returns.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/**
 * Downloads the copy of a company by its link. The browser's own navigation: it goes to disk as it comes,
 * whatever its size, and the link travels in the body and not in an address.
 */
export function downloadCopy(link: string): void {
  const form = document.createElement('form');
  form.method = 'POST';
  form.action = '/api/Copia/Descargar';
  form.hidden = true;
  const field = document.createElement('input');
  field.type = 'hidden';
  field.name = 'Enlace';
  field.value = link;
  form.append(field);
  document.body.append(form);
  form.submit();
  form.remove();
}
