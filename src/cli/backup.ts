import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readConfig } from '../config.ts';
import { writeBackup } from '../platform/backup.ts';
import { openInstallation } from '../platform/installation.ts';
import { runCommand } from './run-command.ts';

/** `npm run backup [-- CARPETA]`: a checked copy of everything, while the app runs or without it. */
runCommand(async () => {
  const now = new Date();
  const folder = resolve(process.argv[2] ?? join('copias', `huella-${stampOf(now)}`));
  const config = readConfig(process.env);
  const { sql, close } = await openInstallation(config);
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
  } finally {
    await close();
  }
});

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
