import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { createWorker, OEM, PSM, type Worker } from 'tesseract.js';
import type { Word } from './shapes.ts';
import type { GreyPage } from './tax-qr.ts';

/** Tesseract with its Spanish model, from the installed packages: nothing is downloaded. */
export async function openOcr(): Promise<Worker> {
  const require = createRequire(import.meta.url);
  const folder = (name: string) => dirname(require.resolve(`${name}/package.json`));
  const worker = await createWorker('spa', OEM.LSTM_ONLY, {
    langPath: join(folder('@tesseract.js-data/spa'), '4.0.0_best_int'),
    gzip: true,
    cacheMethod: 'none',
    corePath: folder('tesseract.js-core'),
    workerPath: join(folder('tesseract.js'), 'src', 'worker-script', 'node', 'index.js'),
  });
  // Unset it reads as one block and fails on tables; 3 drops whole columns without a word.
  await worker.setParameters({
    tessedit_pageseg_mode: PSM.SINGLE_COLUMN,
    user_defined_dpi: '300',
  });
  return worker;
}

/** The words of one page, in points: `scale` pixels each. */
export async function readPage(
  ocr: Worker,
  { data, width, height }: GreyPage,
  { page, scale }: { readonly page: number; readonly scale: number },
): Promise<Word[]> {
  const png = await sharp(data, { raw: { width, height, channels: 1 } })
    .png({ compressionLevel: 1 })
    .toBuffer();
  const { data: read } = await ocr.recognize(png, {}, { blocks: true, text: false });
  const lines = (read.blocks ?? [])
    .flatMap(({ paragraphs }) => paragraphs)
    .flatMap((paragraph) => paragraph.lines);
  const slope = median(
    lines
      .filter(({ baseline }) => baseline.x1 - baseline.x0 > width / 8)
      .map(({ baseline: { x0, y0, x1, y1 } }) => (y1 - y0) / (x1 - x0)),
  );
  return lines.flatMap((line) => {
    const height = median(line.words.map(({ bbox }) => bbox.y1 - bbox.y0)) / scale;
    return line.words.flatMap(({ text, bbox, confidence }) => {
      if (confidence < 20 || /^[|_—\-.'"~]+$/.test(text)) return [];
      const tilt = (slope * (bbox.x0 + bbox.x1)) / 2 / scale;
      const y = (bbox.y0 + bbox.y1) / 2 / scale - height / 2;
      return [
        {
          text: text.replace(/[|[\]{}]/g, ''),
          page,
          x: bbox.x0 / scale,
          y: y - tilt,
          w: (bbox.x1 - bbox.x0) / scale,
          h: Math.max(height, 4),
          tilt,
        },
      ];
    });
  });
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
