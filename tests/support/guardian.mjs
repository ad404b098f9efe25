// Outlives the process that started it, in order to end what that one left running: its standard input is closed when
// that process ends, for whatever reason. Each line names a folder to watch or, with a minus, one to forget.
import { readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';

const ROUNDS = 50;
const PAUSE_MS = 100;

const folders = new Set();
for await (const line of createInterface({ input: process.stdin })) {
  if (line.startsWith('-')) folders.delete(line.slice(1));
  else folders.add(line);
}
// A process that restarts others may do so once more: repeated until none is left.
for (let round = 0; folders.size > 0 && round < ROUNDS && endAll(); round++) {
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
}
for (const folder of folders) rmSync(folder, { recursive: true, force: true });

/**
 * Kills the processes that work in one of the folders, or have it in their environment.
 * @returns whether there were any
 */
function endAll() {
  const found = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => [...folders].some((folder) => isOf(pid, folder)));
  for (const pid of found) {
    try {
      process.kill(Number(pid), 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  }
  return found.length > 0;
}

function isOf(pid, folder) {
  try {
    const cwd = readlinkSync(`/proc/${pid}/cwd`);
    if (cwd === folder || cwd.startsWith(`${folder}/`)) return true;
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`DATA_DIR=${folder}`);
  } catch {
    return false; // Gone, or somebody else's.
  }
}
