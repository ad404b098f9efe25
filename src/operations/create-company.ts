import { randomBytes } from 'node:crypto';
import { isoDateIn, zonaOf } from '../domain/dates.ts';
import { territoryOf } from '../domain/postal-code.ts';
import { parseNoSerie, type Series, siblingSeries } from '../domain/series.ts';
import { startCadena } from '../store/cadenas.ts';
import { seedCatalogs } from '../store/catalogs.ts';
import { insertCompany, type SubscriptionType, updateCompany } from '../store/companies.ts';
import { insertCustomer, nextCustomerNo } from '../store/customers.ts';
import { enqueueMail } from '../store/mail-jobs.ts';
import { replaceSeries } from '../store/series.ts';
import type { Tx } from '../store/sql.ts';

/** A company about to exist, its data already checked and normalised. */
export interface NewCompany {
  readonly nif: string;
  readonly email: string;
  readonly name: string;
  readonly address: string;
  readonly postCode: string;
  readonly countryCode: string;
  readonly passwordHash: string;
  readonly subscriptionType: SubscriptionType;
  readonly subscriptionEndsAt: Date;
}

/**
 * Creates a company with all it needs to issue: catalogs of its territory, the four series, the
 * empty cadena, the customer of simplified invoices, and the welcome message.
 *
 * @returns its id, or null when an account with that NIF or e-mail exists
 */
export async function createCompany(
  tx: Tx,
  company: NewCompany,
  now: Date,
): Promise<number | null> {
  const companyId = await insertCompany(tx, {
    ...company,
    numeroInstalacion: numeroInstalacion(now),
    paymentTerms: '30D',
    paymentMethod: 'TRANSF',
    customerPostingGroup: 'NAC',
    defaultCustomerNo: '',
    termsAcceptedAt: now,
    createdAt: now,
  });
  if (companyId === null) return null;

  await seedCatalogs(tx, companyId, territoryOf(company.postCode));
  await replaceSeries(tx, companyId, siblingSeries(firstSeries(company.postCode, now)));
  await startCadena(tx, companyId);
  await createDefaultCustomer(tx, companyId);
  await enqueueMail(tx, companyId, {
    content: { kind: 'bienvenida' },
    recipient: company.email,
    now,
  });
  return companyId;
}

/** `00001/26`: the year keeps the first numbers of each year apart. */
function firstSeries(postCode: string, now: Date): Series {
  const year = isoDateIn(now, zonaOf(postCode)).slice(2, 4);
  const series = parseNoSerie(`00001/${year}`);
  if (!series) throw new Error('The first series cannot be read.');
  return series;
}

/** Whoever buys over the counter: what simplified invoices use when nobody else is chosen. */
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
 * `NumeroInstalacion`: never used before, by anybody. A company that signs up again gets another, and
 * with it a cadena of its own: an old one may only be continued from its last registro.
 */
function numeroInstalacion(now: Date): string {
  const day = now.toISOString().slice(0, 10).replaceAll('-', '');
  return `${day}-${randomBytes(6).toString('hex').toUpperCase()}`;
}
