import type { Config } from '../config.ts';
import { DomainError } from '../domain/errors.ts';
import { isPooled } from '../platform/database.ts';
import { StartError } from '../platform/start-error.ts';
import { countOtherConnections } from '../store/administration.ts';
import type { Tx } from '../store/sql.ts';

type Given = Pick<Config, 'databaseUrl'>;

/**
 * @throws {DomainError} CONFLICT while a process of Huella is connected to this database
 * @throws {StartError} see {@link assertSeen}
 */
export async function assertStopped(
  { sql, config }: { readonly sql: Tx; readonly config: Given },
  before: string,
): Promise<void> {
  assertSeen(config);
  if ((await countOtherConnections(sql)) === 0) return;
  throw new DomainError(
    'CONFLICT',
    `Huella está en marcha sobre esta base de datos: párala antes de ${before}.`,
  );
}

/**
 * A pgbouncer keeps connections of processes that have ended, and lends this one that of a process that runs: through
 * it nobody can be seen.
 *
 * @throws {StartError} when the address is that of a pgbouncer
 */
export function assertSeen({ databaseUrl }: Given): void {
  if (!databaseUrl || !isPooled(databaseUrl)) return;
  throw new StartError(
    'Por un pgbouncer no se ve si Huella está parada: párala, reinicia el pgbouncer y repite con la dirección del propio PostgreSQL en DATABASE_URL, sin ?prepare=false.',
  );
}
