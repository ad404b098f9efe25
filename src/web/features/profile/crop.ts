/** The selected part of a picture, in fractions of its width and height, from the top left. */
export interface Crop {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export type Corner = 'nw' | 'ne' | 'sw' | 'se';

export const WHOLE: Crop = { left: 0, top: 0, right: 1, bottom: 1 };

/** Minimum size: a smaller part could not be grabbed by a corner. */
const LEAST = 0.05;

/** The selection with one corner moved, within the picture and without flipping over. */
export function moveCorner(crop: Crop, corner: Corner, dx: number, dy: number): Crop {
  const isWest = corner.endsWith('w');
  const isNorth = corner.startsWith('n');
  return {
    left: isWest ? between(crop.left + dx, 0, crop.right - LEAST) : crop.left,
    right: isWest ? crop.right : between(crop.right + dx, crop.left + LEAST, 1),
    top: isNorth ? between(crop.top + dy, 0, crop.bottom - LEAST) : crop.top,
    bottom: isNorth ? crop.bottom : between(crop.bottom + dy, crop.top + LEAST, 1),
  };
}

/** The selection moved: it stops at the edges and keeps its size. */
export function moveWhole({ left, top, right, bottom }: Crop, dx: number, dy: number): Crop {
  const x = between(dx, -left, 1 - right);
  const y = between(dy, -top, 1 - bottom);
  return { left: left + x, right: right + x, top: top + y, bottom: bottom + y };
}

/**
 * How much a colour may differ from the background, out of 255, and still count as background: JPEG is never uniform.
 */
const TOLERANCE = 16;

/**
 * What is left without the margins, i.e. without pixels that are like the first one, or transparent.
 *
 * @param rgba four bytes per pixel, row by row
 */
export function withoutMargins(rgba: Uint8ClampedArray, width: number, height: number): Crop {
  const ground = rgba.subarray(0, 4);
  const isGround = (at: number) => {
    if ((rgba[at + 3] ?? 0) < TOLERANCE) return true;
    for (let channel = 0; channel < 4; channel++) {
      if (Math.abs((rgba[at + channel] ?? 0) - (ground[channel] ?? 0)) > TOLERANCE) return false;
    }
    return true;
  };
  let [left, top, right, bottom] = [width, height, 0, 0];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (isGround((y * width + x) * 4)) continue;
      left = Math.min(left, x);
      right = Math.max(right, x + 1);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y + 1);
    }
  }
  if (right <= left || bottom <= top) return WHOLE;
  return {
    left: left / width,
    top: top / height,
    right: right / width,
    bottom: bottom / height,
  };
}

function between(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}
