import { createHash } from 'node:crypto';
import { crc32, inflateRawSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { Packer, packFiles } from './pack-files.ts';

const TEXTS = ['', '<a/>', `<ñ>${'1234567890'.repeat(4_000)}</ñ>`, 'fin'];

it('packs each file so that it comes out again, with its CRC, size and SHA-256', () => {
  const { data, ends, crcs, sizes, sha256s } = packFiles(TEXTS);
  expect(ends.at(-1)).toBe(data.length);
  for (const [i, text] of TEXTS.entries()) {
    const content = inflateRawSync(data.subarray(ends[i - 1] ?? 0, ends[i]));
    expect(content.toString()).toBe(text);
    expect(crcs[i]).toBe(crc32(content));
    expect(sizes[i]).toBe(content.length);
    expect(sha256s[i]).toBe(createHash('sha256').update(content).digest('hex'));
  }
});

it('packs the same in a thread, in the order it was asked, and says when it was closed', async () => {
  const packer = new Packer();
  try {
    const batches = await Promise.all([packer.pack(TEXTS), packer.pack(['otra']), packer.pack([])]);
    expect(batches).toEqual([packFiles(TEXTS), packFiles(['otra']), packFiles([])]);
    const cut = packer.pack(TEXTS);
    const ended = expect(cut).rejects.toThrow('closed');
    await packer.close();
    await ended;
    await expect(packer.pack(TEXTS)).rejects.toThrow('closed');
  } finally {
    await packer.close();
  }
}, 30_000);
