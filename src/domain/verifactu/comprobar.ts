/** Checks a set of files. Shared by the command, which has a disk, and the page, which has no network. */

import { hash } from 'node:crypto';
import { Manifiesto, seqOf } from './manifiesto.ts';
import { parseRespuesta } from './respuesta.ts';
import {
  CadenaVerifier,
  ILEGIBLE,
  inOrderOfCadena,
  type RegistroLeido,
  type Rotura,
  verifyDocument,
  verifyPieces,
} from './verificar.ts';

/** One file to check, read when its turn comes. */
export interface Fuente {
  readonly name: string;
  /** The user gave this very file: it is examined whatever its name. */
  readonly isGiven?: true;
  /** @throws {FuenteDanada} when its bytes are not what their container says */
  readonly read: () => Promise<Uint8Array>;
}

/** A ZIP that is invalid, truncated or damaged, or a damaged file in it. */
export class FuenteDanada extends Error {
  override readonly name = 'FuenteDanada';
}

/** A file that does not match what is expected in its place. */
export interface Dano {
  readonly file: string;
  readonly motivo: string;
}

/** A registro with the file it was found in. */
type Found = RegistroLeido & { readonly file: string };

export interface Comprobacion {
  readonly registros: number;
  /** By issuer, in the order of their first registro. */
  readonly cadenas: readonly {
    emisor: string;
    /** Each counted once, however many files contain it. */
    registros: number;
    /** How many program installations made them, each with a cadena of its own. */
    instalaciones: number;
    rotura: Rotura | null;
  }[];
  readonly damage: readonly Dano[];
  /** What could not be checked, in words. */
  readonly avisos: readonly string[];
}

export const NADA: Comprobacion = { registros: 0, cadenas: [], damage: [], avisos: [] };

const MANIFEST = 'manifiesto.csv';

/** Folders of an export in which the manifest lists every XML. */
const EVIDENCE = /^(registros|respuestas|envios)\//;

/**
 * Checks a set of files: that each is the one in the manifest, if there is one, and matches what the manifest says
 * about it; the huella of every registro; and the cadenas of each issuer. With a manifest, registros are in the order
 * of the file names; loose files, of any programs, are grouped by installation and ordered by their links.
 */
export async function comprobar(
  sources: readonly Fuente[],
  onFile: (done: number, total: number) => void = () => undefined,
): Promise<Comprobacion> {
  const damage: Dano[] = [];
  const found: Found[] = [];
  const manifestSource = sources.find(({ name }) => /(^|\/)manifiesto\.csv$/.test(name));
  const root = manifestSource?.name.slice(0, -MANIFEST.length) ?? '';
  const manifest = manifestSource && (await readManifest(manifestSource, damage));
  const places = new Set<string>();
  for (const [index, source] of sources.toSorted((a, b) => (a.name < b.name ? -1 : 1)).entries()) {
    onFile(index, sources.length);
    const place = source.name.slice(root.length);
    places.add(place);
    const isXml = /\.xml$/i.test(place);
    if (!manifest) {
      if (isXml || source.isGiven) await checkLoose(source, { isXml }, found, damage);
    } else if (isXml && place.startsWith('registros/')) {
      await checkRegistro(source, place, manifest, found, damage);
    } else if (manifest.has(place) || (isXml && EVIDENCE.test(place))) {
      await checkOther(source, place, manifest, damage);
    }
  }
  for (const file of manifest?.missingFrom(places) ?? []) {
    damage.push({ file, motivo: 'Está en el manifiesto, pero falta el archivo.' });
  }
  for (const motivo of manifest?.respuestasProblems() ?? []) {
    damage.push({ file: manifestSource?.name ?? MANIFEST, motivo });
  }
  const cadenas = cadenasIn(found, { isOrdered: !!manifest });
  return {
    registros: found.length,
    cadenas: cadenas.map(checked),
    damage,
    avisos: beginnings(cadenas),
  };
}

/** A file not named as XML counts as XML if it begins like it; otherwise it is ignored. */
async function checkLoose(
  source: Fuente,
  { isXml }: { readonly isXml: boolean },
  found: Found[],
  damage: Dano[],
): Promise<void> {
  const content = await contentOf(source, damage);
  if (!content) return;
  const text = textOf(content);
  if (!isXml && !/^\s*</.test(text)) return;
  const leidos = verifyDocument(text);
  if (!leidos) damage.push({ file: source.name, motivo: ILEGIBLE });
  for (const leido of leidos ?? []) found.push({ ...leido, file: source.name });
}

/** A file of `registros/`: its bytes, and what the manifest says about its content. */
async function checkRegistro(
  source: Fuente,
  place: string,
  manifest: Manifiesto,
  found: Found[],
  damage: Dano[],
): Promise<void> {
  const content = await contentOf(source, damage);
  if (!content) return;
  const other = manifest.problemOfFile(place, hash('sha256', content, 'hex'));
  const leidos = registrosOf(textOf(content));
  const problems = leidos ? manifest.problemsOfRegistros(place, leidos) : [];
  // If the file is not the one in the manifest, the first difference is enough.
  if (other) damage.push({ file: place, motivo: [other, ...problems.slice(0, 1)].join(' ') });
  else for (const motivo of problems) damage.push({ file: place, motivo });
  if (!leidos) damage.push({ file: place, motivo: ILEGIBLE });
  else if (leidos.length === 0) {
    damage.push({ file: place, motivo: 'No hay en él ningún registro de facturación.' });
  }
  for (const [index, leido] of leidos?.entries() ?? []) {
    if (leido) found.push({ ...leido, file: place });
    else damage.push({ file: place, motivo: `Registro ${seqOf(place, index)}: ${ILEGIBLE}` });
  }
}

