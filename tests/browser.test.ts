import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fillFolder } from './support/browser.ts';

let place: string;
let folder: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'huella-folders-'));
  folder = join(place, 'browser');
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

const hasBoth = () => existsSync(join(folder, 'one')) && existsSync(join(folder, 'two'));
const fillBoth = async (draft: string) => {
  writeFileSync(join(draft, 'one'), '');
  await new Promise((resolve) => setTimeout(resolve, 5));
  writeFileSync(join(draft, 'two'), '');
};

it('fills again a folder that somebody left half way', async () => {
  mkdirSync(folder);
  writeFileSync(join(folder, 'one'), '');
  expect(await fillFolder(folder, hasBoth, fillBoth)).toBe(true);
  expect(readdirSync(place)).toEqual(['browser']);
  const again = fillFolder(folder, hasBoth, () => Promise.reject(new Error('It was good.')));
  expect(await again).toBe(true);
});

it('leaves nothing of what could not be filled', async () => {
  const half = async (draft: string) => {
    writeFileSync(join(draft, 'one'), '');
    throw new Error('no space left');
  };
  await expect(fillFolder(folder, hasBoth, half)).rejects.toThrow('no space left');
  expect(readdirSync(place)).toEqual([]);
});

it('is filled by two at once', async () => {
  const both = [1, 2].map(() => fillFolder(folder, hasBoth, fillBoth));
  expect(await Promise.all(both)).toEqual([true, true]);
  expect(readdirSync(place)).toEqual(['browser']);
});
