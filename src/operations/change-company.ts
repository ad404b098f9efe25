import type { z } from 'zod';
import type { SetDatosEmpresa2Body, SetDatosEmpresa3Body } from '../contract/company.ts';
import type { Deps } from '../deps.ts';
import { gruposIva } from '../domain/catalogs/catalogs.ts';
import { checkCompanyData, MAX_REGISTRY_DATA } from '../domain/company.ts';
import type { CustomerChoices } from '../domain/customer.ts';
import { DomainError } from '../domain/errors.ts';
import { checkIban } from '../domain/iban.ts';
import { checkRetention, WRONG_RETENTION } from '../domain/irpf.ts';
import { decimalToEs } from '../domain/money.ts';
import { isDemoApart } from '../domain/plans.ts';
import { territoryOf } from '../domain/postal-code.ts';
import { formatNoSerie, siblingSeries } from '../domain/series.ts';
import { townAfter } from '../domain/town.ts';
import { isUsualTax, WRONG_USUAL_TAX } from '../domain/usual-tax.ts';
import type { VatGroup } from '../domain/vat.ts';
import { lockCadena } from '../store/cadenas.ts';
import { customerChoices, findCatalogs, reseedTaxes } from '../store/catalogs.ts';
import { deleteCertificate, findCertificateDetails } from '../store/certificates.ts';
import {
  type Company,
  type CompanyChanges,
  isRegistered,
  lockCompany,
  updateCompany,
} from '../store/companies.ts';
import { findCustomer } from '../store/customers.ts';
import { lockDespacho, resumeStopped } from '../store/despachos.ts';
import { findSeries } from '../store/series.ts';
import type { Tx } from '../store/sql.ts';
import { assertMayTry, OTHER_IDENTITIES } from './attempts.ts';
import { companyOf, sessionIsOver } from './company-of.ts';
import { findTakenSeries, startSeries } from './create-company.ts';
import { ALREADY_REGISTERED, refusingTwins } from './sign-up.ts';

/**
 * Changes the company data that its invoices carry.
 *
 * The NIF identifies the owner of the cadena, so it can be corrected only until the first invoice is registered; the
 * certificate of the former NIF is then forgotten. The counter stays as its owner chose it, unless the new NIF has
 * already used those numbers. Moving to another territory changes the taxes, and forgets a usual one that is not there.
 *
 * @returns what the user has to be told, if anything
 * @throws {DomainError} BAD_REQUEST, CONFLICT, TOO_MANY_REQUESTS
 */
export async function changeCompanyData(
  { sql, clock, config }: Pick<Deps, 'sql' | 'clock' | 'config'>,
  companyId: number,
  body: z.infer<typeof SetDatosEmpresa2Body>,
): Promise<string | null> {
  const { company: changes, sentences } = checkCompanyData({
    name: body.Name,
    nif: body.VATRegistrationNo,
    address: body.Address,
    postCode: body.postCode,
    countryCode: body.countryCode,
  });
  if (sentences.length > 0) throw new DomainError('BAD_REQUEST', sentences);
  // Outside the transaction, so that what is refused counts too.
  if (changes.nif !== (await companyOf({ sql }, companyId)).nif) {
    await assertMayTry({ sql, clock }, `otro-nif:${companyId}`, OTHER_IDENTITIES);
  }
  return refusingTwins(() =>
    sql.begin(async (tx) => {
      const company = await lockedCompany(tx, companyId);
      let told: string | null = null;
      if (changes.nif !== company.nif) {
        await assertNifMayChange(tx, company, changes.nif);
        const isApart = isDemoApart(config.aeat, company);
        told = await restartWhereTaken(tx, companyId, changes, { now: clock(), isApart });
      }
      await updateCompany(tx, companyId, {
        ...changes,
        municipio: townAfter(company, changes, body.Municipio),
      });
      // The former name may be what the AEAT refused, or is refusing at this moment.
      await lockDespacho(tx, companyId);
      await resumeStopped(tx, companyId, clock());
      const territory = territoryOf(changes.postCode, changes.countryCode);
      if (territory === territoryOf(company.postCode, company.countryCode)) return told;
      await reseedTaxes(tx, companyId, territory);
      if (!company.defaultTax || isUsualTax(gruposIva(territory), company.defaultTax)) return told;
      await updateCompany(tx, companyId, { defaultTax: '' });
      return told ? `${told} ${USUAL_TAX_GONE}` : USUAL_TAX_GONE;
    }),
  );
}

/**
 * Changes the given defaults for new clients and invoices; those left out stay as they are.
 *
 * @throws {DomainError} NOT_FOUND for a customer of another company; BAD_REQUEST naming each choice that is not in
 *   its catalogs
 */
export async function changeDefaults(
  { sql }: Pick<Deps, 'sql'>,
  companyId: number,
  body: z.infer<typeof SetDatosEmpresa3Body>,
): Promise<void> {
  await sql.begin(async (tx) => {
    await lockedCompany(tx, companyId); // Until it is their default, nobody deletes that customer.
    const [choices, { gruposIva: taxes }, customer] = await Promise.all([
      customerChoices(tx, companyId),
      findCatalogs(tx, companyId, ['gruposIva']),
      body.Customer ? findCustomer(tx, companyId, body.Customer) : null,
    ]);
    if (body.Customer && !customer) {
      throw new DomainError(
        'NOT_FOUND',
        `El cliente «${body.Customer}» no existe. Elige en «Cliente de las simplificadas» uno de los tuyos.`,
      );
    }
    const { changes, sentences } = judgedDefaults(body, choices, taxes);
    if (sentences.length > 0) throw new DomainError('BAD_REQUEST', sentences);
    await updateCompany(tx, companyId, changes);
  });
}

