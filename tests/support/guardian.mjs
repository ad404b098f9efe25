// Outlives the process that started it by as long as it takes to end what that one left running: its standard input
// closes with it, however it ended. Each line names a folder to look after, or, with a minus, one to forget.
import { readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';

const ROUNDS = 50;
const PAUSE_MS = 100;

const folders = new Set();
for await (const line of createInterface({ input: process.stdin })) {
  if (line.startsWith('-')) folders.delete(line.slice(1));
  else folders.add(line);
}
// Who starts the others again may do so once more: until nobody is left.
for (let round = 0; folders.size > 0 && round < ROUNDS && endAll(); round++) {
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
}
for (const folder of folders) rmSync(folder, { recursive: true, force: true });

/** Kills whoever works in one of the folders, or was given it in its environment. @returns whether there was anybody */
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
