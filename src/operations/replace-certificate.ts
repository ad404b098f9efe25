import { createSecureContext } from 'node:tls';
import { type Holder, holderOf } from '../certificate/holder.ts';
import { mayIdentify } from '../certificate/key-usage.ts';
import { type KeyPair, type OpenedPkcs12, openPkcs12 } from '../certificate/pkcs12.ts';
import { sealEnvelope } from '../certificate/seal.ts';
import type { Deps } from '../deps.ts';
import { cutToEnd } from '../domain/cut.ts';
import { fechaEs, isoDateIn } from '../domain/dates.ts';
import { DomainError } from '../domain/errors.ts';
import { saveCertificate } from '../store/certificates.ts';
import { lockCompany } from '../store/companies.ts';
import { lockDespacho, retryNow } from '../store/despachos.ts';
import { noteNovedad } from '../store/novedades.ts';
import { returnAttempt } from '../store/rate-limits.ts';
import { assertMayTry, CERTIFICATE_FILES, CERTIFICATES } from './attempts.ts';
import { companyOf, sessionIsOver } from './company-of.ts';
import { CERTIFICATE_SEAL, type SealedCertificate } from './open-certificate.ts';
import { recordEvent } from './record-event.ts';

const MAX_BYTES = 100 * 1024;

/** What the user is told when a file cannot be opened. */
const REFUSALS: Record<Exclude<OpenedPkcs12, { ok: true }>['reason'], string> = {
  'not-pkcs12': 'El archivo no es un certificado. Elige el que acaba en .p12 o .pfx.',
  'wrong-password': 'La contraseña del certificado no es correcta.',
  'no-private-key':
    'El archivo no contiene la clave privada del certificado. Expórtalo otra vez incluyéndola.',
  unsupported:
    'El archivo está protegido de una forma que no admitimos. Expórtalo otra vez desde tu navegador o desde Windows.',
  'unsupported-key':
    'La clave de ese certificado no sirve para conectarse con la AEAT: tiene que ser RSA de hasta 4.096 bits o de curva elíptica. Sube otro certificado.',
};

/** A certificate of the file, and whom it identifies. */
interface Candidate extends KeyPair {
  readonly holder: Holder | null;
  readonly mayIdentify: boolean;
  readonly validoDesde: Date;
  readonly validoHasta: Date;
}

/**
 * Stores the company's certificate, encrypted, in place of the previous one.
 *
 * If the file holds several keys, it takes the company's own: of those that may identify it, the one valid for
 * longest.
 *
 * @throws {DomainError} BAD_REQUEST with what is wrong with the file; PAYLOAD_TOO_LARGE; TOO_MANY_REQUESTS after ten
 *   wrong passwords or thirty files in an hour, and while another file of the company is being opened; UNAUTHORIZED
 *   when the account was closed meanwhile
 */
export async function replaceCertificate(
  deps: Deps,
  companyId: number,
  file: { readonly fileName: string; readonly data: Buffer } | null,
  password: string,
): Promise<void> {
  if (!file) {
    throw new DomainError('BAD_REQUEST', 'Elige el archivo de tu certificado (.p12 o .pfx).');
  }
  if (file.data.length > MAX_BYTES) {
    throw new DomainError(
      'PAYLOAD_TOO_LARGE',
      'El archivo del certificado no puede pasar de 100 KB.',
    );
  }
  const company = await companyOf(deps, companyId);
  const pairs = await openRationed(deps, companyId, file.data, password);
  const now = deps.clock();
  const chosen = choose(pairs.map(candidateOf), company.nif, now);
  const content = sealable(chosen);

  await deps.sql.begin(async (tx) => {
    // The NIF may have changed meanwhile: the certificate must be that of the company as it is now.
    const current = await lockCompany(tx, companyId);
    if (!current) throw sessionIsOver();
    assertUsable(chosen, current.nif, now);
    await saveCertificate(
      tx,
      companyId,
      {
        ...chosen.holder,
        ...sealEnvelope(deps.config.claveMaestra, companyId, CERTIFICATE_SEAL, content),
        fileName: cutToEnd(file.fileName, 120),
        serie: chosen.leaf.serialNumber,
        huella: chosen.leaf.fingerprint256.replaceAll(':', ''),
        validoDesde: chosen.validoDesde,
        validoHasta: chosen.validoHasta,
      },
      now,
    );
    await recordEvent(tx, companyId, {
      kind: 'certificado-cargado',
      now,
      detail: chosen.holder.titular,
    });
    // Not while a refusal of the former one is being stored: it would stop what is to go on now.
    await lockDespacho(tx, companyId);
    // What waited for a valid certificate does not wait for its next hourly attempt.
    await retryNow(tx, companyId, now);
    await noteNovedad(tx, companyId);
  });
  content.fill(0);
  deps.wakeDispatcher();
  deps.news.tell(companyId);
}

/**
 * Opens the file. Wrong passwords have a separate and lower limit: they are what an attacker would try by the
 * hundred.
 */
