import { DomainError } from '../domain/errors.ts';

/**
 * The only word of a command beside its options, if it is there. More are refused: most are the rest of a text without
 * quotes, which would be recorded without them.
 */
export function onlyWord([word, extra]: readonly string[]): string | undefined {
  if (extra !== undefined) {
    throw new DomainError(
      'BAD_REQUEST',
      `Sobra «${extra}». Un texto de varias palabras va entre comillas.`,
    );
  }
  return word;
}
