import { createHmac, hkdfSync, randomUUID, timingSafeEqual } from 'node:crypto';
import type { Config } from '../config.ts';
import type { CopiaDatos } from '../contract/company.ts';
import type { Deps } from '../deps.ts';
import { isoDateIn, zonaOf } from '../domain/dates.ts';
import { DomainError } from '../domain/errors.ts';
import { type DataCopy, findDataCopy, findPiece, openDataCopy } from '../store/data-copies.ts';
import { assertMayTry, DATA_COPIES } from './attempts.ts';
import { type Asker, assertItIsThem } from './change-account.ts';
import { companyOf, keepOpen } from './company-of.ts';
import { recordEvent } from './record-event.ts';

/**
 * Asks for the ZIP with all the company's data: a background job makes it and announces it by e-mail. Asking again
 * while it is being made starts no second one.
 *
 * @throws {DomainError} REAUTHENTICATE, BAD_REQUEST for a wrong password, TOO_MANY_REQUESTS
 */
export async function askDataCopy(
  deps: Deps,
  asker: Asker,
  currentPassword: string,
): Promise<CopiaDatos> {
  const { companyId } = asker;
  const company = await companyOf(deps, companyId);
  await assertItIsThem(deps, asker, company, currentPassword);
  const before = await findDataCopy(deps.sql, companyId);
  if (before?.status !== 'preparando') {
    await assertMayTry(deps, `copia:${companyId}`, DATA_COPIES);
    await deps.sql.begin(async (tx) => {
      await keepOpen(tx, companyId);
      const now = deps.clock();
      const day = isoDateIn(now, zonaOf(company.postCode, company.countryCode));
      const fileName = `datos-${company.nif}-${day}.zip`;
      const copy = { id: randomUUID(), fileName, requestedAt: now };
      if (!(await openDataCopy(tx, companyId, copy))) return;
      await recordEvent(tx, companyId, { kind: 'copia-pedida', now });
    });
  }
  return describeDataCopy(deps, companyId);
}

/** State of the company's copy. An expired one counts as none. */
export async function describeDataCopy(
  { sql, clock }: Pick<Deps, 'sql' | 'clock'>,
  companyId: number,
): Promise<CopiaDatos> {
  const copy = await findDataCopy(sql, companyId);
  if (!copy || isOver(copy, clock())) return { estado: 'ninguna' };
  if (copy.status === 'fallida') return { estado: 'fallida' };
  const { done: facturas, total, bytes, expiresAt } = copy;
  if (copy.status === 'preparando') return { estado: 'preparando', facturas, total };
  return { estado: 'lista', bytes, ...(expiresAt && { hasta: expiresAt.toISOString() }) };
}

/**
 * The link to the copy, for somebody who has just proved who they are.
 *
 * @throws {DomainError} NOT_FOUND when there is no copy; REAUTHENTICATE, BAD_REQUEST for a wrong password,
 *   TOO_MANY_REQUESTS
 */
export async function linkOfDataCopy(
  deps: Deps,
  asker: Asker,
  currentPassword: string,
): Promise<string> {
  const company = await companyOf(deps, asker.companyId);
  await assertItIsThem(deps, asker, company, currentPassword);
  const copy = await findDataCopy(deps.sql, asker.companyId);
  if (copy?.status !== 'lista' || isOver(copy, deps.clock())) throw gone();
  return dataCopyLink(deps.config, { companyId: copy.companyId, copyId: copy.id });
}

/** A copy as its link names it. */
export interface CopyName {
  readonly companyId: number;
  readonly copyId: string;
}

/**
 * The text that opens a copy without a session, because the account may be closed by then: `7.0f3a….9b2c…`. It cannot
 * be guessed, and is stored nowhere.
 */
export function dataCopyLink({ jwtSecret }: Pick<Config, 'jwtSecret'>, name: CopyName): string {
  return `${name.companyId}.${name.copyId}.${signatureOf(jwtSecret, name)}`;
}

/** @throws {DomainError} NOT_FOUND for anything that is not a link of ours */
export function readDataCopyLink({ jwtSecret }: Pick<Config, 'jwtSecret'>, link: string): CopyName {
  const [, companyId = '', copyId = '', signature = ''] =
    /^(\d{1,9})\.([0-9a-f-]{36})\.([0-9a-f]{64})$/.exec(link) ?? [];
  const name = { companyId: Number(companyId), copyId };
  const right = Buffer.from(signatureOf(jwtSecret, name));
  if (signature.length !== right.length || !timingSafeEqual(Buffer.from(signature), right)) {
    throw gone();
  }
  return name;
}

function signatureOf(jwtSecret: string, { companyId, copyId }: CopyName): string {
  const key = Buffer.from(hkdfSync('sha256', jwtSecret, '', 'copia de datos', 32));
  return createHmac('sha256', key).update(`${companyId}.${copyId}`).digest('hex');
}

/**
 * The copy that a link opens.
 *
 * @throws {DomainError} NOT_FOUND when it has expired or another has replaced it
 */
export async function findLinkedCopy(
  { sql, clock }: Pick<Deps, 'sql' | 'clock'>,
  { companyId, copyId }: CopyName,
): Promise<DataCopy & { readonly expiresAt: Date }> {
  const copy = await findDataCopy(sql, companyId);
  const expiresAt = copy?.expiresAt ?? null;
  if (copy?.status !== 'lista' || copy.id !== copyId || !expiresAt || isOver(copy, clock())) {
    throw gone();
  }
  return { ...copy, expiresAt };
}

/**
 * The ZIP behind a link, streamed; the security log records the download.
 *
 * @throws {DomainError} NOT_FOUND
 */
export async function openLinkedCopy(
  deps: Pick<Deps, 'sql' | 'clock'>,
  name: CopyName,
): Promise<Pick<DataCopy, 'fileName' | 'bytes'> & { readonly zip: AsyncIterable<Buffer> }> {
  const { fileName, bytes } = await findLinkedCopy(deps, name);
  await recordEvent(deps.sql, name.companyId, { kind: 'copia-descargada', now: deps.clock() });
  return { fileName, bytes, zip: piecesOf(deps.sql, name, bytes) };
}

async function* piecesOf(
  sql: Deps['sql'],
  { companyId, copyId }: CopyName,
  bytes: number,
): AsyncGenerator<Buffer> {
  let sent = 0;
  for (let piece = 0; sent < bytes; piece++) {
    const content = await findPiece(sql, companyId, { copyId, piece });
    if (!content) throw new Error('The copy was destroyed while it was being downloaded.');
    sent += content.length;
    yield content;
  }
}

function isOver({ expiresAt }: Pick<DataCopy, 'expiresAt'>, now: Date): boolean {
  return expiresAt !== null && expiresAt <= now;
}

function gone(): DomainError {
  return new DomainError(
    'NOT_FOUND',
    'Este enlace ya no sirve: ha caducado o se pidió otra copia después.',
  );
}