async function openRationed(
  deps: Deps,
  companyId: number,
  data: Buffer,
  password: string,
): Promise<readonly KeyPair[]> {
  const attempts = `certificado:${companyId}`;
  await assertMayTry(deps, attempts, CERTIFICATES);
  await assertMayTry(deps, `certificado-abierto:${companyId}`, CERTIFICATE_FILES);
  const opened = await openInLine(companyId, () => openPkcs12(data, password));
  if (opened.ok || opened.reason !== 'wrong-password') await returnAttempt(deps.sql, attempts);
  if (!opened.ok) throw new DomainError('BAD_REQUEST', REFUSALS[opened.reason]);
  return opened.pairs;
}

/** Companies whose file is being opened, or is queued, in this process. */
const inLine = new Set<number>();
let lastInLine: Promise<unknown> = Promise.resolve();

/**
 * Files are opened one after another, because opening takes a slice of every turn of the event loop. A company may be
 * in the queue only once, so that nobody waits long for another.
 *
 * @throws {DomainError} TOO_MANY_REQUESTS
 */
async function openInLine<Opened>(companyId: number, open: () => Promise<Opened>): Promise<Opened> {
  if (inLine.has(companyId)) {
    throw new DomainError(
      'TOO_MANY_REQUESTS',
      'Todavía se está abriendo el certificado que subiste antes. Espera unos segundos y vuelve a intentarlo.',
      { retryAfterSeconds: 5 },
    );
  }
  inLine.add(companyId);
  const opening = lastInLine.then(open);
  lastInLine = opening.catch(() => undefined);
  try {
    return await opening;
  } finally {
    inLine.delete(companyId);
  }
}

function candidateOf(pair: KeyPair): Candidate {
  return {
    ...pair,
    holder: holderOf(pair.leaf),
    mayIdentify: mayIdentify(pair.leaf),
    validoDesde: new Date(pair.leaf.validFrom),
    validoHasta: new Date(pair.leaf.validTo),
  };
}

type Usable = Candidate & { readonly holder: Holder };

/** The company's own certificate that is valid now; if there is none, the candidate whose refusal explains most. */
function choose(candidates: readonly Candidate[], nif: string, now: Date): Usable {
  const [best] = [...candidates].sort(
    (a, b) =>
      Number(b.holder?.nif === nif) - Number(a.holder?.nif === nif) ||
      Number(b.mayIdentify) - Number(a.mayIdentify) ||
      Number(isInForce(b, now)) - Number(isInForce(a, now)) ||
      b.validoHasta.getTime() - a.validoHasta.getTime(),
  );
  if (!best) throw new DomainError('BAD_REQUEST', REFUSALS['no-private-key']);
  assertUsable(best, nif, now);
  return best;
}

function assertUsable(candidate: Candidate, nif: string, now: Date): asserts candidate is Usable {
  const { holder, validoDesde, validoHasta } = candidate;
  if (Number.isNaN(validoDesde.getTime()) || Number.isNaN(validoHasta.getTime())) {
    throw new DomainError(
      'BAD_REQUEST',
      'El certificado está dañado: no se puede leer desde cuándo ni hasta cuándo vale. Vuelve a exportarlo.',
    );
  }
  if (!holder) {
    throw new DomainError(
      'BAD_REQUEST',
      'El certificado no dice el NIF de su titular: no sirve para identificarse ante la AEAT.',
    );
  }
  if (holder.nif !== nif) {
    throw new DomainError(
      'BAD_REQUEST',
      `El certificado es de ${holder.titular}, con NIF ${holder.nif}, y el de tu empresa es ${nif}. Sube el de tu empresa o el de su representante.`,
    );
  }
  if (!candidate.mayIdentify) {
    throw new DomainError(
      'BAD_REQUEST',
      'El certificado es solo para cifrar: no sirve para identificarse ante la AEAT. Sube el de autenticación o firma.',
    );
  }
  if (validoHasta <= now) {
    throw new DomainError(
      'BAD_REQUEST',
      `El certificado caducó el ${day(validoHasta)}. Sube uno en vigor.`,
    );
  }
  if (validoDesde > now) {
    throw new DomainError(
      'BAD_REQUEST',
      `El certificado no es válido hasta el ${day(validoDesde)}.`,
    );
  }
}

/** Key and chain as they are stored, after TLS itself has accepted them. */
function sealable({ key, leaf, chain }: KeyPair): Buffer {
  const content: SealedCertificate = {
    keyPem: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certPem: [leaf, ...chain].map((certificate) => certificate.toString()).join(''),
  };
  try {
    createSecureContext({ key: content.keyPem, cert: content.certPem });
  } catch (cause) {
    throw new DomainError(
      'BAD_REQUEST',
      'El certificado usa una clave demasiado corta o antigua para conectarse con la AEAT. Renuévalo.',
      { cause },
    );
  }
  return Buffer.from(JSON.stringify(content));
}

function isInForce({ validoDesde, validoHasta }: Candidate, now: Date): boolean {
  return validoDesde <= now && now < validoHasta;
}

function day(date: Date): string {
  return fechaEs(isoDateIn(date, 'Europe/Madrid'));
}
