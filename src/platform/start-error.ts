/** Why the process cannot start, as a sentence for its operator. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
