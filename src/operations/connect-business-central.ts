import type { z } from 'zod';
import { BusinessCentralClient, type Credentials } from '../business-central/client.ts';
import { BusinessCentralFailure } from '../business-central/failure.ts';
import { BcCompanyInformation, BcCustomer } from '../business-central/shapes.ts';
import { sealEnvelope } from '../certificate/seal.ts';
import type {
  BusinessCentralEmpresasBody,
  ProbarBusinessCentral,
  SetBusinessCentralBody,
} from '../contract/business-central.ts';
import type { Deps } from '../deps.ts';
import { ACCESS_FORM, wrongAccess } from '../domain/business-central-access.ts';
import { DomainError } from '../domain/errors.ts';
import { normaliseNif } from '../domain/nif.ts';
import {
  askToRetry,
  type Connection,
  declareOff,
  deleteConnection,
  endOpenRuns,
  findConnection,
  forgetDocumentCursors,
  lockConnection,
  noteEvent,
  saveConnection,
  setStatus,
} from '../store/business-central.ts';
import { noteTaxCodes } from '../store/business-central-tax-codes.ts';
import type { Tx } from '../store/sql.ts';
import { assertMayTry } from './attempts.ts';
import { companyOf, keepOpen } from './company-of.ts';
import { sampleTaxCodes } from './map-business-central-taxes.ts';
import {
  clientOf,
  type Outside,
  refusing,
  SECRET_SEAL,
  secretOf,
} from './open-business-central.ts';
import { recordEvent } from './record-event.ts';

/** Wrong secrets, and the tests that finding the right one takes. */
const ATTEMPTS = { attempts: 60, windowSeconds: 3600, wait: 'window' } as const;

type Access = z.infer<typeof BusinessCentralEmpresasBody>;

/**
 * The companies that those credentials open.
 *
 * @throws {DomainError} BAD_REQUEST or UNAVAILABLE, saying what to mend; TOO_MANY_REQUESTS
 */
export async function listBusinessCentralCompanies(
  deps: Deps,
  outside: Outside,
  companyId: number,
  access: Access,
): Promise<{ value: string; label: string }[]> {
  assertForm(access);
  await assertMayTry(deps, `business-central:${companyId}`, ATTEMPTS);
  const credentials = await credentialsOf(deps, companyId, access);
  const companies = await refusing(() => impatient(outside, credentials).companies());
  return companies.map(({ id, name, displayName }) => ({ value: id, label: displayName || name }));
}

/**
 * Saves the connection once it has been tested, and learns which VAT codes are used there.
 *
 * For another company in Business Central everything starts afresh: not switched on yet, and with the statement about
 * VERI*FACTU to be made again.
 *
 * @throws {DomainError} BAD_REQUEST or UNAVAILABLE, saying what to correct; UNAUTHORIZED when the account was closed
 *   meanwhile
 */
export async function saveBusinessCentral(
  deps: Deps,
  outside: Outside,
  companyId: number,
  who: string,
  body: SetBusinessCentralBody,
): Promise<void> {
  assertForm(body);
  await assertMayTry(deps, `business-central:${companyId}`, ATTEMPTS);
  const credentials = await credentialsOf(deps, companyId, body);
  const client = impatient(outside, credentials);
  const { chosen, codes } = await refusing(async () => {
    const companies = await client.companies();
    const found = companies.find(({ id }) => id.toLowerCase() === body.empresaId.toLowerCase());
    if (!found) throw new BusinessCentralFailure('empresa');
    await assertSameNif(deps, client, companyId, found.id);
    return { chosen: found, codes: await sampleTaxCodes(client, found.id) };
  });
  const secret = Buffer.from(credentials.clientSecret);
  const sealed = sealEnvelope(deps.config.claveMaestra, companyId, SECRET_SEAL, secret);
  secret.fill(0);
  const now = deps.clock();
  await deps.sql.begin(async (tx) => {
    await keepOpen(tx, companyId);
    const before = await lockConnection(tx, companyId);
    const keepsState = before !== null && isSamePlace(before, credentials, chosen.id);
    await saveConnection(
      tx,
      companyId,
      {
        tenant: credentials.tenant,
        environment: credentials.environment,
        bcCompany: chosen.id,
        bcCompanyName: chosen.displayName || chosen.name,
        clientId: credentials.clientId,
        registersAtOnce: body.modo === 'registrar',
        writesBack: body.devolver,
        since: body.desde,
        everyMinutes: body.cadaMinutos,
      },
      sealed,
      { keepsState, now },
    );
    if (before && body.desde < before.since) await forgetDocumentCursors(tx, companyId);
    await noteTaxCodes(tx, companyId, codes);
    const detail = `${chosen.displayName || chosen.name} (${credentials.environment}, ${credentials.tenant})`;
    await noteChange(tx, companyId, { kind: 'guardada', who, detail, now });
  });
}

