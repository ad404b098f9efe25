import { describe, expect, it } from 'vitest';
import { columnsApart, layersOf, marginsOf, turnedBack, turnedBox, without } from './layers.ts';
import type { GreyPage } from './tax-qr.ts';

const PAGE = { width: 2480, height: 1200 };
type Area = readonly [x: number, y: number, w: number, h: number];

/** A white page with black areas. */
function pageOf(...areas: readonly Area[]): GreyPage {
  const data = new Uint8Array(PAGE.width * PAGE.height).fill(255);
  for (const [x, y, w, h] of areas)
    for (let row = y; row < y + h; row += 1)
      data.fill(0, row * PAGE.width + x, row * PAGE.width + x + w);
  return { data, ...PAGE };
}

/** Lines of words, as solid black boxes, one below another. */
const textAt = (x: number, y: number, lines: number): Area[] =>
  Array.from({ length: lines }, (_, i) => i).flatMap((i): Area[] => [
    [x, y + i * 50, 120, 36],
    [x + 132, y + i * 50, 200, 36],
  ]);

describe('columns side by side', () => {
  it('are read together if their lines are level', () => {
    const page = pageOf(...textAt(160, 200, 4), ...textAt(1300, 204, 4));
    expect(columnsApart(page)).toEqual([]);
    expect(layersOf(page)).toMatchObject([{ x: 0, y: 0, ...PAGE }]);
  });

  it('are read separately if they are not, and nothing gets lost between them', () => {
    const page = pageOf(...textAt(160, 200, 4), ...textAt(1300, 222, 4));
    const [first, second, ...more] = layersOf(page);
    expect(more).toEqual([]);
    const inked = (layer: GreyPage | undefined) => layer?.data.filter((grey) => grey === 0).length;
    expect(inked(first)).toBe(4 * 320 * 36);
    expect(inked(second)).toBe(4 * 320 * 36);
    expect(second?.x).toBeGreaterThan(1200);
  });

  it('are found below the rule of a table and inside its frame', () => {
    const frame: Area[] = [
      [100, 150, 2200, 4],
      [100, 480, 2200, 4],
      [100, 150, 4, 330],
      [1200, 150, 4, 330],
    ];
    const page = pageOf(...frame, ...textAt(160, 200, 4), ...textAt(1300, 222, 4));
    expect(columnsApart(page)).toHaveLength(1);
  });

  it('keep figures in the middle of a text of two lines together', () => {
    const figures: Area[] = [
      [1300, 225, 90, 36],
      [1900, 225, 110, 36],
    ];
    const [boxes] = columnsApart(pageOf(...textAt(160, 200, 2), ...figures));
    expect(boxes).toHaveLength(2);
  });
});

describe('text along an edge', () => {
  const margin = Array.from({ length: 10 }, (_, i): Area => [80, 300 + i * 60, 28, 50]);

  it('is distinguished from columns of lines', () => {
    expect(marginsOf(pageOf(...margin, ...textAt(260, 200, 8)))).toHaveLength(1);
    expect(marginsOf(pageOf(...textAt(80, 200, 8), ...textAt(1300, 200, 8)))).toEqual([]);
  });

  it('is turned, and each point can be mapped back', () => {
    const page = pageOf(...margin);
    const box = { x: 70, y: 290, w: 48, h: 620 };
    const strip = turnedBox(page, box, 'up');
    expect([strip.width, strip.height]).toEqual([620, 48]);
    for (const way of ['up', 'down'] as const) {
      const turned = turnedBox(page, box, way);
      const [x, y] = turnedBack(box, way, 15, 20);
      expect(turned.data[20 * turned.width + 15]).toBe(page.data[y * page.width + x]);
    }
    // Where text runs up, it is read from the bottom.
    expect(turnedBack(box, 'up', 0, 0)).toEqual([70, 909]);
    expect(without(page, [box]).data.every((grey) => grey === 255)).toBe(true);
  });
});
