import { readFileSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const MEMORY = '/dev/shm';
const TMPFS = 0x01021994;
const ROOM_BYTES = 4 * 2 ** 30;

/**
 * Where tests keep databases and data folders: in memory where there is plenty, else among the temporary files. A
 * database is a thousand small files, and making and removing them on a disk takes a tenth of the processor. What is
 * written is as safe from a process that is killed, which is what tests kill.
 */
export const scratch: string = hasRoomInMemory() ? MEMORY : tmpdir();

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
