/**
 * What is read from the entities of API v2.0. Microsoft adds fields, and omits or nulls others, so only what is used
 * is named and nearly all of it is optional.
 */

import { z } from 'zod';
import { keepable } from '../domain/keepable.ts';
import { NIL_UUID } from '../domain/nil-uuid.ts';

/** JSON can write characters that PostgreSQL does not keep: one of them would stop the whole page. */
const text = z
  .string()
  .nullish()
  .transform((value) => keepable(value?.trim() ?? ''));
const number = z
  .number()
  .nullish()
  .transform((value) => value ?? 0);
/**
 * Their identifiers are sequential (`f2a5738a-44e3-ea11-bb43-000d3a2feca1`): they look like a UUID, but of no valid
 * version.
 */
export const guid = z.guid();
export const isGuid = (text: string): boolean => guid.safeParse(text).success;

/** Length of a code here; theirs have twenty characters, but the API gives them as texts. */
const MAX_CODE = 40;
export const fitsAsCode = (code: string): boolean => code.length <= MAX_CODE;
export const LONG_CODE = `tiene más de ${MAX_CODE} caracteres y Huella no admite tantos.`;

const moment = z.iso.datetime({ offset: true });
const day = z.iso.date();

export const BcCompany = z.object({ id: guid, name: text, displayName: text });
export type BcCompany = z.infer<typeof BcCompany>;

export const BcCompanyInformation = z.object({ displayName: text, taxRegistrationNumber: text });

export const BcTerm = z.object({ id: guid, code: text, dueDateCalculation: text });
export const BcMethod = z.object({ id: guid, code: text });

export const BcCustomer = z.object({
  id: guid,
  number: text,
  displayName: text,
  addressLine1: text,
  addressLine2: text,
  city: text,
  country: text,
  postalCode: text,
  email: text,
  taxRegistrationNumber: text,
  paymentTermsId: text,
  paymentMethodId: text,
  lastModifiedDateTime: moment,
});
export type BcCustomer = z.infer<typeof BcCustomer>;

export const BcItem = z.object({
  id: guid,
  number: text,
  displayName: text,
  unitPrice: number,
  priceIncludesTax: z
    .boolean()
    .nullish()
    .transform((value) => value ?? false),
  /** The code that its lines have as `taxCode`. */
  taxGroupCode: text,
  baseUnitOfMeasureCode: text,
  lastModifiedDateTime: moment,
});
export type BcItem = z.infer<typeof BcItem>;

export const BcLine = z.object({
  sequence: number,
  lineType: text,
  lineObjectNumber: text,
  description: text,
  description2: text,
  unitOfMeasureCode: text,
  quantity: number,
  unitPrice: number,
  discountPercent: number,
  taxCode: text,
  taxPercent: number,
  netAmount: number,
});
export type BcLine = z.infer<typeof BcLine>;

const head = {
  id: guid,
  number: text,
  externalDocumentNumber: text,
  customerId: text,
  customerNumber: text,
  customerName: text,
  billToCustomerId: text,
  billToCustomerNumber: text,
  billToName: text,
  currencyCode: text,
  status: text,
  totalAmountExcludingTax: number,
  totalTaxAmount: number,
  totalAmountIncludingTax: number,
  lastModifiedDateTime: moment,
};

export const BcSalesInvoice = z.object({
  ...head,
  invoiceDate: day,
  salesInvoiceLines: z.array(BcLine).default([]),
});

export const BcSalesCreditMemo = z.object({
  ...head,
  creditMemoDate: day,
  invoiceId: text,
  invoiceNumber: text,
  salesCreditMemoLines: z.array(BcLine).default([]),
});

/** An invoice or a credit memo, under the same names. Amounts are positive in both. */
export const BcDocument = z.object({
  kind: z.enum(['factura', 'abono']),
  id: z.string(),
  number: z.string(),
  /** `YYYY-MM-DD`. */
  issuedOn: z.string(),
  externalNumber: z.string(),
  customerId: z.string(),
  customerNumber: z.string(),
  customerName: z.string(),
  currencyCode: z.string(),
  status: z.string(),
  base: z.number(),
  tax: z.number(),
  total: z.number(),
  rectifiesId: z.string(),
  rectifiesNumber: z.string(),
  lines: z.array(BcLine),
});
export type BcDocument = z.infer<typeof BcDocument>;

type Head = z.infer<z.ZodObject<typeof head>>;

const realId = (id: string) => (id === NIL_UUID ? '' : id);

function documentOf(row: Head, lines: readonly BcLine[]) {
  // The invoice is for whoever is billed or, if empty, for whoever was sold to.
  const isBilledApart = realId(row.billToCustomerId) !== '';
  return {
    id: row.id,
    number: row.number,
    externalNumber: row.externalDocumentNumber,
    customerId: realId(row.billToCustomerId) || realId(row.customerId),
    customerNumber: isBilledApart ? row.billToCustomerNumber : row.customerNumber,
    customerName: (isBilledApart && row.billToName) || row.customerName,
    currencyCode: row.currencyCode,
    status: row.status,
    base: row.totalAmountExcludingTax,
    tax: row.totalTaxAmount,
    total: row.totalAmountIncludingTax,
    lines: [...lines].sort((a, b) => a.sequence - b.sequence),
  };
}

export function documentOfInvoice(row: z.infer<typeof BcSalesInvoice>): BcDocument {
  return {
    ...documentOf(row, row.salesInvoiceLines),
    kind: 'factura',
    issuedOn: row.invoiceDate,
    rectifiesId: '',
    rectifiesNumber: '',
  };
}

export function documentOfCreditMemo(row: z.infer<typeof BcSalesCreditMemo>): BcDocument {
  return {
    ...documentOf(row, row.salesCreditMemoLines),
    kind: 'abono',
    issuedOn: row.creditMemoDate,
    rectifiesId: realId(row.invoiceId),
    rectifiesNumber: row.invoiceNumber,
  };
}

/** Drafts and documents under review are not invoices yet. */
export function isPosted({ status }: Pick<BcDocument, 'status'>): boolean {
  return !['draft', 'in review', 'in_x0020_review', ''].includes(status.toLowerCase());
}
