import { expect, it } from 'vitest';
import { zipNames } from './zip-names.ts';

/** A local header and what stands behind it, as far as names go. */
function member(name: string, content: string): Uint8Array {
  const bytes = new Uint8Array(30 + name.length + content.length);
  bytes.set([0x50, 0x4b, 0x03, 0x04]);
  bytes[26] = name.length;
  bytes.set(new TextEncoder().encode(name + content), 30);
  return bytes;
}

const ZIP = [
  member('00001-26.pdf', 'PPK\u0003P'),
  member('00002-26.pdf', ''),
  member('x.csv', 'PK'),
].flatMap((bytes) => [...bytes]);
const NAMES = ['00001-26.pdf', '00002-26.pdf', 'x.csv'];

it.each([1, 2, 3, 29, 31, 1000])('reads each name once, in pieces of %i bytes', (size) => {
  const names: string[] = [];
  const read = zipNames((name) => names.push(name));
  for (let at = 0; at < ZIP.length; at += size) read(Uint8Array.from(ZIP.slice(at, at + size)));
  expect(names).toEqual(NAMES);
});

it('takes no long name for one', () => {
  const names: string[] = [];
  const bytes = member('a.pdf', '');
  bytes[27] = 0xff;
  zipNames((name) => names.push(name))(bytes);
  expect(names).toEqual([]);
});
