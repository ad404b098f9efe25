import { open, readdir, readFile, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import {
  type Comprobacion,
  comprobar,
  type Fuente,
  FuenteDanada,
  NADA,
} from '../domain/verifactu/comprobar.ts';
import { openZip } from './zip-reader.ts';

const USAGE = `Uso: npm run verificar -- RUTA…

Cada RUTA es un ZIP exportado por Huella, una carpeta con registros, o archivos XML
(RegistroAlta, RegistroAnulacion o RegFactuSistemaFacturacion) de cualquier programa.
No usa la red ni ninguna base de datos.

Termina con 0 si todo está bien, 1 si hay algo roto y 2 si no hay nada que comprobar.`;

/** `npm run verificar -- PATH…` */
async function main(paths: readonly string[]): Promise<number> {
  if (paths.length === 0 || paths.includes('--help')) {
    console.log(USAGE);
    return paths.length === 0 ? 2 : 0;
  }
  let isBroken = false;
  let registros = 0;
  const loose: Fuente[] = [];
  for (const path of paths) {
    const info = await stat(path).catch(() => null);
    if (!info) {
      console.error(`No existe ${path}.`);
      return 2;
    }
    if (info.isFile() && !(await isZip(path))) {
      loose.push({ name: path, isGiven: true, read: () => readFile(path) });
      continue;
    }
    const result = await (info.isDirectory() ? checkFolder(path) : checkZip(path));
    registros += result.registros;
    isBroken = report(path, result) || isBroken;
  }
  if (loose.length > 0) {
    const result = await comprobar(loose);
    registros += result.registros;
    isBroken =
      report(loose.length === 1 ? (paths[0] ?? '') : 'Archivos sueltos', result) || isBroken;
  }
  if (isBroken) return 1;
  return registros === 0 ? 2 : 0;
}

/** By its name or its first bytes: a downloaded file may have lost its extension. */
async function isZip(path: string): Promise<boolean> {
  if (/\.zip$/i.test(path)) return true;
  const handle = await open(path, 'r');
  try {
    const { buffer } = await handle.read(Buffer.alloc(4), 0, 4, 0);
    return buffer.toString('latin1') === 'PK\x03\x04';
  } finally {
    await handle.close();
  }
}

async function checkFolder(folder: string): Promise<Comprobacion> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return comprobar(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => ({
        name: relative(folder, path).replaceAll('\\', '/'),
        read: () => readFile(path),
      })),
  );
}

async function checkZip(path: string): Promise<Comprobacion> {
  try {
    const zip = await openZip(path);
    try {
      return await comprobar(
        zip.files
          .filter(({ name }) => !name.endsWith('/'))
          .map((file) => ({ name: file.name, read: () => zip.read(file) })),
      );
    } finally {
      await zip.close();
    }
  } catch (error) {
    if (!(error instanceof FuenteDanada)) throw error;
    return { ...NADA, damage: [{ file: path, motivo: error.message }] };
  }
}

const MAX_LINES = 20;

/** @returns true when something is broken */
function report(path: string, { registros, cadenas, damage, avisos }: Comprobacion): boolean {
  console.log(path);
  for (const { file, motivo } of damage.slice(0, MAX_LINES))
    console.log(`  MAL   ${file}: ${motivo}`);
  if (damage.length > MAX_LINES) console.log(`  … y ${damage.length - MAX_LINES} archivos más.`);
  for (const aviso of avisos) console.log(`  AVISO ${aviso}`);
  for (const { emisor, registros: count, instalaciones, rotura } of cadenas) {
    const many = instalaciones > 1 ? ` de ${instalaciones} instalaciones` : '';
    const words = count === 1 ? '1 registro' : `${count} registros${many}`;
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
