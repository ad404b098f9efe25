import { connect, type Socket } from 'node:net';
import type { TakeCopied } from '../store/copied-rows.ts';

export type Place = { readonly path: string } | { readonly host: string; readonly port: number };

/** Two reads from a socket, of 64 kB each. */
const MEMORY_BYTES = 128 * 1024;
/** PostgreSQL sends 8 kB at a time. After a read of less than this, the thread rests while more arrives. */
const FEW_BYTES = 32 * 1024;
/** In this time PostgreSQL copies out less than a Unix socket holds (some 170 kB), so it need not wait. */
const REST_MS = 0.1;
const TYPE_BYTES = 1;
const HEAD_BYTES = TYPE_BYTES + 4;
const COPY_DATA = 'd'.charCodeAt(0);
/** Nobody notifies those who wait for it. */
const NEVER = new Int32Array(new SharedArrayBuffer(4));

/**
 * A connection to PostgreSQL, without TLS, that reads everything into one buffer and gives the driver whole messages.
 * Node would allocate 64 kB for each read, and the driver as much again for a message that was split: hundreds of
 * megabytes while a cadena is read, which stay until V8 collects them.
 *
 * Only copied rows are handed over in that buffer, which the next read overwrites, so they must be used at once
 * (`eachCopied`). Everything else is copied to memory of its own.
 *
 * Whoever takes rows faster than they come would be woken for each 8 kB, which costs a quarter of its time. So after a
 * short read the thread blocks for a moment: this is only for threads that do nothing else.
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
        if (isCopied && read < FEW_BYTES) Atomics.wait(NEVER, 0, 0, REST_MS);
        return true;
      },
    },
  });
  return socket;
}

interface Whole {
  /** The end of the last complete message. */
  readonly end: number;
  /** Whether they are all copied rows. */
  readonly isCopied: boolean;
  /** The length of the message after it, as far as known. */
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
