import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { draftIn, dropDeadDrafts } from '../scripts/drafts.mjs';

let cache = '';
beforeEach(() => {
  cache = mkdtempSync(join(tmpdir(), 'huella-cache-'));
});
afterEach(() => rmSync(cache, { recursive: true }));

function put(...names: string[]): void {
  for (const name of names) {
    mkdirSync(join(cache, name));
    writeFileSync(join(cache, name, 'que'), '');
  }
}

it('deletes what killed builds left, and nothing that belongs to a living process or to anybody else', () => {
  const { pid: dead } = spawnSync(process.execPath, ['--version']);
  const others = [`huella-${process.ppid}`, 'huella-pruebas-1', 'huella-', 'vite'];
  put(`huella-${dead}`, `huella-${dead}.old`, ...others);
  dropDeadDrafts(cache);
  expect(readdirSync(cache).sort()).toEqual(others.sort());
});

it('deletes its own earlier ones: in a container the process numbers start again', () => {
  put(`huella-${process.pid}`);
  dropDeadDrafts(cache);
  expect(readdirSync(cache)).toEqual([]);
  expect(draftIn(cache)).toBe(join(cache, `huella-${process.pid}`));
});

it('has nothing to delete before the first build', () => {
  expect(() => dropDeadDrafts(join(cache, 'nada'))).not.toThrow();
});
