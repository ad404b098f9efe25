import type { z } from 'zod';
import type { FacturaElectronicaBody, FormatoElectronico } from '../contract/invoices.ts';
import type { Cliente } from '../contract/parties.ts';
import type { Deps } from '../deps.ts';
import { CERTIFICATE_NEEDED } from '../domain/closed-panel.ts';
import { fechaHoraHuso, zonaOf } from '../domain/dates.ts';
import type { Exported } from '../domain/electronic/facts.ts';
import { type CardOfToday, type Cards, facturaeOf } from '../domain/electronic/facturae.ts';
import { ublOf } from '../domain/electronic/ubl.ts';
import { DomainError } from '../domain/errors.ts';
import type { ClienteEmitido, Emisor, IssuedInvoice } from '../domain/invoice.ts';
import { clienteEmitido } from '../domain/issue.ts';
import type { Company } from '../store/companies.ts';
import { findCustomer } from '../store/customers.ts';
import { findInvoice, type StoredInvoice } from '../store/invoices.ts';
import { companyOf } from './company-of.ts';
import { noSuchInvoice } from './no-such-invoice.ts';
import { openCertificate } from './open-certificate.ts';
import { recordEvent } from './record-event.ts';
import { fileStem } from './render-invoice.ts';
import { signFacturae } from './sign-facturae.ts';

/** An invoice in a format that a program reads. */
export interface ElectronicInvoice {
  /** Named like its PDF, with the extension of its format: `00001-LO.xsig`. */
  readonly fileName: string;
  readonly xml: string;
}

/**
 * A registered invoice as a structured electronic invoice, made from the same frozen document as its registro. Like
 * the PDF, it is available whatever becomes of the invoice.
 *
 * @throws {DomainError} NOT_FOUND; CONFLICT for a draft, for signing an invoice that has no effect, or for a
 *   certificate that cannot sign; FORBIDDEN to sign without a certificate; RULES_BROKEN with each reason why the
 *   format cannot express it
 */
export async function makeElectronicInvoice(
  deps: Deps,
  companyId: number,
  { No, formato }: z.infer<typeof FacturaElectronicaBody>,
): Promise<ElectronicInvoice> {
  const { sql } = deps;
  const [company, stored] = await Promise.all([
    companyOf(deps, companyId),
    findInvoice(sql, companyId, No),
  ]);
  if (!stored) throw noSuchInvoice(No);
  const { issued, docNo, registeredAt } = stored;
  if (!issued || registeredAt === null) {
    throw new DomainError(
      'CONFLICT',
      `${docNo} es un borrador: la factura electrónica es de las registradas. Regístrala primero.`,
    );
  }
  if (formato === 'facturae-firmada') assertSignable(stored, issued);
  const customer = issued.cliente && (await findCustomer(sql, companyId, issued.cliente.no));
  const exported = exportOf(completed(issued, company, customer), formato);
  if (!exported.ok) throw new DomainError('RULES_BROKEN', exported.sentences);
  const fileName = `${fileStem(docNo)}${EXTENSION[formato]}`;
  if (formato !== 'facturae-firmada') return { fileName, xml: exported.xml };
  return { fileName, xml: await signed(deps, company, docNo, exported.xml) };
}

const EXTENSION: Readonly<Record<FormatoElectronico, string>> = {
  facturae: '-facturae.xml',
  'facturae-firmada': '.xsig',
  ubl: '-ubl.xml',
};

/** A signature vouches for an invoice, so one that has no effect is not signed. */
function assertSignable({ docNo, status }: StoredInvoice, { esDemo }: IssuedInvoice): void {
  if (esDemo) {
    throw new DomainError(
      'CONFLICT',
      `${docNo} es de demostración, sin validez fiscal, y no se firma. Descárgala sin firmar.`,
    );
  }
  if (status === 'Anulada') {
    throw new DomainError(
      'CONFLICT',
      `${docNo} está anulada y ya no se firma. Si la necesitas, descárgala sin firmar.`,
    );
  }
}

/** Signed with the company's certificate, and recorded in its log: nothing is signed unless somebody asks for it. */
async function signed(deps: Deps, company: Company, docNo: string, xml: string): Promise<string> {
  const certificate = await openCertificate(deps, company.id);
  if (!certificate) throw new DomainError('FORBIDDEN', CERTIFICATE_NEEDED);
  const now = deps.clock();
  if (certificate.validoHasta <= now) throw new DomainError('CONFLICT', EXPIRED);
  const zona = zonaOf(company.postCode, company.countryCode);
  const done = signFacturae(xml, certificate, fechaHoraHuso(now, zona));
  await recordEvent(deps.sql, company.id, { kind: 'factura-firmada', now, detail: docNo });
  return done;
}

const EXPIRED =
  'Tu certificado digital ha caducado y ya no puede firmar. Sube el nuevo en Perfil → Certificado Digital.';

function exportOf({ invoice, cards }: Completed, formato: FormatoElectronico): Exported {
  return formato === 'ubl' ? ublOf(invoice) : facturaeOf(invoice, cards);
}

interface Completed {
  readonly invoice: IssuedInvoice;
  readonly cards: Cards;
}

/**
 * The frozen document, completed with what the formats require and was not asked for when it was issued: the parts of
 * an address, as they are today if it is still the same address. The office codes only say how the invoice is
 * delivered, so today's take precedence over those of the day of issue (docs/decisions/0263).
 */
function completed(invoice: IssuedInvoice, company: Company, customer: Cliente | null): Completed {
  const emisor = completedIssuer(invoice.emisor, company);
  const cliente = invoice.cliente && completedClient(invoice.cliente, customer);
  return {
    invoice: { ...invoice, emisor: emisor.party, cliente: cliente?.party ?? null },
    cards: { emisor: emisor.card, cliente: cliente?.card ?? 'gone' },
  };
}

/** A party, and how it relates to its current card. */
interface CompletedParty<Party> {
  readonly party: Party;
  readonly card: CardOfToday;
}

function completedIssuer(emisor: Emisor, company: Company): CompletedParty<Emisor> {
  const { address: direccion, postCode, municipio } = company;
  return withPlace(emisor, { direccion, postCode, municipio });
}

/** Only from the card of the client that it was issued to: its code may have been given to somebody else since. */
function completedClient(
  cliente: ClienteEmitido,
  card: Cliente | null,
): CompletedParty<ClienteEmitido> {
  const today = card && clienteEmitido(card);
  const isSame =
    (today?.nif ?? today?.idOtro?.ID) === (cliente.nif ?? cliente.idOtro?.ID) &&
    today?.countryCode === cliente.countryCode;
  if (!today || !isSame) return { party: cliente, card: 'gone' };
  const office = today.dir3 ?? cliente.dir3;
  return withPlace({ ...cliente, ...(office && { dir3: office }) }, today);
}

interface Place {
  readonly direccion: string;
  readonly postCode: string;
  readonly municipio?: string;
}

const PLACE = ['direccion', 'postCode', 'municipio'] as const;

/** Address, post code and town belong together: if the card now has other ones, none is taken from it. */
function withPlace<Party extends Place>(
  party: Party,
  { direccion, postCode, municipio }: Place,
): CompletedParty<Party> {
  const today: Place = { direccion, postCode, ...(municipio && { municipio }) };
  const isSame = PLACE.every((part) => !party[part] || party[part] === today[part]);
  return isSame ? { party: { ...party, ...today }, card: 'same-place' } : { party, card: 'moved' };
}
