import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { readConfig } from '../config.ts';
import type { Deps } from '../deps.ts';
import { realClock } from '../platform/clock.ts';
import { openInstallation } from '../platform/installation.ts';
import { createLogger } from '../platform/log.ts';
import { ensureSearchIndex, migrate, readMigrations } from '../platform/migrate.ts';
import { createNews } from '../platform/news.ts';
import { startSimulators } from '../platform/simulators.ts';
import { StartError } from '../platform/start-error.ts';
import { runtimeOf } from '../runtime.ts';
import { collect } from './demo/collect.ts';
import { fillCompany } from './demo/fill.ts';
import { openOutside } from './demo/outside.ts';
import { Dice } from './demo/people.ts';
import { runCommand } from './run-command.ts';

const HELP = `npm run demo-data [-- --empresas N --facturas N]

Hace N empresas de prueba (1) con N facturas cada una (500), con Huella en marcha o parada, y dice su correo y su contraseña.`;

/**
 * `npm run demo-data -- --empresas 1 --facturas 500`: companies to try the product with, made through the same
 * operations as a user's, while the app runs or without it.
 */
runCommand(async () => {
  const { empresas, facturas } = readArguments();
  const config = readConfig(process.env);
  if (config.isProduction || config.aeat.entorno !== 'simulador') {
    throw new StartError(
      'Los datos de ejemplo solo se cargan con el simulador de la AEAT (AEAT_ENTORNO=simulador): sus facturas no son de nadie.',
    );
  }
  const log = createLogger('warn');
  const { sql, address, close } = await openInstallation(config);
  try {
    await migrate(sql, await readMigrations());
    await ensureSearchIndex(sql);
    const simulators = await startSimulators({
      dataDir: config.dataDir,
      log,
      onReady: async () => {},
    });
    const deps: Deps = {
      sql,
      database: address,
      clock: realClock,
      aheadSeconds: () => 0,
      config,
      log,
      wakeDispatcher: () => undefined,
      wakeMail: () => undefined,
      news: createNews(sql, log),
    };
    try {
      const outside = await openOutside(deps, runtimeOf(config, simulators, null));
      try {
        for (let i = 0; i < empresas; i++) {
          const start = performance.now();
          const { companyId, name, nif, email, password } = await fillCompany(
            deps,
            outside,
            facturas,
            progress(facturas),
          );
          await collect(deps, companyId, new Dice(randomInt(2 ** 32)));
          const seconds = Math.round((performance.now() - start) / 1000);
          console.log(`${name} (${nif}): ${facturas} facturas en ${seconds} s`);
          console.log(`  Correo:     ${email}`);
          console.log(`  Contraseña: ${password}`);
        }
      } finally {
        await outside.close();
        await deps.news.close();
      }
    } finally {
      await simulators.stop();
    }
    await sql`analyze invoices, invoice_blocks, registros`;
  } finally {
    await close();
  }
}, HELP);

function readArguments(): { empresas: number; facturas: number } {
  const values = parsed();
  return {
    empresas: whole('empresas', values.empresas, 1000),
    facturas: whole('facturas', values.facturas, 10_000_000),
  };
}

function parsed(): { empresas: string; facturas: string } {
  try {
    return parseArgs({
      options: {
        empresas: { type: 'string', default: '1' },
        facturas: { type: 'string', default: '500' },
      },
    }).values;
  } catch {
    throw new StartError(HELP);
  }
}

function whole(name: string, text: string, most: number): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1 && number <= most) return number;
  throw new StartError(
    `--${name} debe ser un número entre 1 y ${most.toLocaleString('es-ES')}: «${text}» no lo es.`,
  );
}

/** Reports progress every ten thousand. */
function progress(facturas: number): (registered: number) => void {
  return (registered) => {
    if (registered % 10_000 === 0 && facturas > 10_000) {
      console.log(`${registered.toLocaleString('es-ES')} de ${facturas.toLocaleString('es-ES')}…`);
    }
  };
}