/** The readable registros of a document that is not valid XML any more; null when there are none. */
function registrosOf(xml: string): (RegistroLeido | null)[] | null {
  const whole = verifyDocument(xml);
  if (whole) return whole;
  const pieces = verifyPieces(xml);
  return pieces.some((leido) => leido !== null) ? pieces : null;
}

/**
 * Any other file of an export: its bytes against their SHA-256 and, for an answer, the manifest's lines against it.
 */
async function checkOther(
  source: Fuente,
  place: string,
  manifest: Manifiesto,
  damage: Dano[],
): Promise<void> {
  const content = await contentOf(source, damage);
  if (!content) return;
  const motivo = manifest.problemOfFile(place, hash('sha256', content, 'hex'));
  if (motivo) {
    damage.push({ file: place, motivo });
    return;
  }
  if (!place.startsWith('respuestas/')) return;
  const respuesta = parseRespuesta(textOf(content));
  if (respuesta.kind === 'respuesta') manifest.addRespuesta(place, respuesta);
}

async function contentOf(source: Fuente, damage: Dano[]): Promise<Uint8Array | null> {
  try {
    return await source.read();
  } catch (error) {
    if (!(error instanceof FuenteDanada)) throw error;
    damage.push({ file: source.name, motivo: error.message });
    return null;
  }
}

async function readManifest(source: Fuente, damage: Dano[]): Promise<Manifiesto> {
  const manifest = new Manifiesto(textOf((await contentOf(source, damage)) ?? new Uint8Array()));
  for (const line of manifest.malas) {
    damage.push({ file: source.name, motivo: `No se entiende esta línea: ${line.slice(0, 80)}` });
  }
  return manifest;
}

/** The cadenas of one issuer, each in its order. */
interface OfEmisor {
  readonly emisor: string;
  readonly cadenas: readonly (readonly Found[])[];
}

/** One entry per issuer; with a manifest, a single one, because everything in the export is one sequence. */
function cadenasIn(
  found: readonly Found[],
  { isOrdered }: { readonly isOrdered: boolean },
): OfEmisor[] {
  const [first] = found;
  // In an export, a registro whose issuer was altered must break the cadena, not start another.
  if (isOrdered) return first ? [{ emisor: first.IDEmisorFactura, cadenas: [found] }] : [];
  const byEmisor = groupedBy(
    groupedBy(found, whichOf).map(([only]) => only),
    ({ IDEmisorFactura }) => IDEmisorFactura,
  );
  return byEmisor.map((registros) => ({
    emisor: registros[0].IDEmisorFactura,
    cadenas: groupedBy(registros, sistemaOf).map((some) => inOrderOfCadena(some)),
  }));
}

function checked({ emisor, cadenas }: OfEmisor): Comprobacion['cadenas'][number] {
  const all = cadenas.map(followed);
  return {
    emisor,
    registros: all.reduce((sum, { registros }) => sum + registros, 0),
    instalaciones: all.reduce((sum, { instalaciones }) => sum + instalaciones, 0),
    rotura: all.find(({ rotura }) => rotura !== null)?.rotura ?? null,
  };
}

/**
 * A sentence for each cadena whose first registro is missing, naming the one that it continues from. Part of a cadena
 * may begin so, so it is no break; but nothing else would reveal that the beginning is missing.
 */
function beginnings(all: readonly OfEmisor[]): string[] {
  return all.flatMap(({ emisor, cadenas }) =>
    cadenas.flatMap(([first]) => {
      const anterior = first?.RegistroAnterior;
      return anterior
        ? `${emisor}: lo primero que hay, ${first.NumSerieFactura}, viene detrás de ${anterior.NumSerieFactura} del ${anterior.FechaExpedicionFactura}, que no está en estos archivos.`
        : [];
    }),
  );
}

/** Follows one cadena, or those of an export one after the other, in order. */
function followed(registros: readonly Found[]) {
  const verifier = new CadenaVerifier({ fromFirst: false });
  let file = '';
  for (const registro of registros) {
    verifier.add(registro);
    if (verifier.primeraRotura && !file) file = registro.file;
  }
  const { primeraRotura, instalaciones } = verifier;
  return {
    registros: registros.length,
    instalaciones,
    rotura: primeraRotura && { ...primeraRotura, motivo: `${primeraRotura.motivo} (${file})` },
  };
}

/** What a cadena belongs to, besides its issuer: an installation of a program (code 2007). */
function sistemaOf(registro: Found): string {
  const { Productor, IdSistemaInformatico, NumeroInstalacion } = registro;
  return JSON.stringify([Productor, IdSistemaInformatico, NumeroInstalacion]);
}

/** Equal for a registro that is in two files, or in a message that was sent twice. */
function whichOf({ file: _, ...registro }: Found): string {
  return JSON.stringify(registro);
}

function groupedBy<T>(items: readonly T[], keyOf: (item: T) => string): [T, ...T[]][] {
  const groups = new Map<string, [T, ...T[]]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return [...groups.values()];
}

/** Decodes by the byte order mark or the declaration; without either, UTF-8 (XML 1.0, appendix F). */
function textOf(content: Uint8Array): string {
  const [first, second] = content;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(content);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(content);
  const start = new TextDecoder('latin1').decode(content.subarray(0, 100));
  const [, label = 'utf-8'] = /^<\?xml[^>]*?\bencoding=["']([\w.:-]+)["']/.exec(start) ?? [];
  try {
    return new TextDecoder(label).decode(content);
  } catch {
    // Unknown encoding: everything that matters in a registro is ASCII.
    return new TextDecoder().decode(content);
  }
}
