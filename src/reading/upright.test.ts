import { expect, it } from 'vitest';
import { byMatrix, inTurn, moved, onto, type Point, scaled, turned } from './plane.ts';
import { uprightPage } from './upright.ts';

/** Rows of short strokes, like text seen from afar, on a sheet that fills the picture or lies on a table. */
function textPage(
  place: (x: number, y: number) => Point,
  { width = 620, height = 877, table = 255 } = {},
) {
  const data = new Uint8Array(width * height).fill(table);
  for (let y = 0; y < 877 * 2; y += 1) {
    for (let x = 0; x < 620 * 2; x += 1) {
      const isInk = y % 40 < 12 && y > 120 && y < 1_400 && x > 100 && x < 1_100 && x % 14 < 9;
      const [px, py] = place(x / 2, y / 2).map(Math.round) as [number, number];
      if (px >= 0 && py >= 0 && px < width && py < height) data[py * width + px] = isInk ? 20 : 245;
    }
  }
  return { data, width, height };
}

const A4 = { width: 620, height: 877 };

it('leaves an upright page as it is', async () => {
  const { toPaper, width, height } = await uprightPage(textPage((x, y) => [x, y]));
  expect(width).toBe(2_480);
  expect(toPaper(width / 2, height / 4)).toEqual([expect.closeTo(0.5, 2), expect.closeTo(0.25, 2)]);
});

it('straightens a crooked page, and can map each point back', async () => {
  const askew = byMatrix(inTurn(moved(-310, -438), turned(4), moved(310, 438)));
  const { toPaper, width, height } = await uprightPage(textPage(askew));
  const [x, y] = askew(310, 200);
  const found = toPaper(width / 2, (height * 200) / 877);
  expect(found[0]).toBeCloseTo(x / 620, 1);
  expect(found[1]).toBeCloseTo(y / 877, 2);
});

it('does not turn a page with few rows whose columns have sharp edges', async () => {
  const [width, height] = [620, 877];
  const data = new Uint8Array(width * height).fill(245);
  const word = (x: number, y: number, letters: number) => {
    for (let i = 0; i < letters * 6; i += 1)
      for (let j = 0; j < 7; j += 1) if (i % 6 < 4) data[(y + j) * width + x + i] = 20;
  };
  // Two columns of short words one below another, with no two rows at the same height.
  for (let row = 0; row < 24; row += 1) {
    word(50, 60 + row * 16, 4);
    word(400, 66 + row * 16 + (row % 5), 4);
  }
  const { toPaper, width: w, height: h } = await uprightPage({ data, width, height });
  expect(toPaper(w / 2, h / 4)).toEqual([expect.closeTo(0.5, 1), expect.closeTo(0.25, 1)]);
});

it('does not turn a spreadsheet whose gridlines have little writing between them', async () => {
  const [width, height] = [620, 877];
  const data = new Uint8Array(width * height).fill(245);
  for (let y = 60; y < 800; y += 17) data.fill(150, y * width + 40, y * width + 580);
  for (const x of [40, 80, 360, 470, 579])
    for (let y = 60; y < 800; y += 1) data[y * width + x] = 150;
  for (let row = 0; row < 12; row += 1)
    for (let i = 0; i < 60; i += 1)
      for (let j = 0; j < 7; j += 1) if (i % 6 < 4) data[(65 + row * 17 + j) * width + 86 + i] = 20;
  const { width: w, height: h } = await uprightPage({ data, width, height });
  expect(h).toBeGreaterThan(w);
});

it('turns a page lying on its side', async () => {
  const lying = textPage((x, y) => [876 - y, x], { width: 877, height: 620 });
  const { width, height } = await uprightPage(lying);
  expect(height).toBeGreaterThan(width);
});

it('cuts a photographed sheet out from the table under it', async () => {
  const corners = [
    [90, 60],
    [640, 80],
    [690, 930],
    [40, 900],
  ] as const;
  const seen = byMatrix(onto(A4, corners));
  const photo = textPage(seen, { width: 740, height: 1_000, table: 70 });
  const { toPaper, width, height } = await uprightPage(photo);
  expect(height / width).toBeCloseTo(Math.SQRT2, 2);
  for (const [u, v] of [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 1],
  ] as const) {
    const [x, y] = byMatrix(inTurn(scaled(1), onto(A4, corners)))(u * 620, v * 877);
    const found = toPaper(u * width, v * height);
    expect(found[0] * 740).toBeCloseTo(x, -1);
    expect(found[1] * 1_000).toBeCloseTo(y, -1);
  }
});
