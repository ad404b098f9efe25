import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import {
  CadenaVerifier,
  ILEGIBLE,
  inOrderOfCadena,
  type RegistroLeido,
  type Rotura,
  verifyDocument,
} from '../domain/verifactu/verificar.ts';
import { openZip, ZipError } from './zip-reader.ts';

const USAGE = `Uso: npm run verificar -- RUTA…

Cada RUTA es un ZIP exportado por Huella, una carpeta con registros, o archivos XML
(RegistroAlta, RegistroAnulacion o RegFactuSistemaFacturacion) de cualquier programa.
No usa la red ni ninguna base de datos.

Termina con 0 si todo está bien, 1 si hay algo roto y 2 si no hay nada que comprobar.`;

/** One file to check, read when its turn comes. */
interface Source {
  readonly name: string;
  readonly read: () => Promise<Buffer>;
}

/** A file that is not what its place says. */
interface Damage {
  readonly file: string;
  readonly motivo: string;
}

/** A registro with the file it was found in. */
type Found = RegistroLeido & { readonly file: string };

/** `npm run verificar -- PATH…` */
async function main(paths: readonly string[]): Promise<number> {
  if (paths.length === 0 || paths.includes('--help')) {
    console.log(USAGE);
    return paths.length === 0 ? 2 : 0;
  }
  let isBroken = false;
  let registros = 0;
  const loose: Source[] = [];
  for (const path of paths) {
    const info = await stat(path).catch(() => null);
    if (!info) {
      console.error(`No existe ${path}.`);
      return 2;
    }
    if (info.isFile() && !/\.zip$/i.test(path)) {
      loose.push({ name: path, read: () => readFile(path) });
      continue;
    }
    const result = await (info.isDirectory() ? checkFolder(path) : checkZip(path));
    registros += result.registros;
    isBroken = report(path, result) || isBroken;
  }
  if (loose.length > 0) {
    const result = await check(loose);
    registros += result.registros;
    isBroken =
      report(loose.length === 1 ? (paths[0] ?? '') : 'Archivos sueltos', result) || isBroken;
  }
  if (isBroken) return 1;
  return registros === 0 ? 2 : 0;
}

async function checkFolder(folder: string): Promise<Result> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return check(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => ({
        name: relative(folder, path).replaceAll('\\', '/'),
        read: () => readFile(path),
      })),
  );
}

async function checkZip(path: string): Promise<Result> {
  try {
    const zip = await openZip(path);
    try {
      return await check(
        zip.files
          .filter(({ name }) => !name.endsWith('/'))
          .map((file) => ({ name: file.name, read: () => zip.read(file) })),
      );
    } finally {
      await zip.close();
    }
  } catch (error) {
    if (!(error instanceof ZipError)) throw error;
    return { ...NOTHING, damage: [{ file: path, motivo: error.message }] };
  }
}

interface Result {
  readonly registros: number;
  /** By issuer, in the order of their first registro. */
  readonly cadenas: readonly { emisor: string; registros: number; rotura: Rotura | null }[];
  readonly damage: readonly Damage[];
}

const NOTHING: Result = { registros: 0, cadenas: [], damage: [] };

/**
 * Checks a set of files: that each is the one of the manifest, if there is one; the huella of every
 * registro; and the cadena of each issuer. With a manifest, the order is that of the file names;
 * loose files are put in the order of their links.
 */
async function check(sources: readonly Source[]): Promise<Result> {
  const damage: Damage[] = [];
  const manifestSource = sources.find(({ name }) => /(^|\/)manifiesto\.csv$/.test(name));
  const root = manifestSource?.name.slice(0, -'manifiesto.csv'.length) ?? '';
  const manifest = manifestSource && (await readManifest(manifestSource, damage));
  const found: Found[] = [];
  const ordered = sources.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  for (const source of ordered) {
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
  source: Source,
  place: string,
  manifest: Map<string, string> | undefined,
  found: Found[],
  damage: Damage[],
): Promise<void> {
  const content = await contentOf(source, damage);
  if (!content) return;
  if (manifest) {
    const sha = manifest.get(place);
    manifest.delete(place);
    if (sha === undefined) damage.push({ file: place, motivo: 'No está en el manifiesto.' });
    else if (sha !== createHash('sha256').update(content).digest('hex')) {
      damage.push({ file: place, motivo: 'No es el archivo del manifiesto: su SHA-256 es otro.' });
    }
  }
  const leidos = verifyDocument(content.toString('utf8').replace(/^\ufeff/, ''));
  if (!leidos) damage.push({ file: place, motivo: ILEGIBLE });
  else if (leidos.length === 0 && manifest) {
    damage.push({ file: place, motivo: 'No hay en él ningún registro de facturación.' });
  }
  for (const leido of leidos ?? []) found.push({ ...leido, file: place });
}

async function contentOf(source: Source, damage: Damage[]): Promise<Buffer | null> {
  try {
    return await source.read();
  } catch (error) {
    if (!(error instanceof ZipError)) throw error;
    damage.push({ file: source.name, motivo: error.message });
    return null;
  }
}

/** File → SHA-256, from the columns that no spreadsheet rule touches. */
async function readManifest(source: Source, damage: Damage[]): Promise<Map<string, string>> {
  const text = (await contentOf(source, damage))?.toString('utf8') ?? '';
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
      rotura: primeraRotura && { ...primeraRotura, motivo: `${primeraRotura.motivo} (${file})` },
    };
  });
}

const MAX_LINES = 20;

/** @returns true when something is broken */
function report(path: string, { registros, cadenas, damage }: Result): boolean {
  console.log(path);
  for (const { file, motivo } of damage.slice(0, MAX_LINES))
    console.log(`  MAL   ${file}: ${motivo}`);
  if (damage.length > MAX_LINES) console.log(`  … y ${damage.length - MAX_LINES} archivos más.`);
  for (const { emisor, registros: count, rotura } of cadenas) {
    const words = count === 1 ? '1 registro' : `${count} registros`;
    if (rotura) {
      console.log(`  MAL   ${emisor}: la cadena se rompe en la factura ${rotura.NumSerieFactura}.`);
      console.log(`        ${rotura.motivo}`);
    } else console.log(`  BIEN  ${emisor}: ${words}, con su huella y bien enlazados.`);
  }
  if (registros === 0 && damage.length === 0)
    console.log('  No hay ningún registro que comprobar.');
  return damage.length > 0 || cadenas.some(({ rotura }) => rotura !== null);
}

process.exitCode = await main(process.argv.slice(2));
