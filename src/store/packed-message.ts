/**
 * Compression of stored messages to the AEAT and their answers, with a dictionary of what all of them have in common
 * (decision 0241).
 */
import { promisify } from 'node:util';
import { deflate, gunzip, inflate } from 'node:zlib';
import { MESSAGE_DICTIONARY_1 } from './message-dictionary.ts';

/** Higher levels save a tenth more in a message of one registro, and take twice as long for one of a thousand. */
const LEVEL = 3;
const dictionary = Buffer.from(MESSAGE_DICTIONARY_1);
/** First byte of gzip (RFC 1952, 2.3.1), the format used before the dictionary. */
const GZIP = 0x1f;

const packWith = promisify(deflate);
const unpackWith = promisify(inflate);
const unzip = promisify(gunzip);

/** @returns a zlib stream (RFC 1950) that names its dictionary, some 400 bytes for a message of one registro */
export function packMessage(message: string | Uint8Array): Promise<Buffer> {
  return packWith(message, { level: LEVEL, dictionary });
}

/**
 * The message, byte by byte as it was.
 *
 * @param packed from `packMessage`, or the gzip used before it
 * @throws {Error} of zlib, if it is neither or its checksum is wrong
 */
export function unpackMessage(packed: Uint8Array): Promise<Buffer> {
  return packed[0] === GZIP ? unzip(packed) : unpackWith(packed, { dictionary });
}
