import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { removeAbandoned, writeBackup } from '../platform/backup.ts';
import { openExisting } from '../platform/installation.ts';
import { StartError } from '../platform/start-error.ts';
import { runCommand } from './run-command.ts';

/**
 * Exit code when the copy was made but contains a broken cadena, so that a timer or script can distinguish it from a
 * failure, 1.
 */
const EXIT_BROKEN = 3;

/** Where copies go by default. */
const COPIES = 'copias';

const HELP = `npm run backup [-- CARPETA]

Copia toda la instalación, esté en marcha o parada, y la comprueba. Sin CARPETA hace una nueva dentro de «copias».`;

/** `npm run backup [-- CARPETA]`: a checked copy of everything, while the app runs or without it. */
runCommand(async () => {
  const now = new Date();
  const [given, ...more] = process.argv.slice(2);
  if (given?.startsWith('-') || more.length > 0) throw new StartError(HELP);
  const folder = resolve(given ?? join(COPIES, `huella-${stampOf(now)}`));
  if (!given) await removeAbandoned(COPIES, /^huella-/);
  const { config, sql, close } = await openExisting(process.env);
  try {
    const masterKey = process.env.CLAVE_MAESTRA ? null : await generatedKey(config.dataDir);
    const manifest = await writeBackup(sql, folder, { version: config.version, now, masterKey });
    const bytes = manifest.tablas.reduce((sum, table) => sum + table.bytes, 0);
    console.log(`Copia hecha y comprobada en ${folder}`);
    console.log(
      `${manifest.tablas.length} tablas, ${manifest.registros} registros de facturación, ${Math.ceil(bytes / 1e6)} MB`,
    );
    console.log(
      masterKey
        ? 'Lleva la clave que abre los certificados: guárdala donde solo tú puedas leerla.'
        : 'No lleva CLAVE_MAESTRA: sin ella no se abrirán los certificados. Guárdala aparte.',
    );
    if (manifest.cadenasRotas.length > 0) {
      console.error(brokenWords(manifest.cadenasRotas));
      process.exitCode = EXIT_BROKEN;
    }
  } finally {
    await close();
  }
}, HELP);

function brokenWords(nifs: readonly string[]): string {
  return [
    `¡ATENCIÓN! La cadena de registros no está entera en la base de datos, y así va en la copia: ${nifs.join(', ')}.`,
    'No borres copias anteriores: la última que acabó con código 0 la tiene entera. Mira qué falta con «Registros y',
    'evidencias → Verificar» o npm run verificar sobre una exportación, y si fue el disco, restaura aquella.',
  ].join('\n');
}

function generatedKey(dataDir: string): Promise<string | null> {
  const file = join(dataDir, 'claves', 'clave-maestra');
  return readFile(file, 'utf8').then(
    (text) => text.trim(),
    () => null,
  );
}

/** `2026-11-20-221500`, in UTC. */
function stampOf(now: Date): string {
  return now.toISOString().slice(0, 19).replace('T', '-').replaceAll(':', '');
}
