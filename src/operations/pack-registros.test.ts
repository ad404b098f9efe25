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
const QUESTION = {
  obligado: { NombreRazon: 'Uno & Dos, S.L.', NIF: 'B12345674' },
  range: { fromSeq: 1n, toSeq: 9n },
  modified: NOW,
};

/** A piece of the cadena, with these places, as the store reads it. */
function piece(places: readonly number[]) {
  const rows = places.map((seq, i) => [
    ...[String(seq), i === 1 ? 'Anulacion' : 'Alta', ['1/26', '=2;"x"', '3 ñ'][i], '20-11-2026'],
    ...['A'.repeat(64), '', '2026-11-20T10:00:00+01:00', i === 0 ? 'Correcto' : null],
    ...[i === 1 ? 3000 : null, 'CSV1', Buffer.byteLength(XMLS[i] ?? '')],
  ]);
  return {
    rows: Buffer.from(JSON.stringify(rows)),
    xml: Buffer.from(XMLS.slice(0, places.length).join('')),
  };
}

const linesOf = ({ lines }: PackedRegistros) =>
  Buffer.from(lines).toString().trimEnd().split('\r\n');

it('packs each piece into a file, with its registros as they are, named by all their lines', async () => {
  const packed = packRegistros([piece([1, 2, 3]), piece([4])], QUESTION);
  const folder = await mkdtemp(join(tmpdir(), 'huella-pack-'));
  try {
    const path = join(folder, 'a.zip');
    const entries = (async function* () {
      yield { name: 'antes.txt', content: Buffer.from('antes') };
      yield packed;
      yield packRegistros([piece([5, 6])], QUESTION);
    })();
    await writeFile(path, writeZip(entries, NOW));
    const zip = await openZip(path);
    expect(zip.files.map(({ name }) => name)).toEqual([
      'antes.txt',
      'registros/000001-000003.xml',
      'registros/000004-000004.xml',
      'registros/000005-000006.xml',
    ]);
    const contents = await Promise.all(zip.files.slice(1, 3).map((file) => zip.read(file)));
    await zip.close();
    expect(String(contents[0])).toMatch(
      /^<\?xml version="1.0" encoding="UTF-8"\?><sum:RegFactuSistemaFacturacion xmlns:sum="[^"]+" xmlns:sum1="[^"]+"><sum:Cabecera><sum1:ObligadoEmision><sum1:NombreRazon>Uno &amp; Dos, S.L.<\/sum1:NombreRazon><sum1:NIF>B12345674<\/sum1:NIF><\/sum1:ObligadoEmision><\/sum:Cabecera><sum:RegistroFactura>/,
    );
    expect(String(contents[0])).toContain(`</sum:Cabecera>${XMLS.join('')}</sum:RegFactu`);
    const lines = linesOf(packed).map((line) => line.split(';'));
    expect(lines).toHaveLength(4);
    for (const [i, at] of [0, 0, 0, 1].entries()) {
      const sha256 = createHash('sha256').update(contents[at] ?? '');
      expect(lines[i]?.at(-1)).toBe(sha256.digest('hex'));
    }
    expect(linesOf(packed)[1]).toContain(`2;Anulacion;"'=2;""x""";20-11-2026;`);
    expect(lines[0]).toContain('Correcto');
    expect(lines[2]).toContain('En espera');
    expect(lines[3]?.at(-2)).toBe('registros/000004-000004.xml');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

it('begins another file behind a place that is missing', () => {
  const { files, lines } = packRegistros([piece([1, 2, 4])], QUESTION);
  expect(files.map(({ name }) => name)).toEqual([
    'registros/000001-000002.xml',
    'registros/000004-000004.xml',
  ]);
  expect(linesOf({ files, lines, members: lines })[2]).toContain(';registros/000004-000004.xml;');
});
