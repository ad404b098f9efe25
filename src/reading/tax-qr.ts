import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import sharp from 'sharp';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import { isIsoDate, isoFromFechaAeat } from '../domain/dates.ts';
import { parsePlainDecimal } from '../domain/money.ts';
import { checkNif } from '../domain/nif.ts';
import type { QrTributario } from './shapes.ts';

/** The AEAT's own hosts, letter for letter. The address is parsed, never opened. */
const HOSTS = new Set(['www2.agenciatributaria.gob.es', 'prewww2.aeat.es']);
const PATHS: ReadonlyMap<string, boolean> = new Map([
  ['/wlpl/TIKE-CONT/ValidarQR', true],
  ['/wlpl/TIKE-CONT/ValidarQRNoVerifactu', false],
]);

/** A page as grey bytes, row by row. */
export interface GreyPage {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

let isPrepared = false;

/** Width at which a QR of 30 mm has some six pixels per module: enough to read it, and grain disappears. */
const SMALL = 1_240;

/** The AEAT's QR on a page, or null. It needs no network: the library's wasm is installed with it. */
export async function findTaxQr(page: GreyPage): Promise<QrTributario | null> {
  if (!isPrepared) {
    const wasm = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm');
    const bytes = readFileSync(wasm);
    const wasmBinary = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
    prepareZXingModule({ overrides: { wasmBinary: wasmBinary as ArrayBuffer } });
    isPrepared = true;
  }
  const narrow = Math.min(page.width, page.height);
  if (narrow < 1.3 * SMALL) return qrOn(page);
  return (await qrOn(await shrunk(page, SMALL / narrow))) ?? qrOn(page);
}

async function shrunk({ data, width, height }: GreyPage, by: number): Promise<GreyPage> {
  const { data: small, info } = await sharp(data, { raw: { width, height, channels: 1 } })
    .resize({ width: Math.round(width * by) })
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data: small, width: info.width, height: info.height };
}

async function qrOn({ data, width, height }: GreyPage): Promise<QrTributario | null> {
  const rgba = new Uint8ClampedArray(width * height * 4).fill(255);
  for (let i = 0, at = 0; i < width * height; i += 1, at += 4) {
    const grey = data[i] as number;
    rgba[at] = grey;
    rgba[at + 1] = grey;
    rgba[at + 2] = grey;
  }
  const codes = await readBarcodes(
    { data: rgba, width, height } as Parameters<typeof readBarcodes>[0],
    { formats: ['QRCode'], tryHarder: true, maxNumberOfSymbols: 4 },
  );
  for (const { text } of codes) {
    const qr = parseTaxQr(text);
    if (qr) return qr;
  }
  return null;
}

/** The four values in a QR of the AEAT (QR y cotejo 0.5.0); null for any other text. */
export function parseTaxQr(text: string): QrTributario | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  const esVerifactu = url && PATHS.get(url.pathname);
  if (url?.protocol !== 'https:' || url.port !== '' || url.username !== '') return null;
  if (!HOSTS.has(url.hostname) || esVerifactu === undefined || esVerifactu === null) return null;
  const get = (name: string) => url.searchParams.get(name) ?? '';
  const nif = checkNif(get('nif'));
  const fecha = /^\d{2}-\d{2}-\d{4}$/.test(get('fecha')) ? isoFromFechaAeat(get('fecha')) : '';
  const importe = /^-?\d{1,12}(\.\d{1,2})?$/.test(get('importe'))
    ? parsePlainDecimal(get('importe'), 2)
    : null;
  const numSerie = get('numserie');
  if (!nif.ok || !isIsoDate(fecha) || importe === null || !/^.{1,60}$/.test(numSerie)) return null;
  return { nif: nif.nif, numSerie, fecha, importeCents: importe, esVerifactu };
}
