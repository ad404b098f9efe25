import { inflateSync } from 'node:zlib';

/**
 * The objects of a PDF by their number, without the bytes of streams, found through its table and in no other way: a
 * reader that repairs what it opens would not notice a wrong one (ISO 32000-1, 7.5.7 and 7.5.8).
 *
 * @throws {Error} when the table does not lead to them
 */
export function objectsOf(pdf: Uint8Array): Map<number, string> {
  const file = Buffer.from(pdf).toString('latin1');
  const startsAt = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(file)?.[1]);
  const table = streamAt(file, startsAt);
  const widths = /\/W \[(\d+) (\d+) (\d+)\]/.exec(table.head)?.slice(1) ?? [];
  const [kindBytes = 0, firstBytes = 0, secondBytes = 0] = widths.map(Number);
  const size = Number(/\/Size (\d+)/.exec(table.head)?.[1]);
  const width = kindBytes + firstBytes + secondBytes;
  if (table.bytes.length !== size * width) throw new Error('The table is not as long as it says.');

  const entries = Array.from({ length: size }, (_, id) => ({
    id,
    kind: table.bytes.readUIntBE(id * width, kindBytes),
    first: table.bytes.readUIntBE(id * width + kindBytes, firstBytes),
    second: table.bytes.readUIntBE(id * width + kindBytes + firstBytes, secondBytes),
  }));
  const objects = new Map<number, string>();
  const packs = new Map<number, ReturnType<typeof packAt>>();
  for (const { id, kind, first, second } of entries) {
    if (kind === 1) {
      const begins = `${id} 0 obj\n`;
      if (!file.startsWith(begins, first)) throw new Error(`Object ${id} is not at ${first}.`);
      const ends = file.indexOf('\nendobj', first);
      objects.set(id, file.slice(first + begins.length, ends).replace(/\nstream\n.*/s, ''));
    }
    if (kind === 2) {
      const pack = packs.get(first) ?? packAt(file, entries[first]?.first ?? 0);
      packs.set(first, pack);
      if (pack[second]?.id !== id)
        throw new Error(`Object ${id} is not the ${second}th of ${first}.`);
      objects.set(id, pack[second]?.text ?? '');
    }
  }
  return objects;
}

/** What is in the compressed streams of a PDF, as Latin-1. */
export function streamsOf(pdf: Uint8Array): string[] {
  const file = Buffer.from(pdf).toString('latin1');
  const starts = [...file.matchAll(/\n\d+ 0 obj\n(?=<<[^>]*\/FlateDecode)/g)];
  return starts.map(({ index }) => streamAt(file, index + 1).bytes.toString('latin1'));
}

function streamAt(file: string, offset: number): { head: string; bytes: Buffer } {
  const from = file.indexOf('\nstream\n', offset) + '\nstream\n'.length;
  const head = file.slice(offset, from);
  const length = Number(/\/Length (\d+)/.exec(head)?.[1]);
  if (!file.startsWith('\nendstream', from + length)) throw new Error('A length is wrong.');
  const bytes = Buffer.from(file.slice(from, from + length), 'latin1');
  return { head, bytes: head.includes('/FlateDecode') ? inflateSync(bytes) : bytes };
}

function packAt(file: string, offset: number): { id: number; text: string }[] {
  const { head, bytes } = streamAt(file, offset);
  const first = Number(/\/First (\d+)/.exec(head)?.[1]);
  const text = bytes.toString('latin1');
  const index = text.slice(0, first).trim().split(/\s+/).map(Number);
  const count = Number(/\/N (\d+)/.exec(head)?.[1]);
  if (index.length !== count * 2) throw new Error('A pack does not have what it says.');
  return Array.from({ length: count }, (_, place) => ({
    id: index[place * 2] as number,
    text: text
      .slice(
        first + (index[place * 2 + 1] as number),
        first + (index[place * 2 + 3] ?? text.length),
      )
      .trim(),
  }));
}
