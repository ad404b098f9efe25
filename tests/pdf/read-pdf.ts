/** Reads back what was drawn, with other people's code: text, structure, pixels and QR. */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type PDFiumLibrary as Library, PDFiumLibrary } from '@hyzyla/pdfium';
import { getDocument, OPS } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';

const MM_PER_POINT = 25.4 / 72;

/** A piece of text on a page, millimetres from its top left corner. */
export interface Piece {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly baseline: number;
  /** Points. */
  readonly size: number;
  /** False for the watermark. */
  readonly isLevel: boolean;
}

/** A branch of the structure tree: its role and what hangs from it. */
export interface StructureNode {
  readonly role?: string;
  readonly alt?: string;
  readonly lang?: string;
  readonly type?: string;
  readonly id?: string;
  readonly children?: readonly StructureNode[];
}

export interface ReadPage {
  readonly pieces: readonly Piece[];
  /** Everything on the page in the order it was drawn, one blank between pieces. */
  readonly text: string;
  readonly structure: StructureNode | null;
  /** What is heard of each leaf of the structure: its text as it comes, nothing put between pieces. */
  readonly leaves: readonly string[];
}

export interface ReadPdf {
  readonly pages: readonly ReadPage[];
  readonly text: string;
  readonly title: string;
  readonly language: string;
}

export async function readPdf(bytes: Uint8Array): Promise<ReadPdf> {
  const task = getDocument({ data: new Uint8Array(bytes), verbosity: 0 });
  const document = await task.promise;
  const { info } = (await document.getMetadata()) as unknown as {
    info: { Title: string; Language: string };
  };
  const pages: ReadPage[] = [];
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number);
    const height = page.view[3] ?? 0;
    const { items } = await page.getTextContent();
    const pieces = items.flatMap((item) =>
      'str' in item && item.str.trim() !== '' ? [pieceOf(item, height)] : [],
    );
    pages.push({
      pieces,
      text: pieces.map(({ text }) => text).join(' '),
      structure: (await page.getStructTree()) as StructureNode | null,
      leaves: leavesOf(await page.getOperatorList()),
    });
  }
  await task.destroy();
  const text = pages.map((page) => page.text).join(' ');
  return { pages, text, title: info.Title, language: info.Language };
}

/** From the instructions of the page: the reader's own text adds and drops blanks by their width. */
function leavesOf({ fnArray, argsArray }: { fnArray: number[]; argsArray: unknown[][] }): string[] {
  const leaves: string[] = [];
  let isInLeaf = false;
  fnArray.forEach((operation, index) => {
    const [first] = argsArray[index] ?? [];
    if (operation === OPS.beginMarkedContentProps) {
      isInLeaf = first !== 'Artifact';
      if (isInLeaf) leaves.push('');
    } else if (isInLeaf && operation === OPS.showText) {
      const glyphs = first as readonly (number | { readonly unicode: string })[];
      const text = glyphs.map((glyph) => (typeof glyph === 'number' ? '' : glyph.unicode)).join('');
      leaves.push(`${leaves.pop() ?? ''}${text}`);
    }
  });
  return leaves;
}

interface TextItem {
  readonly str: string;
  readonly transform: readonly number[];
  readonly width: number;
}

function pieceOf({ str, transform, width }: TextItem, pageHeight: number): Piece {
  const [a = 0, b = 0, , , x = 0, y = 0] = transform;
  return {
    text: str.trim(),
    left: x * MM_PER_POINT,
    right: (x + width) * MM_PER_POINT,
    baseline: (pageHeight - y) * MM_PER_POINT,
    size: Math.hypot(a, b),
    isLevel: b === 0,
  };
}

/** Every node of a tree, itself included. */
export function nodesOf(node: StructureNode | null): StructureNode[] {
  if (!node) return [];
  return [node, ...(node.children ?? []).flatMap((child) => nodesOf(child))];
}

/** A page as pixels, RGBA. */
export interface Bitmap {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

let pdfium: Promise<Library> | undefined;

export async function rasterise(bytes: Uint8Array, dpi: number): Promise<Bitmap[]> {
  pdfium ??= PDFiumLibrary.init();
  const document = await (await pdfium).loadDocument(bytes);
  const bitmaps: Bitmap[] = [];
  for (const page of document.pages()) {
    const { data, width, height } = await page.render({
      scale: dpi / 72,
      render: 'bitmap',
    });
    bitmaps.push({ data, width, height });
  }
  document.destroy();
  return bitmaps;
}

export interface FoundQr {
  readonly text: string;
  readonly level: string;
  /** Pixels. */
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

let isReaderReady = false;

/** Every QR of a picture. The reader's program comes from its package: by default it asks a server. */
export async function readQrs({ data, width, height }: Bitmap): Promise<FoundQr[]> {
  if (!isReaderReady) {
    const file = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm');
    const wasmBinary = readFileSync(file).buffer as ArrayBuffer;
    prepareZXingModule({ overrides: { wasmBinary } });
    isReaderReady = true;
  }
  const pixels = { data: new Uint8ClampedArray(data), width, height, colorSpace: 'srgb' as const };
  const found = await readBarcodes(pixels, { formats: ['QRCode'], tryHarder: true });
  return found.map(({ text, ecLevel, position }) => ({
    text,
    level: ecLevel,
    left: Math.min(position.topLeft.x, position.bottomLeft.x),
    right: Math.max(position.topRight.x, position.bottomRight.x),
    top: Math.min(position.topLeft.y, position.topRight.y),
    bottom: Math.max(position.bottomLeft.y, position.bottomRight.y),
  }));
}
