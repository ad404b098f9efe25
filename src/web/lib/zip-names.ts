const SIGNATURE = [0x50, 0x4b, 0x03, 0x04] as const;
/** Where a local header says how long its name is, and where that begins (APPNOTE.TXT 6.3.10, 4.3.7). */
const NAME_LENGTH_AT = 26;
const NAME_AT = 30;
/** No name of ours is longer: what says so is not a header, but bytes of a file that look like one. */
const MAX_NAME = 300;

/** Reads the names of the files of a ZIP while it comes, piece by piece, wherever the pieces are cut. */
export function zipNames(onName: (name: string) => void): (piece: Uint8Array) => void {
  const decoder = new TextDecoder();
  let rest: Uint8Array = new Uint8Array();
  return (piece) => {
    const bytes = joined(rest, piece);
    let at = 0;
    for (;;) {
      at = headerFrom(bytes, at);
      if (at + NAME_AT > bytes.length) break;
      const length = new DataView(bytes.buffer, bytes.byteOffset + at).getUint16(
        NAME_LENGTH_AT,
        true,
      );
      if (length <= MAX_NAME) {
        if (at + NAME_AT + length > bytes.length) break;
        onName(decoder.decode(bytes.subarray(at + NAME_AT, at + NAME_AT + length)));
      }
      at += SIGNATURE.length;
    }
    rest = bytes.slice(at);
  };
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  if (a.length === 0) return b;
  const bytes = new Uint8Array(a.length + b.length);
  bytes.set(a);
  bytes.set(b, a.length);
  return bytes;
}

/** Where the next header begins, or may begin: what is left behind it is not enough to tell. */
function headerFrom(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(SIGNATURE[0], from); at !== -1; ) {
    const isHeader = SIGNATURE.every((byte, i) => (bytes[at + i] ?? byte) === byte);
    if (isHeader) return at;
    at = bytes.indexOf(SIGNATURE[0], at + 1);
  }
  return bytes.length;
}