/** The statement about VERI*FACTU was made about one company in one environment. */
function isSamePlace(before: Connection, { tenant, environment }: Credentials, bcCompany: string) {
  return (
    before.bcCompany === bcCompany && before.tenant === tenant && before.environment === environment
  );
}

/** Tries everything that a synchronisation will need, and says which step fails and how to fix it. */
export async function tryBusinessCentral(
  deps: Deps,
  outside: Outside,
  companyId: number,
): Promise<ProbarBusinessCentral> {
  await assertMayTry(deps, `business-central:${companyId}`, ATTEMPTS);
  const connection = await connectionOf(deps, companyId);
  const client = await refusing(async () =>
    clientOf(deps, outside, connection, { isPatient: false }),
  );
  const { bcCompany } = connection;
  const readable = BcCustomer.pick({ id: true });
  const steps: readonly (readonly [texto: string, run: () => Promise<string | undefined>])[] = [
    [
      'Microsoft nos deja entrar y existe el entorno',
      async () => {
        const companies = await client.companies();
        if (!companies.some(({ id }) => id === bcCompany)) {
          throw new BusinessCentralFailure('empresa');
        }
        return undefined;
      },
    ],
    [
      `La empresa es ${connection.bcCompanyName} y su NIF, el tuyo`,
      async () =>
        (await assertSameNif(deps, client, companyId, bcCompany))
          ? undefined
          : 'Business Central no dice su NIF: asegúrate de que es tu empresa.',
    ],
    [
      'Podemos leer clientes y productos',
      async () => {
        await client.list(bcCompany, 'customers', readable, { $top: '1' });
        await client.list(bcCompany, 'items', readable, { $top: '1' });
        return undefined;
      },
    ],
    [
      'Podemos leer facturas y abonos',
      async () => {
        await client.list(bcCompany, 'salesInvoices', readable, { $top: '1' });
        await client.list(bcCompany, 'salesCreditMemos', readable, { $top: '1' });
        return undefined;
      },
    ],
  ];
  const pasos: ProbarBusinessCentral['pasos'] = [];
  let isBroken = false;
  for (const [texto, run] of steps) {
    if (isBroken) {
      pasos.push({ texto, estado: 'pendiente' });
      continue;
    }
    try {
      const mensaje = await refusing(run);
      pasos.push(mensaje ? { texto, estado: 'aviso', mensaje } : { texto, estado: 'bien' });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      isBroken = true;
      pasos.push({ texto, estado: 'mal', mensaje: error.message });
    }
  }
  return { correcta: !isBroken, pasos };
}

/**
 * Switches the connection on. The first time it requires the statement that VERI*FACTU is switched off in Business
 * Central, so that only one program declares a sale; who made it, and when, is kept.
 *
 * @throws {DomainError} BAD_REQUEST without that statement; NOT_FOUND without a connection
 */
export async function switchOnBusinessCentral(
  deps: Pick<Deps, 'sql' | 'clock'>,
  companyId: number,
  { who, saysItIsOff }: { readonly who: string; readonly saysItIsOff: boolean },
): Promise<void> {
  const now = deps.clock();
  await deps.sql.begin(async (tx) => {
    const connection = assertConnected(await lockConnection(tx, companyId));
    const detail = `${connection.bcCompanyName} (${connection.environment}, ${connection.tenant})`;
    if (connection.declaredOffAt === null) {
      if (!saysItIsOff) {
        throw new DomainError(
          'BAD_REQUEST',
          'Antes de activarla, confirma que VERI*FACTU está desactivado en Business Central: una venta solo puede declararla un programa.',
        );
      }
      await declareOff(tx, companyId, who, now);
      await noteChange(tx, companyId, { kind: 'declarada', who, detail, now });
    }
    await setStatus(tx, companyId, 'activa', now);
    await askToRetry(tx, companyId, now);
    await noteChange(tx, companyId, { kind: 'activada', who, detail, now });
  });
}

