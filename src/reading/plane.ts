/** Transformations of the plane, including perspective, as three by three matrices, row by row. */

export type Point = readonly [number, number];
type Triple = readonly [number, number, number];
export type Matrix = readonly [...Triple, ...Triple, ...Triple];

export const scaled = (by: number): Matrix => [by, 0, 0, 0, by, 0, 0, 0, 1];
export const moved = (x: number, y: number): Matrix => [1, 0, x, 0, 1, y, 0, 0, 1];

/** Clockwise, where y grows downwards. */
export function turned(degrees: number): Matrix {
  const angle = (degrees * Math.PI) / 180;
  return [Math.cos(angle), -Math.sin(angle), 0, Math.sin(angle), Math.cos(angle), 0, 0, 0, 1];
}

/** Applies the steps in order. (No export may be called `then`: its module would be taken for a promise.) */
export function inTurn(...steps: readonly Matrix[]): Matrix {
  return steps.reduce((all, step) => product(step, all), scaled(1));
}

function product(p: Matrix, q: Matrix): Matrix {
  const at = (row: number, column: number) =>
    [0, 1, 2].reduce(
      (sum, k) => sum + (p[row * 3 + k] as number) * (q[k * 3 + column] as number),
      0,
    );
  const rowAt = (row: number): Triple => [at(row, 0), at(row, 1), at(row, 2)];
  return [...rowAt(0), ...rowAt(1), ...rowAt(2)];
}

export function byMatrix([a, b, c, d, e, f, g, h, i]: Matrix): (x: number, y: number) => Point {
  return (x, y) => {
    const by = g * x + h * y + i;
    return [(a * x + b * y + c) / by, (d * x + e * y + f) / by];
  };
}

/** Maps a rectangle onto four points, clockwise from the top left one. */
export function onto(
  { width, height }: { readonly width: number; readonly height: number },
  [[x0, y0], [x1, y1], [x2, y2], [x3, y3]]: readonly [Point, Point, Point, Point],
): Matrix {
  const [dx1, dx2, dx3] = [x1 - x2, x3 - x2, x0 - x1 + x2 - x3];
  const [dy1, dy2, dy3] = [y1 - y2, y3 - y2, y0 - y1 + y2 - y3];
  const whole = dx1 * dy2 - dx2 * dy1;
  const g = (dx3 * dy2 - dx2 * dy3) / whole;
  const h = (dx1 * dy3 - dx3 * dy1) / whole;
  const first: Triple = [x1 - x0 + g * x1, x3 - x0 + h * x3, x0];
  const second: Triple = [y1 - y0 + g * y1, y3 - y0 + h * y3, y0];
  const unit: Matrix = [...first, ...second, g, h, 1];
  return inTurn([1 / width, 0, 0, 0, 1 / height, 0, 0, 0, 1], unit);
}
