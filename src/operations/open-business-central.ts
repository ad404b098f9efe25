import { BusinessCentralClient, type ClientOptions } from '../business-central/client.ts';
import type { BusinessCentralEndpoints } from '../business-central/endpoints.ts';
import { BusinessCentralFailure } from '../business-central/failure.ts';
import { openEnvelope, SealBroken } from '../certificate/seal.ts';
import type { Deps } from '../deps.ts';
import { DomainError } from '../domain/errors.ts';
import type { Connection } from '../store/business-central.ts';
import type { ConsultarAeat } from './reconcile.ts';

/** Name of this secret in its encryption context, which binds it to its company. */
export const SECRET_SEAL = 'business-central';

const UNREADABLE =
  'El secreto guardado no se puede abrir. Escríbelo otra vez, o crea otro en Entra ID.';

/** The external services that a synchronisation talks to. */
export interface Outside {
  readonly businessCentral: BusinessCentralEndpoints;
  readonly consultarAeat: ConsultarAeat;
}

/** @throws {BusinessCentralFailure} when the master key is another one, or the row was tampered with */
export function secretOf({ config }: Pick<Deps, 'config'>, connection: Connection): string {
  const { claveMaestra } = config;
  try {
    return openEnvelope(claveMaestra, connection.companyId, SECRET_SEAL, connection).toString();
  } catch (cause) {
    if (!(cause instanceof SealBroken)) throw cause;
    throw new BusinessCentralFailure('secreto', { text: UNREADABLE, cause });
  }
}

/** A client that acts for a connection. */
export function clientOf(
  deps: Pick<Deps, 'config'>,
  { businessCentral }: Pick<Outside, 'businessCentral'>,
  connection: Connection,
  options: ClientOptions,
): BusinessCentralClient {
  const { tenant, environment, clientId } = connection;
  const clientSecret = secretOf(deps, connection);
  return new BusinessCentralClient(
    businessCentral,
    { tenant, environment, clientId, clientSecret },
    options,
  );
}

/** A failure there, as a refusal for the user who is waiting. */
function refusalOf(failure: BusinessCentralFailure): DomainError {
  if (!failure.isPassing) return new DomainError('BAD_REQUEST', failure.message);
  const { retryAfterSeconds } = failure;
  const wait = retryAfterSeconds
    ? `Prueba otra vez dentro de ${Math.ceil(retryAfterSeconds)} s.`
    : 'Prueba otra vez dentro de un rato.';
  return new DomainError('UNAVAILABLE', `${failure.message} ${wait}`, {
    ...(retryAfterSeconds && { retryAfterSeconds }),
    cause: failure,
  });
}

/** Runs a call to Business Central, turning its failures into refusals. */
export async function refusing<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw error instanceof BusinessCentralFailure ? refusalOf(error) : error;
  }
}
