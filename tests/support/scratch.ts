import { readFileSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const MEMORY = '/dev/shm';
const TMPFS = 0x01021994;
const ROOM_BYTES = 4 * 2 ** 30;

/** Whether what is written there stays in memory. */
export const isInMemory: boolean = hasRoomInMemory();

/**
 * Where tests keep databases and data folders: in memory if there is plenty, otherwise among the temporary files. A
 * database is a thousand small files, whose creation and deletion on a disk takes a tenth of the processor time.
 * Killing a process, which is what tests do, loses nothing in memory either.
 */
export const scratch: string = isInMemory ? MEMORY : tmpdir();

function hasRoomInMemory(): boolean {
  try {
    const { type, bavail, bsize } = statfsSync(MEMORY);
    const available = /^MemAvailable: +(\d+) kB$/m.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1];
    return (
      type === TMPFS && bavail * bsize > ROOM_BYTES && Number(available) * 1024 > 2 * ROOM_BYTES
    );
  } catch {
    return false; // Another system.
  }
}
