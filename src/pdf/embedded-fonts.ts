import type { Doc } from './canvas.ts';
import { type Font, fontOf, type Glyph, type Shaped, type Weight } from './fonts.ts';

type Reference = ReturnType<Doc['ref']>;

/** The fonts of a document: of each weight that it uses, only the letters that it uses. */
export class EmbeddedFonts {
  readonly #doc: Doc;
  readonly #fonts = new Map<Weight, EmbeddedFont>();

  constructor(doc: Doc) {
    this.#doc = doc;
  }

  /** The font by the name that the page knows it by, with a text as an operand of `TJ`. */
  show(weight: Weight, shaped: Shaped): { readonly name: string; readonly shown: string } {
    const font = this.#fonts.get(weight) ?? new EmbeddedFont(fontOf(weight), this.#doc.ref({}));
    this.#fonts.set(weight, font);
    const name = `F${weight}`;
    (this.#doc.page as unknown as { fonts: Record<string, Reference> }).fonts[name] ??=
      font.dictionary;
    return { name, shown: font.show(shaped) };
  }

  /** Writes them, once nothing more will be drawn. */
  end(): void {
    for (const font of this.#fonts.values()) font.end(this.#doc);
  }
}

/** Characters that one range of a map to Unicode may have: their numbers share the first byte. */
const RANGE = 256;

class EmbeddedFont {
  readonly dictionary: Reference;
  readonly #font: Font;
  readonly #glyphs: Glyph[] = [];
  /** Number of each glyph in this document, as four hexadecimal figures. */
  readonly #numbers = new Map<number, string>();

  constructor(font: Font, dictionary: Reference) {
    this.#font = font;
    this.dictionary = dictionary;
    this.#numberOf(font.missing);
  }

  show({ glyphs, advances }: Shaped): string {
    let shown = '[<';
    for (let index = 0; index < glyphs.length; index++) {
      const glyph = glyphs[index] as Glyph;
      shown += this.#numbers.get(glyph.id) ?? this.#numberOf(glyph);
      const nearer = glyph.width - (advances[index] as number);
      if (Math.abs(nearer) > 0.001) shown += `> ${short(nearer)} <`;
    }
    return `${shown}>]`;
  }

  #numberOf(glyph: Glyph): string {
    const number = hex(this.#glyphs.push(glyph) - 1);
    this.#numbers.set(glyph.id, number);
    return number;
  }

  /** ISO 32000-1, 9.7: a font of two bytes for each letter, whose numbers are those of its file. */
  end(doc: Doc): void {
    const { file, ...facts } = this.#font;
    const write = (data: object, content?: string | Uint8Array): Reference => {
      const reference = doc.ref(data);
      reference.end(content as Uint8Array);
      return reference;
    };
    const ids = this.#glyphs.map(({ id }) => id);
    const name = `${tagOf(ids)}+${facts.name}`;
    const descriptor = write({
      Type: 'FontDescriptor',
      FontName: name,
      Flags: 4,
      FontBBox: facts.box,
      ItalicAngle: facts.italicAngle,
      Ascent: facts.ascent,
      Descent: facts.descent,
      CapHeight: facts.capHeight,
      XHeight: facts.xHeight,
      StemV: 0,
      FontFile2: write({}, file.subset(ids)),
    });
    const descendant = write({
      Type: 'Font',
      Subtype: 'CIDFontType2',
      BaseFont: name,
      CIDSystemInfo: {
        Registry: new String('Adobe'),
        Ordering: new String('Identity'),
        Supplement: 0,
      },
      FontDescriptor: descriptor,
      W: [0, this.#glyphs.map(({ width }) => width)],
      CIDToGIDMap: 'Identity',
    });
    Object.assign(this.dictionary.data, {
      Type: 'Font',
      Subtype: 'Type0',
      BaseFont: name,
      Encoding: 'Identity-H',
      DescendantFonts: [descendant],
      ToUnicode: write({}, this.#toUnicode()),
    });
    this.dictionary.end(undefined as never);
  }

  #toUnicode(): string {
    const texts = this.#glyphs.map(
      ({ codePoints }) => `<${Buffer.from(utf16Of(codePoints)).toString('hex')}>`,
    );
    const ranges: string[] = [];
    for (let from = 0; from < texts.length; from += RANGE) {
      const some = texts.slice(from, from + RANGE);
      ranges.push(`<${hex(from)}> <${hex(from + some.length - 1)}> [${some.join(' ')}]`);
    }
    return `/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<0000> <ffff>
endcodespacerange
${ranges.length} beginbfrange
${ranges.join('\n')}
endbfrange
endcmap
CMapName currentdict /CMap defineresource pop
end
end`;
  }
}

/** Six capitals that tell a subset from others of the same font (ISO 32000-1, 9.6.4). */
function tagOf(ids: readonly number[]): string {
  let mixed = 7;
  for (const id of ids) mixed = (mixed * 31 + id) % 26 ** 6;
  return Array.from({ length: 6 }, (_, place) =>
    String.fromCharCode(65 + (Math.floor(mixed / 26 ** place) % 26)),
  ).join('');
}

function utf16Of(codePoints: readonly number[]): Buffer {
  return Buffer.from(String.fromCodePoint(...codePoints), 'utf16le').swap16();
}

function hex(number: number): string {
  return number.toString(16).padStart(4, '0');
}

/** A length with as many decimals as can be told apart. */
export function short(length: number): number {
  return Math.round(length * 1000) / 1000;
}
