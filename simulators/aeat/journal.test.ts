import {
  appendFile,
  type FileHandle,
  mkdtemp,
  open,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Journal, type Position } from './journal.ts';

let dir: string;
let path: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'diario-'));
  path = join(dir, 'diario.jsonl');
});
afterEach(() => rm(dir, { recursive: true }));

/** Opens and closes it. @returns the groups it had: `[head, lines]` */
async function groupsOf(): Promise<[unknown, string[]][]> {
  const groups: [unknown, string[]][] = [];
  const journal = await Journal.open(path, (cabecera, lines) => {
    groups.push([cabecera, lines.map(({ text }) => text)]);
  });
  await journal.close();
  return groups;
}

/** Files that this process has open, where the system tells. */
async function openFiles(): Promise<string[]> {
  const all = await readdir('/proc/self/fd').catch(() => []);
  return Promise.all(all.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
}

it('keeps groups in order and reads a line where it was said to be', async () => {
  const journal = await Journal.open(path, () => {});
  const one = journal.append('uno', ['"año"', '"b"']);
  const two = journal.append('dos', ['"c"']);
  await Promise.all([one.durable, two.durable]);
  expect(
    await Promise.all([...one.positions, ...two.positions].map((at) => journal.read(at))),
  ).toEqual(['"año"', '"b"', '"c"']);
  await journal.close();
  expect(await groupsOf()).toEqual([
    ['uno', ['"año"', '"b"']],
    ['dos', ['"c"']],
  ]);
});

it.each([
  ['half a head', '{"lineas":2,"cab'],
  ['a head without its lines', '{"lineas":2,"cabecera":"dos"}\n'],
  ['a head with one line of two', '{"lineas":2,"cabecera":"dos"}\n"a"\n'],
  ['half of the last line', '{"lineas":2,"cabecera":"dos"}\n"a"\n"b'],
])('cuts off what a crash left behind: %s', async (_, rest) => {
  const journal = await Journal.open(path, () => {});
  await journal.append('uno', ['"a"']).durable;
  await journal.close();
  const { size } = await stat(path);
  await appendFile(path, rest);

  expect(await groupsOf()).toEqual([['uno', ['"a"']]]);
  expect((await stat(path)).size).toBe(size);

  const again = await Journal.open(path, () => {});
  await again.append('tres', ['"z"']).durable;
  await again.close();
  expect((await groupsOf()).map(([head]) => head)).toEqual(['uno', 'tres']);
});

it('goes on where it was once a full disk has room again', async () => {
  const journal = await Journal.open(path, () => {});
  await journal.append('uno', ['"a"']).durable;
  const handle = await open(path);
  const files = Object.getPrototypeOf(handle) as FileHandle;
  await handle.close();
  const { appendFile: append } = files;
  vi.spyOn(files, 'appendFile').mockImplementation(async function (this: FileHandle, data) {
    await append.call(this, data.slice(0, 5));
    throw Object.assign(new Error('no room'), { code: 'ENOSPC' });
  });
  const two = journal.append('dos', ['"b"']);
  await expect(two.durable).rejects.toThrow('no room');
  await expect(journal.read(two.positions[0] as Position)).rejects.toThrow('no room');
  vi.restoreAllMocks();

  expect(await journal.read(two.positions[0] as Position)).toBe('"b"');
  await journal.append('tres', ['"c"']).durable;
  await journal.close();
  expect((await groupsOf()).map(([head]) => head)).toEqual(['uno', 'dos', 'tres']);
});

it('does not take damage in the middle for the end', async () => {
  await appendFile(path, 'nada\n{"lineas":0,"cabecera":"uno"}\n');
  await expect(groupsOf()).rejects.toThrow('byte 0');
  expect(await readFile(path, 'utf8')).toContain('"uno"');
  // Nor does it keep open what nobody could close.
  await vi.waitFor(async () => expect(await openFiles()).not.toContain(path));
});
