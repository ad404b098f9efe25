import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { makeFolder } from './make-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'huella-folder-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('creates missing folders, for their owner only, and accepts existing ones', () => {
  const deep = join(folder, 'a', 'b', 'c');
  makeFolder(deep);
  makeFolder(deep);
  expect(statSync(deep).mode & 0o777).toBe(0o700);
});

it.skipIf(process.platform !== 'linux')('gives up where no folder can be created', () => {
  expect(() => makeFolder('/proc/huella/datos')).toThrow(/ENOENT|EACCES/);
});
