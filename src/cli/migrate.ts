import { readConfig } from '../config.ts';
import { openInstallation } from '../platform/installation.ts';
import {
  ensureSearchIndex,
  migrate,
  newerMigrations,
  readMigrations,
} from '../platform/migrate.ts';
import { StartError } from '../platform/start-error.ts';
import { runCommand } from './run-command.ts';

const HELP = `npm run migrate

Pone al día la base de datos sin arrancar Huella. No tiene opciones.`;

/** `npm run migrate`: brings the database up to date without starting the app. */
runCommand(async () => {
  if (process.argv.length > 2) throw new StartError(HELP);
  const { sql, close } = await openInstallation(readConfig(process.env));
  try {
    const migrations = await readMigrations();
    const ran = await migrate(sql, migrations, ({ migration, pids }) => {
      console.warn(
        `${migration} espera a que acabe otro trabajo en la base de datos: ${pids.join(', ')}`,
      );
    });
    const missing = await ensureSearchIndex(sql);
    if (missing) console.warn(missing);
    for (const name of ran) console.log(`Aplicada ${name}`);
    const newer = await newerMigrations(sql, migrations);
    if (newer.length > 0) {
      console.log(
        `La base de datos es de una versión más nueva, que admite esta: tiene ${newer.join(', ')}.`,
      );
    } else if (ran.length === 0) console.log('La base de datos ya estaba al día.');
  } finally {
    await close();
  }
}, HELP);
