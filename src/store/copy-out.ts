import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';

/**
 * Lets the connection go on behind a copy that has come to its end.
 *
 * The driver (postgres 3.4.9, pinned) stops its socket while more comes than is read, and lets it go on when more is
 * asked for. Of what has come to its end nothing more is asked for: the next answer would be waited for without end.
 */
function goOnBehind(source: Readable): void {
  try {
    source._read(0);
  } catch {
    // The connection was lost meanwhile, which whoever asks it next is told.
  }
}

/**
 * What a `copy … to stdout` gives, read at one's own pace; the connection is free again behind it, also when the
 * reader gives up half-way.
 *
 * @param source as `.readable()` of the driver gives it
 */
export async function* copyOut(source: Readable): AsyncGenerator<Buffer> {
  source.once('end', () => goOnBehind(source));
  try {
    yield* source.iterator({ destroyOnReturn: false });
  } finally {
    // What nobody reads any more still stands before the next answer.
    if (!source.readableEnded) await finished(source.resume()).catch(() => undefined);
  }
}
