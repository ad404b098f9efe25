import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { replace } from '../scripts/replace.mjs';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'huella-sitio-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function put(name: string, content: string): string {
  mkdirSync(join(folder, name));
  writeFileSync(join(folder, name, 'que'), content);
  return join(folder, name);
}

it('puts a build where there is none yet, and in the place of the previous one', () => {
  for (const build of ['uno', 'dos']) {
    replace(put('nuevo', build), join(folder, 'dist'));
    expect(readFileSync(join(folder, 'dist/que'), 'utf8')).toBe(build);
    expect(readdirSync(folder)).toEqual(['dist']);
  }
});

it('does so where another process with its number was killed half way', () => {
  put('dist', 'uno');
  put('nuevo.old', 'cero');
  replace(put('nuevo', 'dos'), join(folder, 'dist'));
  expect(readFileSync(join(folder, 'dist/que'), 'utf8')).toBe('dos');
  expect(readdirSync(folder)).toEqual(['dist']);
});
