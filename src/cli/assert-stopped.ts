import { DomainError } from '../domain/errors.ts';
import { countOtherConnections } from '../store/administration.ts';
import type { Tx } from '../store/sql.ts';

/** @throws {DomainError} CONFLICT while a process of Huella is connected to this database */
export async function assertStopped(tx: Tx, before: string): Promise<void> {
  if ((await countOtherConnections(tx)) === 0) return;
  throw new DomainError(
    'CONFLICT',
    `Huella está en marcha sobre esta base de datos: párala antes de ${before}.`,
  );
}
