import { connect, type Socket } from 'node:net';
import type { TakeCopied } from '../store/copied-rows.ts';

export type Place = { readonly path: string } | { readonly host: string; readonly port: number };

/** Two readings of a socket, of 64 kB each. */
const MEMORY_BYTES = 128 * 1024;
const TYPE_BYTES = 1;
const HEAD_BYTES = TYPE_BYTES + 4;
const COPY_DATA = 'd'.charCodeAt(0);

/**
 * A connection to PostgreSQL, without TLS, that reads all that comes into the same memory and gives the driver whole
 * messages. Node would ask `malloc` for 64 kB at each reading, and the driver for as much again where a message
 * was cut: hundreds of megabytes while a cadena is read, which lie about until V8 looks.
 *
 * Only what is copied out is given where it lies, and says another thing after the next reading: whoever takes it does so
 * at once (`eachCopied`). Anything else comes in memory of its own.
 */
export function oneMemorySocket(place: Place): Socket {
  let memory = Buffer.allocUnsafeSlow(MEMORY_BYTES);
  let filled = 0;
  const socket: Socket & { onCopied?: TakeCopied } = connect({
    ...place,
    onread: {
      buffer: () => memory.subarray(filled),
      callback: (read: number) => {
        filled += read;
        const { end, isCopied, missing } = wholeMessages(memory, filled);
        if (isCopied && socket.onCopied) socket.onCopied(memory, 0, end);
        else if (end > 0) socket.emit('data', Buffer.from(memory.subarray(0, end)));
        const rest = memory.subarray(end, filled);
        filled = rest.length;
        if (missing > memory.length) memory = Buffer.allocUnsafeSlow(2 * missing);
        memory.set(rest);
        return true;
      },
    },
  });
  return socket;
}

interface Whole {
  /** Where the last message that is whole ends. */
  readonly end: number;
  /** Whether they are nothing but copied rows. */
  readonly isCopied: boolean;
  /** How long the one behind it will be, as far as that is known. */
  readonly missing: number;
}

function wholeMessages(memory: Buffer, filled: number): Whole {
  let [end, isCopied] = [0, true];
  while (filled - end >= HEAD_BYTES) {
    const next = end + TYPE_BYTES + memory.readUInt32BE(end + TYPE_BYTES);
    if (next > filled) return { end, isCopied, missing: next - end };
    isCopied &&= memory[end] === COPY_DATA;
    end = next;
  }
  return { end, isCopied, missing: 0 };
}
