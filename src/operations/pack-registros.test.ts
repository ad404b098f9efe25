import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openZip } from '../cli/zip-reader.ts';
import { RegistrosPacker } from './pack-registros.ts';
import { writeZip } from './zip-writer.ts';

const XMLS = [
  '<sum:RegistroFactura><sum1:A>Ñandú € 😀</sum1:A></sum:RegistroFactura>',
  `<sum:RegistroFactura>${'1234567890'.repeat(4_000)}</sum:RegistroFactura>`,
  '<nada/>',
];

const NOW = new Date('2026-11-20T10:00:00Z');
const QUESTION = {
  obligado: { NombreRazon: 'Uno & Dos, S.L.', NIF: 'B12345674' },
  range: { fromSeq: 1n, toSeq: 90n },
  modified: NOW,
};

/** The registros in these places of the cadena, as the store reads them. */
function packed(places: readonly number[], packer = new RegistrosPacker(QUESTION)) {
  // Each is overwritten by the next one, like rows that are copied out.
  const memory = Buffer.alloc(50_000);
  for (const [i, seq] of places.entries()) {
    const registro = {
      seq,
      TipoRegistro: i === 1 ? 'Anulacion' : 'Alta',
      NumSerieFactura: ['1/26', '=2;"x"', '3 ñ'][i] ?? `${seq}/26`,
      FechaExpedicionFactura: '20-11-2026',
      Huella: 'A'.repeat(64),
      HuellaAnterior: '',
      FechaHoraHusoGenRegistro: '2026-11-20T10:00:00+01:00',
      EstadoRegistro: i === 0 ? 'Correcto' : '',
      CodigoErrorRegistro: i === 1 ? '3000' : '',
      isWithheld: i === 2,
      CSV: 'CSV1',
    };
    const length = memory.write(XMLS[i % XMLS.length] ?? '');
    packer.add({ registro, xml: memory.subarray(0, length) });
  }
  const { lines, ...members } = packer.take();
  return { ...members, lines: String(lines).trimEnd().split('\r\n') };
}

it('packs the registros of fifty places unchanged into a file, listed with all their lines', async () => {
  const packer = new RegistrosPacker(QUESTION);
  const first = packed([48, 49, 50, 51], packer);
  const folder = await mkdtemp(join(tmpdir(), 'huella-pack-'));
  try {
    const path = join(folder, 'a.zip');
    const entries = (async function* () {
      yield { name: 'antes.txt', content: Buffer.from('antes') };
      yield first;
      yield packed([52, 53], packer);
    })();
    await writeFile(path, writeZip(entries, NOW));
    const zip = await openZip(path);
    expect(zip.files.map(({ name }) => name)).toEqual([
      'antes.txt',
      'registros/000048-000050.xml',
      'registros/000051-000051.xml',
      'registros/000052-000053.xml',
    ]);
    const contents = await Promise.all(zip.files.slice(1, 3).map((file) => zip.read(file)));
    await zip.close();
    expect(String(contents[0])).toMatch(
      /^<\?xml version="1.0" encoding="UTF-8"\?><sum:RegFactuSistemaFacturacion xmlns:sum="[^"]+" xmlns:sum1="[^"]+"><sum:Cabecera><sum1:ObligadoEmision><sum1:NombreRazon>Uno &amp; Dos, S.L.<\/sum1:NombreRazon><sum1:NIF>B12345674<\/sum1:NIF><\/sum1:ObligadoEmision><\/sum:Cabecera><sum:RegistroFactura>/,
    );
    expect(String(contents[0])).toContain(`</sum:Cabecera>${XMLS.join('')}</sum:RegFactu`);
    const lines = first.lines.map((line) => line.split(';'));
    expect(lines).toHaveLength(4);
    for (const [i, at] of [0, 0, 0, 1].entries()) {
      const sha256 = createHash('sha256').update(contents[at] ?? '');
      expect(lines[i]?.at(-1)).toBe(sha256.digest('hex'));
    }
    expect(first.lines[1]).toContain(`49;Anulacion;"'=2;""x""";20-11-2026;`);
    expect(lines[0]).toContain('Correcto');
    expect(lines[2]).toContain('No enviada a la AEAT');
    expect(lines[3]).toContain('En espera');
    expect(lines[3]?.at(-2)).toBe('registros/000051-000051.xml');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

it('starts another file after a missing place', () => {
  const { files, lines } = packed([1, 2, 4]);
  expect(files.map(({ name }) => name)).toEqual([
    'registros/000001-000002.xml',
    'registros/000004-000004.xml',
  ]);
  expect(lines[2]).toContain(';registros/000004-000004.xml;');
});
