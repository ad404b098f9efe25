import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';

/**
 * Lets the connection continue after a copy that has come to its end.
 *
 * The driver (postgres 3.4.9, pinned) pauses its socket when data arrives faster than it is read, and resumes when
 * more is asked for. Nobody asks a finished copy for more, so the next answer would never come.
 */
function goOnBehind(source: Readable): void {
  try {
    source._read(0);
  } catch {
    // The connection was lost meanwhile; the next query on it reports that.
  }
}

/**
 * The output of `copy … to stdout`, read at the caller's own pace. Afterwards the connection is free again, even if
 * the reader gives up half-way.
 *
 * @param source from the driver's `.readable()`
 */
export async function* copyOut(source: Readable): AsyncGenerator<Buffer> {
  source.once('end', () => goOnBehind(source));
  try {
    yield* source.iterator({ destroyOnReturn: false });
  } finally {
    // Data that nobody reads any more still comes before the next answer.
    if (!source.readableEnded) await finished(source.resume()).catch(() => undefined);
  }
}
