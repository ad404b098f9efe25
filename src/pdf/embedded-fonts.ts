import { deflateSync } from 'node:zlib';
import type { Doc } from './canvas.ts';
import { type Font, fontOf, type Glyph, type Shaped, type Weight } from './fonts.ts';

type Reference = ReturnType<Doc['ref']>;

/**
 * The fonts of a document. For each weight in use: the usual letters, subset and compressed once for the life of the
 * process, plus any others that it uses.
 */
export class EmbeddedFonts {
  readonly #doc: Doc;
  readonly #fonts = new Map<Weight, EmbeddedFont>();

  constructor(doc: Doc) {
    this.#doc = doc;
  }

  /** The font by its name on the page, and a text as an operand of `TJ`. */
  show(weight: Weight, shaped: Shaped): { readonly name: string; readonly shown: string } {
    const font = this.#fonts.get(weight) ?? new EmbeddedFont(usualOf(weight), this.#doc.ref({}));
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

/** Texts with the letters of Spain's languages, those most common in invoices first. */
const TEXTS = [
  ...' 0123456789,.',
  ...'eaosrnidlctumpbgvyqhfzjóíáúéxñ',
  ...'CFDPIVBNTELASMRGHOUQ%€/:-',
  ..."JYZXWkwKÁÉÍÓÚÑ()ªº&*;·'",
  ...'àèïòüçÀÈÏÒÜÇ−',
];

/**
 * What nearly all invoices in Spain are written with. A sign between capitals has another shape (`fonts.ts`): where
 * that is common, there is a text with it.
 */
const USUAL: Readonly<Record<Weight, readonly string[]>> = {
  400: [...TEXTS, 'A:', '×'],
  500: [...TEXTS, 'A-1'],
  600: ['VERI*FACTU', ...TEXTS, 'A-1'],
  700: [...' 0123456789,.€Total factura IVA incluido/%−'], // Used only for the total.
};

/** A document embeds the usual letters up to the last one that it uses, rounded up to a multiple of this. */
const STEP = 16;

/** Some letters of a font, ready to be written. */
interface Packed {
  readonly name: string;
  /** Thousandths of the font size, in the order of the letters' numbers. */
  readonly widths: readonly number[];
  /** Compressed. */
  readonly file: Uint8Array;
  readonly toUnicode: Uint8Array;
}

interface UsualLetters {
  readonly font: Font;
  readonly glyphs: readonly Glyph[];
  /** The number of each glyph, the same in every document. */
  readonly numbers: ReadonlyMap<Glyph, number>;
  /** By the number of letters they contain. */
  readonly packed: Map<number, Packed>;
}

const usual = new Map<Weight, UsualLetters>();

function usualOf(weight: Weight): UsualLetters {
  const known = usual.get(weight);
  if (known) return known;
  const font = fontOf(weight);
  const letters = USUAL[weight].flatMap((text) => font.shape(text).glyphs);
  const glyphs = [...new Set([font.missing, ...letters])];
  const made = {
    font,
    glyphs,
    numbers: new Map(glyphs.map((glyph, index) => [glyph, index])),
    packed: new Map(),
  };
  usual.set(weight, made);
  return made;
}

/** The usual letters up to that one, and a few more. */
function packUsual({ font, glyphs, packed }: UsualLetters, last: number): Packed {
  const count = Math.min(Math.ceil((last + 1) / STEP) * STEP, glyphs.length);
  const known = packed.get(count) ?? pack(font, glyphs.slice(0, count));
  packed.set(count, known);
  return known;
}

class EmbeddedFont {
  readonly dictionary: Reference;
  readonly #usual: UsualLetters;
  /** Glyphs that this document uses besides the usual ones, numbered after them. */
  readonly #others = new Map<Glyph, number>();
  /** The highest number in use. */
  #last = 0;

  constructor(letters: UsualLetters, dictionary: Reference) {
    this.#usual = letters;
    this.dictionary = dictionary;
  }

  show({ glyphs, advances }: Shaped): string {
    let shown = '[<';
    for (let index = 0; index < glyphs.length; index++) {
      const glyph = glyphs[index] as Glyph;
      const number =
        this.#usual.numbers.get(glyph) ?? this.#others.get(glyph) ?? this.#number(glyph);
      if (number > this.#last) this.#last = number;
      shown += hex(number);
      const nearer = glyph.width - (advances[index] as number);
      if (Math.abs(nearer) > 0.001) shown += `> ${short(nearer)} <`;
    }
    return `${shown}>]`;
  }

  #number(glyph: Glyph): number {
    const number = this.#usual.glyphs.length + this.#others.size;
    this.#others.set(glyph, number);
    return number;
  }

  /** ISO 32000-1, 9.7: a font with two bytes per letter, which are the letter's number in the font file. */
  end(doc: Doc): void {
    const { font, glyphs } = this.#usual;
    const { name, widths, file, toUnicode } =
      this.#others.size === 0
        ? packUsual(this.#usual, this.#last)
        : pack(font, [...glyphs, ...this.#others.keys()]);
    const write = (data: object, content?: Uint8Array): Reference => {
      const reference = doc.ref(content ? { ...data, Filter: 'FlateDecode' } : data);
      reference.end(content as Uint8Array);
      return reference;
    };
    const descriptor = write({
      Type: 'FontDescriptor',
      FontName: name,
      Flags: 4,
      FontBBox: font.box,
      ItalicAngle: font.italicAngle,
      Ascent: font.ascent,
      Descent: font.descent,
      CapHeight: font.capHeight,
      XHeight: font.xHeight,
      StemV: 0,
      FontFile2: write({}, file),
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
      W: [0, widths],
      CIDToGIDMap: 'Identity',
    });
    Object.assign(this.dictionary.data, {
      Type: 'Font',
      Subtype: 'Type0',
      BaseFont: name,
      Encoding: 'Identity-H',
      DescendantFonts: [descendant],
      ToUnicode: write({}, toUnicode),
    });
    this.dictionary.end(undefined as never);
  }
}

function pack(font: Font, glyphs: readonly Glyph[]): Packed {
  const ids = glyphs.map(({ id }) => id);
  return {
    name: `${tagOf(ids)}+${font.name}`,
    widths: glyphs.map(({ width }) => short(width)),
    file: deflateSync(font.file.subset(ids)),
    toUnicode: deflateSync(toUnicodeOf(glyphs)),
  };
}

/** Characters in one range of a map to Unicode: their numbers share the first byte. */
const RANGE = 256;

/** A glyph that stands for no character is in no range: with an empty text, pypdf ignores the whole map. */
function toUnicodeOf(glyphs: readonly Glyph[]): string {
  const texts = glyphs.map(({ codePoints }) => utf16Of(codePoints).toString('hex'));
  const ranges: string[] = [];
  for (let from = 0; from < texts.length; ) {
    const rest = texts.slice(from, from + RANGE - (from % RANGE));
    const end = rest.indexOf('');
    const some = end < 0 ? rest : rest.slice(0, end);
    const last = from + some.length - 1;
    if (some.length > 0) ranges.push(`<${hex(from)}> <${hex(last)}> [<${some.join('> <')}>]`);
    from = last + (end < 0 ? 1 : 2);
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

/** Six capitals that distinguish a subset from others of the same font (ISO 32000-1, 9.6.4). */
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

/** The numbers of letters as four hexadecimal digits, cached by byte. */
const HEX = Array.from({ length: 256 }, (_, number) => number.toString(16).padStart(4, '0'));

function hex(number: number): string {
  return HEX[number] ?? number.toString(16).padStart(4, '0');
}

/** A length with only as many decimals as can be distinguished. */
export function short(length: number): number {
  return Math.round(length * 1000) / 1000;
}