/** Empty for none. */
const PHONE = /^(?:\+?[\d ()./-]{6,30})?$/;

/** What changes, and a sentence for each value that is wrong. What was left out is undefined: it does not change. */
function judgedDefaults(
  body: z.infer<typeof SetDatosEmpresa3Body>,
  choices: CustomerChoices,
  taxes: readonly VatGroup[],
): { readonly changes: CompanyChanges; readonly sentences: readonly string[] } {
  const { ImpuestoPorDefecto: tax } = body;
  const iban = body.IBAN?.trim() ? checkIban(body.IBAN) : null;
  const ibanText = iban?.ok ? iban.iban : '';
  const phone = body.Telefono?.trim();
  const retention = checkRetention(body.RetencionPorDefecto ?? '');
  const retentionText = retention ? decimalToEs(retention, 2) : '';
  const registryData = body.DatosRegistrales?.replace(/\s+/g, ' ').trim();

  const sentences = [
    !isOneOf(choices.terminosPago, body.PaymentTerms) && 'Elige el término de pago de la lista.',
    !isOneOf(choices.formasPago, body.PaymentMethod) && 'Elige la forma de pago de la lista.',
    !isOneOf(choices.gruposContables, body.CustomerPostingGroup) &&
      'Elige el grupo contable de la lista.',
    iban?.ok === false && iban.mensaje,
    !PHONE.test(phone ?? '') && 'El teléfono lleva cifras y espacios; por ejemplo, 912 345 678.',
    retention === null && WRONG_RETENTION,
    tax !== undefined && tax !== '' && !isUsualTax(taxes, tax) && WRONG_USUAL_TAX,
    (registryData?.length ?? 0) > MAX_REGISTRY_DATA &&
      `Los datos registrales no pueden pasar de ${MAX_REGISTRY_DATA} caracteres: abrévialos (T. 4211, F. 87, H. Z-58213).`,
  ].filter((sentence) => sentence !== false);
  return {
    changes: {
      paymentTerms: body.PaymentTerms,
      paymentMethod: body.PaymentMethod,
      customerPostingGroup: body.CustomerPostingGroup,
      defaultCustomerNo: body.Customer,
      iban: body.IBAN === undefined ? undefined : ibanText,
      phone,
      defaultRetention: body.RetencionPorDefecto === undefined ? undefined : retentionText,
      defaultTax: tax,
      registryData,
    },
    sentences,
  };
}

const USUAL_TAX_GONE =
  'Con la dirección han cambiado tus impuestos: elige otra vez tu impuesto habitual en «Datos de facturación».';

/** A choice that is left out is valid: it does not change. */
function isOneOf(codes: ReadonlySet<string>, code: string | undefined): boolean {
  return code === undefined || codes.has(code);
}

/**
 * Restarts the series if a closed account of the same NIF has already used the numbers that they would give.
 *
 * @returns the sentence that says so, or null
 */
async function restartWhereTaken(
  tx: Tx,
  companyId: number,
  company: Pick<Company, 'nif' | 'postCode' | 'countryCode'>,
  { now, isApart }: { readonly now: Date; readonly isApart: boolean },
): Promise<string | null> {
  const { nif } = company;
  const chosen = (await findSeries(tx, companyId)).get('F');
  // Nothing has been registered yet, so all the series are where the ordinary one is.
  const taken =
    chosen && (await findTakenSeries(tx, companyId, { nif, series: siblingSeries(chosen) }));
  if (!taken) return null;
  const first = await startSeries(tx, companyId, company, now, { isApart });
  return `Ya hay facturas de ${nif} con el número ${formatNoSerie(taken)} o posteriores: tu contador empieza en ${formatNoSerie(first)}. Si quieres otro, reinícialo en «Datos de facturación».`;
}

async function assertNifMayChange(tx: Tx, company: Company, nif: string): Promise<void> {
  // Of any installation: a new one has no registro yet, but those of earlier ones belong to this NIF too.
  const { lastSeq } = await lockCadena(tx, company.id);
  if (lastSeq > 0n) {
    throw new DomainError(
      'CONFLICT',
      `El NIF no se puede cambiar: ya hay facturas registradas con ${company.nif}. Para facturar con otro NIF, crea otra cuenta.`,
    );
  }
  if (await isRegistered(tx, { nif, exceptId: company.id })) {
    throw new DomainError('CONFLICT', [ALREADY_REGISTERED]);
  }
  const certificate = await findCertificateDetails(tx, company.id);
  if (certificate && certificate.nif !== nif) await deleteCertificate(tx, company.id);
}

async function lockedCompany(tx: Tx, companyId: number): Promise<Company> {
  const company = await lockCompany(tx, companyId);
  if (!company) throw sessionIsOver();
  return company;
}
