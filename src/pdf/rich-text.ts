/** Lines of text whose words differ in weight and colour, as in the manual's paragraphs. */

import type { Token, Tokens } from 'marked';
import { type Doc, drawText, measure } from './canvas.ts';
import { ACCENT, INK, type TextStyle } from './styles.ts';

/** Part of a line in one style. */
export interface Run {
  readonly text: string;
  readonly style: TextStyle;
}

type Line = readonly Run[];

/** The words of some Markdown, each with the style of its context. */
export function runsOf(tokens: readonly Token[], style: TextStyle): Run[] {
  return tokens.flatMap((token) => {
    switch (token.type) {
      case 'strong':
        return runsOf((token as Tokens.Strong).tokens, { ...style, weight: 600, color: INK });
      case 'em':
        return runsOf((token as Tokens.Em).tokens, { ...style, weight: 500 });
      case 'link':
        return runsOf((token as Tokens.Link).tokens, { ...style, color: ACCENT });
      case 'codespan':
        return [{ text: (token as Tokens.Codespan).text, style: { ...style, weight: 500 } }];
      case 'text':
      case 'escape': {
        const { tokens: inner, text } = token as Tokens.Text;
        return inner ? runsOf(inner, style) : [{ text: text.replaceAll('\n', ' '), style }];
      }
      default:
        throw new Error(`The manual has a «${token.type}» inside a text, which is not drawn.`);
    }
  });
}

/** Lines no wider than `width` millimetres. They only break at blanks, whatever the styles. */
export function breakRuns(runs: readonly Run[], width: number): Line[] {
  const lines: Run[][] = [[]];
  let lineWidth = 0;
  for (const word of wordsOf(runs)) {
    const wordWidth = word.reduce((sum, { text, style }) => sum + measure(text, style), 0);
    const blank = word[0] ? measure(' ', word[0].style) : 0;
    const line = lines.at(-1) as Run[];
    if (line.length > 0 && lineWidth + blank + wordWidth > width) {
      lines.push([...word]);
      lineWidth = wordWidth;
      continue;
    }
    if (line.length > 0) {
      line.push({ text: ' ', style: word[0]?.style ?? (line[0] as Run).style });
      lineWidth += blank;
    }
    line.push(...word);
    lineWidth += wordWidth;
  }
  return lines;
}

/** A word is what stands between blanks: «**Ctrl**+S» is one, in two styles. */
function wordsOf(runs: readonly Run[]): Run[][] {
  const words: Run[][] = [];
  let isOpen = false;
  for (const { text, style } of runs) {
    text.split(' ').forEach((piece, index) => {
      if (index > 0) isOpen = false;
      if (piece === '') return;
      if (isOpen) words.at(-1)?.push({ text: piece, style });
      else words.push([{ text: piece, style }]);
      isOpen = true;
    });
  }
  return words;
}

/** Draws lines one below the other. Between two there is an invisible space for screen readers. */
export function drawRuns(
  doc: Doc,
  lines: readonly Line[],
  x: number,
  baseline: number,
  step: number,
): void {
  lines.forEach((line, index) => {
    let at = x;
    line.forEach(({ text, style }, place) => {
      const isLast = place === line.length - 1 && index < lines.length - 1;
      drawText(doc, isLast ? `${text} ` : text, at, baseline + index * step, style);
      at += measure(text, style);
    });
  });
}
