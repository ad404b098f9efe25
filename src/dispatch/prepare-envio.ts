import { regFactuMessage } from '../domain/verifactu/xml.ts';
import { type Company, findCompany } from '../store/companies.ts';
import { holdLease, type Lease, startEnvio } from '../store/despachos.ts';
import { type Envio, findEnvio, insertEnvio } from '../store/envios.ts';
import { packMessage, unpackMessage } from '../store/packed-message.ts';
import { type RegistroSent, type RegistroToSend, registrosAfter } from '../store/registros.ts';
import { pipelined } from '../store/sql.ts';
import { nameOf, numbersOf } from './envio-names.ts';
import { batchSize, nextSlice, passingWithheld } from './policy.ts';
import type { TurnDeps } from './turn-deps.ts';

/** A message and, if it was made in this turn, its registros, so that nothing is read twice. */
export interface EnvioToSend extends Envio {
  readonly registros?: readonly RegistroSent[];
}

interface Prepared {
  readonly envio: EnvioToSend;
  readonly message: Buffer;
}

/**
 * A stored message that has no answer: its exact bytes, unless its registros were fresh then and are late by now.
 * Then the same registros go in a message marked `Incidencia` (Orden HAC/1177/2024 art. 16.4, code 2004); the earlier
 * message is kept, with its attempts.
 */
export async function unanswered(
  deps: TurnDeps,
  lease: Lease,
  envioId: bigint,
): Promise<Prepared | null> {
  const envio = await findEnvio(deps.sql, lease.companyId, envioId);
  if (!envio) return null;
  // Some of it is not to be sent any more (docs/decisions/0460): the rest goes in messages of its own.
  if (lease.retenidos.some((seq) => seq >= envio.fromSeq && seq <= envio.toSeq)) {
    return prepareEnvio(deps, lease);
  }
  if (!envio.incidencia) {
    const read = await registrosOf(deps, lease.companyId, envio);
    const { incidencia } = nextSlice(read.map(sentOf), deps.clock());
    const company = incidencia ? await findCompany(deps.sql, lease.companyId) : null;
    if (company) return storeEnvio(deps, lease, company, { toSend: read, incidencia });
  }
  return { envio, message: await unpackMessage(envio.peticion) };
}

/** Builds the next message and stores its bytes. Null when nothing waits. */
export async function prepareEnvio(deps: TurnDeps, lease: Lease): Promise<Prepared | null> {
  const afterSeq = passingWithheld(lease);
  const limit = batchSize(afterSeq, lease.aislarHasta);
  const [company, following] = await Promise.all([
    findCompany(deps.sql, lease.companyId),
    registrosAfter(deps.sql, lease.companyId, afterSeq, limit),
  ]);
  const waiting = untilWithheld(following, lease.retenidos);
  const { registros, incidencia } = nextSlice(waiting.map(sentOf), deps.clock());
  const toSend = waiting.slice(0, registros.length);
  return storeEnvio(deps, lease, company, { toSend, incidencia });
}

/** What comes before the next one that is never sent: a message holds positions without gaps. */
function untilWithheld(
  following: readonly RegistroToSend[],
  retenidos: readonly bigint[],
): readonly RegistroToSend[] {
  const next = following.findIndex(({ registro }) => retenidos.includes(registro.seq));
  return next === -1 ? following : following.slice(0, next);
}

const sentOf = ({ registro }: RegistroToSend): RegistroSent => registro;

/** Stores the bytes of a message before it is sent for the first time. Null when it would be empty. */
async function storeEnvio(
  deps: TurnDeps,
  lease: Lease,
  company: Company | null,
  {
    toSend,
    incidencia,
  }: { readonly toSend: readonly RegistroToSend[]; readonly incidencia: boolean },
): Promise<Prepared | null> {
  const registros = toSend.map(sentOf);
  const [first, last] = [registros[0], registros.at(-1)];
  if (!company || !first || !last) return null;
  const { start, end } = aroundRegistros(company, { incidencia });
  const message = Buffer.concat([
    Buffer.from(start),
    ...toSend.map(({ xml }) => xml),
    Buffer.from(end),
  ]);
  const envio = {
    fromSeq: first.seq,
    toSeq: last.seq,
    incidencia,
    esDemo: company.subscriptionType === 'Demo',
    peticion: await packMessage(message),
  };
  const id = await pipelined(deps.sql, async (tx, commit) => {
    const [, envioId] = await Promise.all([
      holdLease(tx, lease),
      insertEnvio(tx, lease.companyId, envio, deps.clock()),
    ]);
    await commit([startEnvio(tx, lease, envioId)]);
    return envioId;
  });
  // Logged before anything is sent: whatever happens, its id now leads to the invoice.
  deps.log.info(
    { ...nameOf(lease, { ...envio, id }), facturas: numbersOf(registros) },
    'a message to the AEAT is ready',
  );
  return { envio: { ...envio, id, intentos: 0, registros }, message };
}

function aroundRegistros({ name, nif }: Company, { incidencia }: Pick<Envio, 'incidencia'>) {
  return regFactuMessage({
    ObligadoEmision: { NombreRazon: name, NIF: nif },
    ...(incidencia ? { Incidencia: 'S' as const } : {}),
  });
}

/** Whether a message says of its company what is said of it now: it may have been made before that was changed. */
export async function isOfToday(envio: Envio, company: Company): Promise<boolean> {
  const start = Buffer.from(aroundRegistros(company, envio).start);
  const message = await unpackMessage(envio.peticion);
  return message.subarray(0, start.length).equals(start);
}

function registrosOf(deps: TurnDeps, companyId: number, { fromSeq, toSeq }: Envio) {
  return registrosAfter(deps.sql, companyId, fromSeq - 1n, Number(toSeq - fromSeq) + 1);
}

/** The registros of a message, read again if it was not made in this turn. */
export async function registrosIn(
  deps: TurnDeps,
  companyId: number,
  envio: EnvioToSend,
): Promise<readonly RegistroSent[]> {
  return envio.registros ?? (await registrosOf(deps, companyId, envio)).map(sentOf);
}
