/** Checking a set of files: the same for the command, with a disk, and for the page, without a network. */

import { hash } from 'node:crypto';
import {
  CadenaVerifier,
  ILEGIBLE,
  inOrderOfCadena,
  type RegistroLeido,
  type Rotura,
  verifyDocument,
} from './verificar.ts';

/** One file to check, read when its turn comes. */
export interface Fuente {
  readonly name: string;
  /** @throws {FuenteDanada} when its bytes are not what their container says of them */
  readonly read: () => Promise<Uint8Array>;
}

/** Not a ZIP, or one that was cut short or damaged, or a file inside it. */
export class FuenteDanada extends Error {
  override readonly name = 'FuenteDanada';
}

/** A file that is not what its place says. */
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
    registros: number;
    /** How many installations made them: more than one where registros were lost. */
    instalaciones: number;
    rotura: Rotura | null;
  }[];
  readonly damage: readonly Dano[];
}

export const NADA: Comprobacion = { registros: 0, cadenas: [], damage: [] };

/**
 * Checks a set of files: that each is the one of the manifest, if there is one; the huella of every
 * registro; and the cadena of each issuer. With a manifest, the order is that of the file names;
 * loose files are put in the order of their links.
 */
export async function comprobar(
  sources: readonly Fuente[],
  onFile: (done: number, total: number) => void = () => undefined,
): Promise<Comprobacion> {
  const damage: Dano[] = [];
  const manifestSource = sources.find(({ name }) => /(^|\/)manifiesto\.csv$/.test(name));
  const root = manifestSource?.name.slice(0, -'manifiesto.csv'.length) ?? '';
  const manifest = manifestSource && (await readManifest(manifestSource, damage));
  const found: Found[] = [];
  const ordered = sources.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  for (const [index, source] of ordered.entries()) {
    onFile(index, ordered.length);
    const place = source.name.slice(root.length);
    if (!/\.xml$/i.test(place) || (manifest && !place.startsWith('registros/'))) continue;
    await checkFile(source, place, manifest, found, damage);
  }
  for (const file of manifest?.keys() ?? []) {
    damage.push({ file, motivo: 'Está en el manifiesto, pero falta el archivo.' });
  }
  return { registros: found.length, cadenas: cadenasOf(found, { isOrdered: !!manifest }), damage };
}

async function checkFile(
  source: Fuente,
  place: string,
  manifest: Map<string, string> | undefined,
  found: Found[],
  damage: Dano[],
): Promise<void> {
  const content = await contentOf(source, damage);
  if (!content) return;
  if (manifest) {
    const sha = manifest.get(place);
    manifest.delete(place);
    if (sha === undefined) damage.push({ file: place, motivo: 'No está en el manifiesto.' });
    else if (sha !== hash('sha256', content, 'hex')) {
      damage.push({ file: place, motivo: 'No es el archivo del manifiesto: su SHA-256 es otro.' });
    }
  }
  const leidos = verifyDocument(textOf(content));
  if (!leidos) damage.push({ file: place, motivo: ILEGIBLE });
  else if (leidos.length === 0 && manifest) {
    damage.push({ file: place, motivo: 'No hay en él ningún registro de facturación.' });
  }
  for (const leido of leidos ?? []) found.push({ ...leido, file: place });
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

/** File → SHA-256, from the columns that no spreadsheet rule touches. */
async function readManifest(source: Fuente, damage: Dano[]): Promise<Map<string, string>> {
  const text = textOf((await contentOf(source, damage)) ?? new Uint8Array());
  const lines = text.split('\r\n').slice(1).filter(Boolean);
  return new Map(
    lines.flatMap((line) => {
      const [, file, sha] = /;([^;"]+);([0-9a-f]{64})$/.exec(line) ?? [];
      if (file && sha) return [[file, sha] as const];
      damage.push({ file: source.name, motivo: `No se entiende esta línea: ${line.slice(0, 80)}` });
      return [];
    }),
  );
}

function cadenasOf(found: readonly Found[], { isOrdered }: { readonly isOrdered: boolean }) {
  const byEmisor = new Map<string, Found[]>();
  for (const registro of found) {
    // A registro whose issuer was changed must break the cadena, not start another.
    const emisor = isOrdered ? (found[0]?.IDEmisorFactura ?? '') : registro.IDEmisorFactura;
    const group = byEmisor.get(emisor);
    if (group) group.push(registro);
    else byEmisor.set(emisor, [registro]);
  }
  return [...byEmisor].map(([emisor, registros]) => {
    const verifier = new CadenaVerifier({ fromFirst: false });
    let file = '';
    for (const registro of isOrdered ? registros : inOrderOfCadena(registros)) {
      verifier.add(registro);
      if (verifier.primeraRotura && !file) file = registro.file;
    }
    const { primeraRotura } = verifier;
    return {
      emisor,
      registros: registros.length,
      instalaciones: verifier.instalaciones,
      rotura: primeraRotura && { ...primeraRotura, motivo: `${primeraRotura.motivo} (${file})` },
    };
  });
}

/** A leading byte order mark is no part of the text. */
function textOf(content: Uint8Array): string {
  return new TextDecoder().decode(content);
}
