import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { MESSAGE_DICTIONARY_1 } from './message-dictionary.ts';
import { packMessage, unpackMessage } from './packed-message.ts';

const MESSAGE = Buffer.from(
  '<?xml version="1.0" encoding="UTF-8"?><tik:NombreRazon>Peñas & Cía. «€» 𝔸</tik:NombreRazon>',
);

it('a message is restored byte by byte', async () => {
  for (const message of [MESSAGE, Buffer.alloc(0), Buffer.alloc(3_000_000, MESSAGE)]) {
    const unpacked = await unpackMessage(await packMessage(message));
    expect(unpacked.equals(message)).toBe(true);
  }
});

it('what was stored before there was a dictionary can still be read', async () => {
  expect(await unpackMessage(gzipSync(MESSAGE))).toEqual(MESSAGE);
});

it('a packed message can be read for ever: the dictionary never changes', async () => {
  const packed = Buffer.from(
    'eH3vD9r0I7K9jd4DDEg9vDGxWEFNwfnw2kQ9hUOrHzWtObRb4cPcKTswu4sAA4wmdQ==',
    'base64',
  );
  expect(await unpackMessage(packed)).toEqual(MESSAGE);
  expect(createHash('sha256').update(MESSAGE_DICTIONARY_1).digest('hex')).toBe(
    'c0056dbdac24d85546119c0959ca5da2f51b27f3433f22bdd9ea4e293670c053',
  );
});

it('a damaged message is not accepted as intact', async () => {
  const packed = await packMessage(MESSAGE);
  packed[packed.length - 1] = (packed.at(-1) ?? 0) ^ 1;
  await expect(unpackMessage(packed)).rejects.toThrow();
  await expect(unpackMessage(packed.subarray(0, -6))).rejects.toThrow();
  await expect(unpackMessage(Buffer.from('<xml/>'))).rejects.toThrow();
});
