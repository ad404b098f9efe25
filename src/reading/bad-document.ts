/** A document that cannot be read at all. The message tells the user why. */
export class BadDocumentError extends Error {
  override readonly name = 'BadDocumentError';
}
