/** A document that cannot be read at all, with the sentence that says why. */
export class BadDocumentError extends Error {
  override readonly name = 'BadDocumentError';
}
