import { randomBytes } from 'node:crypto';
import type { Config } from '../config.ts';
import { isoDateIn, zonaOf } from '../domain/dates.ts';
import { isDemoApart } from '../domain/plans.ts';
import { territoryOf } from '../domain/postal-code.ts';
import {
  parseNoSerie,
  SERIES_KINDS,
  type Series,
  type SeriesKind,
  siblingSeries,
} from '../domain/series.ts';
import { originOf } from '../domain/verifactu/sistema.ts';
import { startCadena } from '../store/cadenas.ts';
import { seedCatalogs } from '../store/catalogs.ts';
import {
  type Company,
  findCompanyIdsByNif,
  insertCompany,
  updateCompany,
} from '../store/companies.ts';
import { insertCustomer, nextCustomerNo } from '../store/customers.ts';
import { firstTaken, lastDaysOf } from '../store/invoices.ts';
import { enqueueMail } from '../store/mail-jobs.ts';
import { lookAcross } from '../store/row-security.ts';
import { replaceSeries } from '../store/series.ts';
import type { Tx } from '../store/sql.ts';

/** A company that is about to be created, its data already checked and normalised. */
export type NewCompany = Pick<
  Company,
  | 'nif'
  | 'email'
  | 'name'
  | 'address'
  | 'postCode'
  | 'countryCode'
  | 'passwordHash'
  | 'subscriptionType'
  | 'subscriptionEndsAt'
  | 'termsAcceptedAt'
  | 'termsVersion'
>;

/**
 * Creates a company with all it needs to issue: catalogs of its territory, the six series, the
 * empty cadena, the customer of simplified invoices, and the welcome message.
 *
 * @returns its id, or null when an account with that NIF or e-mail exists
 */
export async function createCompany(
  tx: Tx,
  company: NewCompany,
  now: Date,
  aeat: Config['aeat'],
): Promise<number | null> {
  const companyId = await insertCompany(tx, {
    ...company,
    numeroInstalacion: numeroInstalacion(now),
    paymentTerms: '30D',
    paymentMethod: 'TRANSF',
    customerPostingGroup: 'NAC',
    defaultCustomerNo: '',
    createdAt: now,
  });
  if (companyId === null) return null;

  await seedCatalogs(tx, companyId, territoryOf(company.postCode, company.countryCode));
  await startSeries(tx, companyId, company, now, { isApart: isDemoApart(aeat, company) });
  await startCadena(tx, companyId);
  await createDefaultCustomer(tx, companyId);
  await enqueueMail(tx, companyId, {
    content: { kind: 'bienvenida' },
    recipient: company.email,
    now,
  });
  return companyId;
}

/**
 * Suffix of the numbers of a demo that declares apart (decision 0211): real numbering starts at one when the demo
 * ends.
 */
export const DEMO_SUFFIX = '/DEMO';

/**
 * Starts the series of a company: `00001/26`, or `00001/26-2` when a closed account has already used that one. No
 * number of an obligado is ever given twice, whichever of its accounts gave it.
 *
 * @param isApart it is in a demo that declares apart, so its numbers will not count: `00001/DEMO`
 * @returns the ordinary series
 */
export async function startSeries(
  tx: Tx,
  companyId: number,
  { nif, postCode, countryCode }: Pick<NewCompany, 'nif' | 'postCode' | 'countryCode'>,
  now: Date,
  { isApart }: { readonly isApart: boolean },
): Promise<Series> {
  const year = isoDateIn(now, zonaOf(postCode, countryCode)).slice(2, 4);
  const suffix = isApart ? DEMO_SUFFIX : `/${year}`;
  for (let again = 1; ; again++) {
    const first = parseNoSerie(`00001${suffix}${again === 1 ? '' : `-${again}`}`);
    if (!first) throw new Error('The first series cannot be read.');
    const series = siblingSeries(first);
    if (await findTakenSeries(tx, companyId, { nif, series })) continue;
    await replaceSeries(tx, companyId, series);
    return first;
  }
}

/** The first series of which another account of the NIF has already used a number; null when there is none. */
export function findTakenSeries(
  tx: Tx,
  companyId: number,
  { nif, series }: { readonly nif: string; readonly series: Readonly<Record<SeriesKind, Series>> },
): Promise<Series | null> {
  return lookAcross(tx, async () => {
    const accounts = (await findCompanyIdsByNif(tx, nif)).filter((id) => id !== companyId);
    return takenSeries(tx, accounts, series);
  });
}

/**
 * The first of the six series with a number, from its next one on, that was already given; null when there is none.
 *
 * @param since positions of the cadenas up to which this has already been checked
 */
export async function takenSeries(
  tx: Tx,
  companyIds: readonly number[],
  series: Readonly<Record<SeriesKind, Series>>,
  since: bigint | null = null,
): Promise<Series | null> {
  const all = SERIES_KINDS.map((kind) => series[kind]);
  for (const companyId of companyIds) {
    const place = await firstTaken(tx, companyId, all, since);
    if (place !== null) return all[place] ?? null;
  }
  return null;
}

/** The day of the last invoice of each of the six series that has any. */
export async function lastDaysOfSeries(
  tx: Tx,
  companyIds: readonly number[],
  series: Readonly<Record<SeriesKind, Series>>,
): Promise<Map<SeriesKind, string>> {
  const all = SERIES_KINDS.map((kind) => series[kind]);
  const last = new Map<SeriesKind, string>();
  for (const companyId of companyIds) {
    for (const [place, day] of await lastDaysOf(tx, companyId, all)) {
      const kind = SERIES_KINDS[place];
      if (kind && day > (last.get(kind) ?? '')) last.set(kind, day);
    }
  }
  return last;
}

/** The walk-in customer that simplified invoices use when no other is chosen. */
async function createDefaultCustomer(tx: Tx, companyId: number): Promise<void> {
  const no = await nextCustomerNo(tx, companyId);
  await insertCustomer(tx, companyId, {
    No: no,
    Name: 'Cliente de mostrador',
    VATRegistrationNo: '',
    Address: '',
    postCode: '',
    countryCode: 'ES',
    Email: '',
    PaymentMethod: 'CONTADO',
    PaymentTerms: 'CON',
    CustomerPostingGroup: 'NAC',
  });
  await updateCompany(tx, companyId, { defaultCustomerNo: no });
}

/**
 * `NumeroInstalacion`: never used before, by anybody. A company that signs up again gets another one, and with it a
 * cadena of its own: an old cadena may only be continued from its last registro.
 *
 * @param after the installation that lost its last registros: the new identifier keeps the origin of the company's
 *   first one, so that a backup older than the change still recognises it as its own (`originOf`)
 */
export function numeroInstalacion(now: Date, after?: string): string {
  const day = now.toISOString().slice(0, 10).replaceAll('-', '');
  const fresh = `${day}-${randomBytes(6).toString('hex').toUpperCase()}`;
  return after === undefined ? fresh : `${originOf(after)}-${fresh}`;
}
