import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openZip } from '../cli/zip-reader.ts';
import { type PackedRegistros, packRegistros } from './pack-registros.ts';
import { writeZip } from './zip-writer.ts';

const XMLS = [
  '<sum:RegistroFactura><sum1:A>Ñandú € 😀</sum1:A></sum:RegistroFactura>',
  `<sum:RegistroFactura>${'1234567890'.repeat(4_000)}</sum:RegistroFactura>`,
  '<nada/>',
];

const NOW = new Date('2026-11-20T10:00:00Z');

/** Packed from what the store reads. */
function pack(numbers: readonly string[]): PackedRegistros {
  const rows = numbers.map((number, i) => [
    ...[String(i + 1), i === 1 ? 'Anulacion' : 'Alta', number, '20-11-2026', 'A'.repeat(64), ''],
    ...['2026-11-20T10:00:00+01:00', i === 0 ? 'Correcto' : null, i === 1 ? 3000 : null, 'CSV1'],
    Buffer.byteLength(XMLS[i] ?? ''),
  ]);
  const batch = {
    rows: Buffer.from(JSON.stringify(rows)),
    xml: Buffer.from(XMLS.slice(0, numbers.length).join('')),
  };
  return packRegistros(batch, 3n, NOW);
}

it('packs each registro into a file of its own, which the manifest names with its SHA-256', async () => {
  const packed = pack(['1/26', '=2;"x"', '3 ñ']);
  const folder = await mkdtemp(join(tmpdir(), 'huella-pack-'));
  try {
    const path = join(folder, 'a.zip');
    const entries = (async function* () {
      yield { name: 'antes.txt', content: Buffer.from('antes') };
      yield packed;
      yield pack(['otra/26']);
    })();
    await writeFile(path, writeZip(entries, NOW));
    const zip = await openZip(path);
    expect(zip.files.map(({ name }) => name)).toEqual([
      'antes.txt',
      'registros/000001-1-26-alta.xml',
      'registros/000002--2-x--anulacion.xml',
      'registros/000003-3--alta.xml',
      'registros/000001-otra-26-alta.xml',
    ]);
    const contents = await Promise.all(zip.files.slice(1, 4).map((file) => zip.read(file)));
    await zip.close();
    expect(String(contents[0])).toMatch(
      /^<\?xml version="1.0" encoding="UTF-8"\?><sum:RegistroFactura xmlns:sum="[^"]+" xmlns:sum1="[^"]+"><sum1:A>Ñandú € 😀</,
    );
    expect(String(contents[1])).toContain('1234567890'.repeat(4_000));
    expect(String(contents[2])).toBe('<nada/>');
    const lines = packed.lines.split('\r\n').map((line) => line.split(';'));
    for (const [i, content] of contents.entries()) {
      expect(lines[i]?.at(-1)).toBe(createHash('sha256').update(content).digest('hex'));
    }
    expect(packed.lines).toContain(`2;Anulacion;"'=2;""x""";20-11-2026;`);
    expect(lines[0]).toContain('Correcto');
    expect(lines[2]).toContain('En espera');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