/** Nothing more is imported until it is switched on again. A run under way stops after its page. */
export async function pauseBusinessCentral(
  deps: Pick<Deps, 'sql' | 'clock'>,
  companyId: number,
  who: string,
): Promise<void> {
  const now = deps.clock();
  await deps.sql.begin(async (tx) => {
    const connection = assertConnected(await lockConnection(tx, companyId));
    if (connection.status === 'pausada') return;
    await setStatus(tx, companyId, 'pausada', now);
    await noteChange(tx, companyId, {
      kind: 'pausada',
      who,
      detail: connection.bcCompanyName,
      now,
    });
  });
}

/**
 * Forgets the connection and destroys its secret. What was imported stays, and so does its origin: connecting the
 * same company again imports nothing twice.
 */
export async function disconnectBusinessCentral(
  deps: Pick<Deps, 'sql' | 'clock'>,
  companyId: number,
  who: string,
): Promise<void> {
  const now = deps.clock();
  await deps.sql.begin((tx) => forgetConnection(tx, companyId, { who, now }));
}

/** The same within a transaction. */
export async function forgetConnection(
  tx: Tx,
  companyId: number,
  { who, why, now }: { readonly who: string; readonly why?: string; readonly now: Date },
): Promise<void> {
  const connection = await lockConnection(tx, companyId);
  if (!connection) return;
  await deleteConnection(tx, companyId);
  await endOpenRuns(tx, companyId, now);
  const detail = [connection.bcCompanyName, why].filter(Boolean).join(': ');
  await noteChange(tx, companyId, { kind: 'desconectada', who, detail, now });
}

const CHANGES = {
  guardada: 'conexión guardada',
  declarada: 'VERI*FACTU desactivado allí',
  activada: 'activada',
  pausada: 'pausada',
  desconectada: 'desconectada',
} as const;

interface ConnectionChange {
  readonly kind: keyof typeof CHANGES;
  readonly who: string;
  readonly detail: string;
  readonly now: Date;
}

/**
 * Records a change twice: permanently with the connection, as evidence of who declared what, and in the security log,
 * which the company reads with the device and address.
 */
async function noteChange(
  tx: Tx,
  companyId: number,
  { kind, who, detail, now }: ConnectionChange,
): Promise<void> {
  await noteEvent(tx, companyId, { kind: CHANGES[kind], who, detail }, now);
  await recordEvent(tx, companyId, { kind: `business-central-${kind}`, detail, now });
}

/** @throws {DomainError} NOT_FOUND */
export async function connectionOf(
  { sql }: Pick<Deps, 'sql'>,
  companyId: number,
): Promise<Connection> {
  return assertConnected(await findConnection(sql, companyId));
}

function assertConnected(connection: Connection | null): Connection {
  if (connection) return connection;
  throw new DomainError('NOT_FOUND', 'Todavía no has conectado Business Central.');
}

/** @throws {DomainError} BAD_REQUEST, with a sentence for each field that cannot be what it should */
function assertForm(access: Access): void {
  const sentences = wrongAccess(access).map((field) => ACCESS_FORM[field].sentence);
  if (sentences.length > 0) throw new DomainError('BAD_REQUEST', sentences);
}

/** The credentials as typed; when the secret is left out, the one saved for the same application. */
async function credentialsOf(
  deps: Deps,
  companyId: number,
  { tenant, entorno, clientId, clientSecret }: Access,
): Promise<Credentials> {
  const access = { tenant, environment: entorno, clientId };
  if (clientSecret) return { ...access, clientSecret };
  const saved = await findConnection(deps.sql, companyId);
  if (saved?.tenant === tenant && saved.clientId === clientId) {
    return { ...access, clientSecret: await refusing(async () => secretOf(deps, saved)) };
  }
  throw new DomainError('BAD_REQUEST', 'Escribe el secreto de la aplicación.');
}

function impatient({ businessCentral }: Outside, credentials: Credentials): BusinessCentralClient {
  return new BusinessCentralClient(businessCentral, credentials, { isPatient: false });
}

/**
 * Prevents declaring another company's sales here.
 *
 * @returns false when Business Central does not say the company's NIF
 */
async function assertSameNif(
  deps: Deps,
  client: BusinessCentralClient,
  companyId: number,
  bcCompany: string,
): Promise<boolean> {
  const [information] = await client.list(bcCompany, 'companyInformation', BcCompanyInformation);
  const theirs = normaliseNif(information?.taxRegistrationNumber ?? '').replace(/^ES(?=.{9}$)/, '');
  const { nif } = await companyOf(deps, companyId);
  if (theirs === '' || theirs === nif) return theirs !== '';
  throw new BusinessCentralFailure('nif', {
    text: `La empresa elegida en Business Central tiene el NIF ${theirs} y la tuya es ${nif}. Elige la que corresponde a tu NIF.`,
  });
}
