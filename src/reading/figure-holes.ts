import { type Glyph, glyphsOf, lettersOf } from './ink.ts';
import { type Shape, shapeOf } from './letter-shapes.ts';
import type { SeenWord } from './seen-words.ts';
import type { GreyPage } from './tax-qr.ts';

/**
 * Tells 0, 6, 8 and 9 apart by the white that their ink encloses: that of a 0 is as high as the figure, a 6 has it in its
 * lower half, a 9 in its upper one, and an 8 has two, one above the other.
 */

/** Figures lower than this, in pixels, may have lost their white to the ink around it. */
const LEAST_HEIGHT = 16;
/** As a part of a figure. */
const LEAST_HOLE = 0.02;
/** As parts of the height of a figure: the hole of a 0 is higher than the first, that of a 6 or a 9 lower than the second. */
const HOLE_OF_ZERO = 0.58;
const HOLE_OF_SIX = 0.5;

/** A piece of white with ink all around it, as parts of the height of its letter. */
export interface Hole {
  readonly top: number;
  readonly bottom: number;
}

/** The word with each figure that its ink says it is. */
export function withFiguresByHoles<W extends SeenWord>(page: GreyPage, word: W): W {
  if (!/[0689]/.test(word.text)) return word;
  const letters = [...word.text];
  const glyphs = lettersOf(glyphsOf(page, word), letters);
  if (!glyphs) return word;
  const said = letters.map((letter, i) => {
    const glyph = glyphs[i];
    return glyph && /[0689]/.test(letter) ? (figureIn(page, word, glyph) ?? letter) : letter;
  });
  return { ...word, text: said.join('') };
}

function figureIn(page: GreyPage, word: SeenWord, glyph: Glyph): string | null {
  const shape = glyph.bottom - glyph.top < LEAST_HEIGHT ? null : shapeOf(page, word, glyph);
  const [hole, lower, more] = shape ? holesOf(shape) : [];
  if (!hole || more) return null;
  if (lower) return hole.bottom <= lower.top ? '8' : null;
  const high = hole.bottom - hole.top;
  if (high > HOLE_OF_ZERO) return '0';
  if (high > HOLE_OF_SIX) return null;
  if (hole.top > 0.4) return '6';
  return hole.bottom < 0.6 ? '9' : null;
}

/**
 * The pieces of white that the ink of a letter encloses, from top to bottom.
 *
 * @param least as a part of the letter: what is smaller is a fault in the ink
 */
export function holesOf(shape: Shape, least = LEAST_HOLE): readonly Hole[] {
  const [high, wide] = [shape.length, shape[0]?.length ?? 0];
  const isSeen = new Uint8Array(high * wide);
  /** The places of a piece of white, or null if it is open. */
  const pieceFrom = (start: number): readonly number[] | null => {
    const piece = [start];
    let isOpen = false;
    isSeen[start] = 1;
    for (const place of piece) {
      const [x, y] = [place % wide, Math.floor(place / wide)];
      if (x === 0 || y === 0 || x === wide - 1 || y === high - 1) isOpen = true;
      for (const next of [place - 1, place + 1, place - wide, place + wide]) {
        const isNeighbour = Math.abs((next % wide) - x) < 2 && next >= 0 && next < high * wide;
        if (!isNeighbour || isSeen[next] === 1 || shape[Math.floor(next / wide)]?.[next % wide])
          continue;
        isSeen[next] = 1;
        piece.push(next);
      }
    }
    return isOpen ? null : piece;
  };
  const holes: Hole[] = [];
  for (let start = 0; start < high * wide; start += 1) {
    if (isSeen[start] === 1 || shape[Math.floor(start / wide)]?.[start % wide]) continue;
    const piece = pieceFrom(start);
    if (!piece || piece.length < least * high * wide) continue;
    const rows = piece.map((place) => Math.floor(place / wide));
    holes.push({ top: Math.min(...rows) / high, bottom: (Math.max(...rows) + 1) / high });
  }
  return holes.sort((a, b) => a.top - b.top);
}
