/**
 * The file name of an invoice's PDF. Numbers contain slashes and other characters that file systems reject or read as
 * folders: `00001/LO` becomes `00001-LO.pdf`.
 */
export function pdfFileName(docNo: string): string {
  const name = docNo
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what goes.
    .replace(/[\u0000-\u001f<>:"/\\|?*]+/g, '-')
    .replace(/^[.\s-]+|[.\s-]+$/g, '');
  return `${name || 'factura'}.pdf`;
}

/**
 * The file in a base64 answer, or null when it is empty.
 *
 * @throws {DOMException} when the text is not base64
 */
export function fileFromBase64(base64: string, type: string): Blob | null {
  const binary = atob(base64);
  if (binary.length === 0) return null;
  return new Blob([Uint8Array.from(binary, (char) => char.charCodeAt(0))], { type });
}

/** Makes the browser save a file under that name. */
export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Some browsers read the address after the click has returned.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/**
 * Downloads the copy of a company through its link. It is a navigation of the browser: the file goes to disk as it
 * arrives, whatever its size, and the link is sent in the body, not in an address.
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
