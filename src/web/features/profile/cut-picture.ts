import type { Crop } from './crop.ts';

/** Maximum side of a stored logo in pixels, as on the server. */
const MOST = 700;

/** The pixels of a picture, scaled down enough to examine each. */
export function pixelsOf(image: HTMLImageElement): ImageData | null {
  const scale = Math.min(1, MOST / Math.max(image.naturalWidth, image.naturalHeight, 1));
  const width = Math.max(1, Math.round(image.naturalWidth * scale));
  const height = Math.max(1, Math.round(image.naturalHeight * scale));
  const context = canvasOf(width, height).getContext('2d', { willReadFrequently: true });
  context?.drawImage(image, 0, 0, width, height);
  return context?.getImageData(0, 0, width, height) ?? null;
}

/** A part of a picture as PNG, in base64 without a prefix. */
export function cutPicture(image: HTMLImageElement, crop: Crop): string {
  const { naturalWidth, naturalHeight } = image;
  const [x, y] = [crop.left * naturalWidth, crop.top * naturalHeight];
  const width = (crop.right - crop.left) * naturalWidth;
  const height = (crop.bottom - crop.top) * naturalHeight;
  const scale = Math.min(1, MOST / Math.max(width, height));
  const canvas = canvasOf(Math.round(width * scale), Math.round(height * scale));
  canvas.getContext('2d')?.drawImage(image, x, y, width, height, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL('image/png').replace(/^data:[^,]*,/, '');
}

function canvasOf(width: number, height: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, width);
  canvas.height = Math.max(1, height);
  return canvas;
}
