import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openZip } from '../cli/zip-reader.ts';
import { writeZip, type ZipEntry } from './zip-writer.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'huella-zip-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function written(entries: AsyncIterable<ZipEntry>): Promise<string> {
  const path = join(folder, 'a.zip');
  await writeFile(path, writeZip(entries, new Date('2026-11-20T10:00:00Z')));
  return path;
}

it('returns every file, whole or in pieces, empty or with odd names', async () => {
  const large = randomBytes(700_000);
  const zip = await openZip(
    await written(
      (async function* () {
        yield { name: 'vacío.txt', content: Buffer.alloc(0) };
        yield { name: 'registros/ñ-1.xml', content: Buffer.from('<a/>') };
        yield {
          name: 'manifiesto.csv',
          content: (async function* () {
            yield large.subarray(0, 300_000);
            yield large.subarray(300_000);
          })(),
        };
        yield { name: 'después.txt', content: Buffer.from('fin') };
      })(),
    ),
  );
  expect(zip.files.map(({ name }) => name)).toEqual([
    'vacío.txt',
    'registros/ñ-1.xml',
    'manifiesto.csv',
    'después.txt',
  ]);
  const contents = await Promise.all(zip.files.map((file) => zip.read(file)));
  expect(contents.map(String)[1]).toBe('<a/>');
  expect(contents[2]?.equals(large)).toBe(true);
  expect(contents.map(String)[3]).toBe('fin');
  await zip.close();
});

it('exceeds the 65,535 files of the old format', async () => {
  const zip = await openZip(
    await written(
      (async function* () {
        for (let i = 0; i < 66_000; i++) yield { name: `${i}.txt`, content: Buffer.from(`n${i}`) };
      })(),
    ),
  );
  expect(zip.files).toHaveLength(66_000);
  const last = zip.files.at(-1);
  expect(last && String(await zip.read(last))).toBe('n65999');
  await zip.close();
});

it('fails with the error of its content, instead of writing half a ZIP', async () => {
  const broken = (async function* (): AsyncGenerator<Uint8Array> {
    yield Buffer.from('x');
    throw new Error('the disk is gone');
  })();
  const entries = (async function* () {
    yield { name: 'a', content: broken };
  })();
  await expect(written(entries)).rejects.toThrow('the disk is gone');
});

it('recognises a truncated ZIP, another kind of file, and a changed byte', async () => {
  const path = await written(
    (async function* () {
      yield { name: 'a.xml', content: Buffer.from('<registro>con algo de texto</registro>') };
    })(),
  );
  const other = join(folder, 'b.zip');
  await writeFile(other, 'no es un zip');
  await expect(openZip(other)).rejects.toThrow('No es un ZIP');
  const { readFile } = await import('node:fs/promises');
  const bytes = await readFile(path);
  await writeFile(other, bytes.subarray(0, bytes.length - 30));
  await expect(openZip(other)).rejects.toThrow('ZIP');
  for (let at = 35; at < 35 + 20; at++) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 0x10;
    await writeFile(other, changed);
    const zip = await openZip(other);
    const [file] = zip.files;
    await expect(file && zip.read(file)).rejects.toThrow('dañado');
    await zip.close();
  }
});
