/** A file that cannot be imported at all, with the sentence that says why. */
export class BadFileError extends Error {
  override readonly name: string = 'BadFileError';
}

/** A file that may be of another program: somebody has to say what its columns are. */
export class OtherFileError extends BadFileError {
  override readonly name = 'OtherFileError';

  constructor() {
    super('El archivo no es la plantilla oficial. Descárgala de nuevo.');
  }
}
