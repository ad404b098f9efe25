/** A file that cannot be imported at all, with the sentence that says why. */
export class BadFileError extends Error {
  override readonly name = 'BadFileError';
}

export const NOT_THE_TEMPLATE = 'El archivo no es la plantilla oficial. Descárgala de nuevo.';
