import type { BusinessCentralClient } from '../business-central/client.ts';
import { customerFields } from '../business-central/parties.ts';
import {
  BcCustomer,
  BcSalesInvoice,
  documentOfInvoice,
  fitsAsCode,
} from '../business-central/shapes.ts';
import {
  candidates,
  fitsAsPercent,
  percentOf,
  proposalFor,
  type TaxKey,
  taxKeyText,
} from '../business-central/taxes.ts';
import type {
  BusinessCentralIva,
  SetBusinessCentralIvaBody,
} from '../contract/business-central.ts';
import type { Deps } from '../deps.ts';
import { groupOfPlace } from '../domain/customer.ts';
import { DomainError } from '../domain/errors.ts';
import { decimalToText, parsePlainDecimal } from '../domain/money.ts';
import { askToRetry, readHeldItemsAgain } from '../store/business-central.ts';
import {
  countMissing,
  listTaxCodes,
  saveTaxCodes,
  type TaxCode,
} from '../store/business-central-tax-codes.ts';
import { findCatalog } from '../store/catalogs.ts';

const SAMPLE = '200';

/** The VAT codes of the last invoices in Business Central, so that they can be mapped before anything is imported. */
export async function sampleTaxCodes(
  client: BusinessCentralClient,
  bcCompany: string,
): Promise<Omit<TaxCode, 'tax'>[]> {
  const newest = { $orderby: 'lastModifiedDateTime desc', $top: SAMPLE };
  const [customers, invoices] = await Promise.all([
    client.list(bcCompany, 'customers', BcCustomer, { $top: '1000' }),
    client.list(bcCompany, 'salesInvoices', BcSalesInvoice, {
      ...newest,
      $expand: 'salesInvoiceLines',
    }),
  ]);
  const noLookups = { terms: new Map<string, string>(), methods: new Map<string, string>() };
  const groups = new Map(
    customers.map((customer) => {
      const { countryCode, VATRegistrationNo, postCode = '' } = customerFields(customer, noLookups);
      return [customer.id, groupOfPlace({ countryCode, VATRegistrationNo, postCode })];
    }),
  );
  const codes = new Map<string, Omit<TaxCode, 'tax'>>();
  for (const invoice of invoices.map(documentOfInvoice)) {
    const grupo = groups.get(invoice.customerId);
    if (!grupo) continue;
    for (const { taxCode, taxPercent, lineType } of invoice.lines) {
      if (/^comment/i.test(lineType) || !fitsAsCode(taxCode)) continue;
      const key = { grupo, codigo: taxCode, bps: percentOf(taxPercent) };
      if (!fitsAsPercent(key.bps)) continue;
      codes.set(taxKeyText(key), codeOf(key));
    }
  }
  return [...codes.values()];
}

export function codeOf({ grupo, codigo, bps }: TaxKey): Omit<TaxCode, 'tax'> {
  return { grupo, codigo, porcentaje: decimalToText(bps, 2) };
}

export function keyOfCode({ grupo, codigo, porcentaje }: Omit<TaxCode, 'tax'>): TaxKey {
  return { grupo, codigo, bps: parsePlainDecimal(porcentaje, 2) ?? 0n };
}

/** Every code seen there, with its possible taxes here, our proposal and the user's choice. */
export async function findTaxMapping(
  { sql }: Pick<Deps, 'sql'>,
  companyId: number,
): Promise<BusinessCentralIva> {
  const [codes, vatGroups, gruposContables, waiting] = await Promise.all([
    listTaxCodes(sql, companyId),
    findCatalog(sql, companyId, 'gruposIva'),
    findCatalog(sql, companyId, 'gruposContables'),
    countMissing(sql, companyId),
  ]);
  // Earlier versions saved longer codes, which the contract does not take.
  const fitting = codes.filter(({ codigo }) => fitsAsCode(codigo));
  return fitting.map((code) => {
    const key = keyOfCode(code);
    return {
      ...codeOf(key),
      tax: code.tax ?? '',
      grupoNombre: gruposContables.find(({ value }) => value === code.grupo)?.label ?? code.grupo,
      propuesta: proposalFor(vatGroups, key) ?? '',
      opciones: candidates(vatGroups, key).map((group) => ({
        value: group.VATProdPostingGroup,
        label: group.Description,
      })),
      esperan: waiting.get(taxKeyText(key)) ?? 0,
    };
  });
}

/**
 * Saves the mapping of codes seen there; of a code given twice, the last. What waited for it is judged again by the
 * next synchronisation.
 *
 * @throws {DomainError} BAD_REQUEST for a code that was not seen there, or a tax that those clients or that percentage
 *   cannot have
 */
export async function saveTaxMapping(
  { sql, clock }: Pick<Deps, 'sql' | 'clock'>,
  companyId: number,
  { codigos }: SetBusinessCentralIvaBody,
): Promise<void> {
  const [vatGroups, codes] = await Promise.all([
    findCatalog(sql, companyId, 'gruposIva'),
    listTaxCodes(sql, companyId),
  ]);
  const seen = new Set(codes.map((code) => taxKeyText(keyOfCode(code))));
  const rows = new Map<string, TaxCode>();
  for (const { grupo, codigo, porcentaje, tax } of codigos) {
    const bps = parsePlainDecimal(porcentaje, 2);
    const key = { grupo, codigo, bps: bps ?? 0n };
    if (bps === null || !seen.has(taxKeyText(key))) {
      throw new DomainError(
        'BAD_REQUEST',
        `No conocemos el código «${codigo}» al ${porcentaje} % para esos clientes. Vuelve a abrir la lista.`,
      );
    }
    const isPossible = candidates(vatGroups, key).some(
      ({ VATProdPostingGroup }) => VATProdPostingGroup === tax,
    );
    if (tax !== '' && !isPossible) {
      throw new DomainError('BAD_REQUEST', `Elige de la lista a qué IVA corresponde «${codigo}».`);
    }
    rows.set(taxKeyText(key), { ...codeOf(key), tax: tax || null });
  }
  await sql.begin(async (tx) => {
    await saveTaxCodes(tx, companyId, [...rows.values()]);
    await readHeldItemsAgain(tx, companyId);
    await askToRetry(tx, companyId, clock());
  });
}
