import { createHash, randomUUID } from 'node:crypto';
import type { EditInvoice, InvoiceItem } from '../contract/invoices.ts';
import type { ExtraerFacturaAnswer } from '../contract/reading.ts';
import type { Deps } from '../deps.ts';
import { cut, cutToEnd } from '../domain/cut.ts';
import { isoDateIn, zonaOf } from '../domain/dates.ts';
import { DomainError } from '../domain/errors.ts';
import { centsToEs, centsToNumber, decimalToEs, decimalToText } from '../domain/money.ts';
import { normaliseNif } from '../domain/nif.ts';
import { AS_ATTACHED, READING_WARNINGS, SURE } from '../domain/reading-warnings.ts';
import { calledInvoice } from '../domain/series.ts';
import { BadDocumentError } from '../reading/bad-document.ts';
import { kindOf, MEDIA_TYPE } from '../reading/kind.ts';
import { runReading } from '../reading/reader.ts';
import type { Campo, DocumentReading } from '../reading/shapes.ts';
import { type Company, findCompany, lockCompany } from '../store/companies.ts';
import { listCustomers } from '../store/customers.ts';
import { missingInvoices } from '../store/invoices.ts';
import type { Tx } from '../store/sql.ts';
import { countWaitingBytes, findSameUpload, insertUpload } from '../store/uploads.ts';
import { assertMayTry, READINGS } from './attempts.ts';
import { sessionIsOver } from './company-of.ts';
import type { Keep } from './keep-answer.ts';

export interface UploadedInvoice {
  readonly fileName: string;
  readonly data: Uint8Array;
}

/** Companies with an invoice in the reader or waiting for it, in this process. */
const reading = new Set<number>();

/**
 * Reads an uploaded invoice into an unsaved draft, and keeps the original.
 *
 * @throws {DomainError} BAD_REQUEST for a file that cannot be read, saying why; CONFLICT when its QR says that it is
 *   already registered; IN_PROGRESS while another one of the company is being read; TOO_MANY_REQUESTS, also while the
 *   company's unregistered files take up all its space; UNAUTHORIZED when the account was closed meanwhile
 */
export async function readInvoice(
  deps: Pick<Deps, 'sql' | 'clock'>,
  companyId: number,
  { fileName, data }: UploadedInvoice,
  keep: Keep<ExtraerFacturaAnswer>,
): Promise<ExtraerFacturaAnswer> {
  if (reading.has(companyId)) {
    throw new DomainError(
      'IN_PROGRESS',
      'Ya estamos leyendo otra factura tuya. Espera a que acabe.',
    );
  }
  reading.add(companyId);
  try {
    const mediaType = MEDIA_TYPE[kindOf(data)];
    await assertMayTry(deps, `lectura:${companyId}`, READINGS);
    const company = await findCompany(deps.sql, companyId);
    if (!company) throw new DomainError('NOT_FOUND', 'No existe la empresa.');
    await assertRoom(deps.sql, company, data.length);
    const today = isoDateIn(deps.clock(), zonaOf(company.postCode, company.countryCode));
    const { reading: read, pages } = await runReading(companyId, {
      file: data,
      context: { ownNif: company.nif, today },
    });
    if (read.qr?.nif === company.nif && read.qr.esVerifactu) {
      const { numSerie } = read.qr;
      const [missing] = await missingInvoices(deps.sql, companyId, [numSerie]);
      throw new DomainError(
        'CONFLICT',
        `Esta factura (${numSerie}) ya consta en la AEAT: su código QR dice que la registraste. No se puede registrar otra vez.`,
        // An invoice of another program has no page here.
        missing === undefined ? { docNo: numSerie } : {},
      );
    }
    const customers = await listCustomers(deps.sql, companyId);
    const nif = read.campos.nifCliente?.valor;
    const customer = nif
      ? customers.find((one) => normaliseNif(one.VATRegistrationNo) === nif)
      : undefined;
    const archivo = randomUUID();
    const { items, avisos: ofLines } = itemsOf(read);
    const campos = camposOf(read);
    const digest = createHash('sha256').update(data).digest();
    const same = await findSameUpload(deps.sql, companyId, digest);
    const avisos = [
      ...(same ? [sameFile(same)] : []),
      ...issuerWarnings(read, company.nif),
      ...read.avisos,
      ...ofLines,
    ];
    const kept = {
      id: archivo,
      mediaType,
      content: data,
      uploadedAt: deps.clock(),
      fileName: cutToEnd(fileName.replace(/[^\p{L}\p{N} ._-]/gu, '_'), 120) || 'factura',
      digest,
      reading: { campos, avisos },
      pages,
    };
    const borrador = draftOf(read, { items, today, customer });
    const answer = { borrador, campos, avisos, archivo };
    await deps.sql.begin(async (tx) => {
      // Locked, so that files that other processes store at this moment count too.
      if (!(await lockCompany(tx, companyId))) throw sessionIsOver();
      await insertUpload(tx, companyId, kept);
      await assertRoom(tx, company);
      await keep(tx, answer);
    });
    return answer;
  } catch (error) {
    if (error instanceof BadDocumentError) {
      throw new DomainError('BAD_REQUEST', error.message, { cause: error });
    }
    throw error;
  } finally {
    reading.delete(companyId);
  }
}

const MB = 1024 * 1024;
/** Space for files of a company that do not belong to a registered invoice. */
const ROOM_MB = { demo: 200, paid: 1024 };

/** @throws {DomainError} TOO_MANY_REQUESTS */
async function assertRoom(tx: Tx, company: Company, addedBytes = 0): Promise<void> {
  const isDemo = company.subscriptionType === 'Demo';
  const roomMb = isDemo ? ROOM_MB.demo : ROOM_MB.paid;
  if ((await countWaitingBytes(tx, company.id)) + addedBytes <= roomMb * MB) return;
  throw new DomainError(
    'TOO_MANY_REQUESTS',
    `No caben más archivos: los que has subido y aún no has registrado llenan los ${isDemo ? `${roomMb} MB de una cuenta de prueba` : '1.024 MB que hay para ellos'}. Registra o elimina borradores que vengan de un archivo y vuelve a intentarlo. Los archivos sin borrador se borran solos a los 30 días.`,
    { retryAfterSeconds: 60 },
  );
}

function sameFile(docNo: string): string {
  return `Ya subiste este mismo archivo: es ${calledInvoice(docNo)}. No registres dos veces la misma factura.`;
}

function draftOf(
  { campos, esRectificativa, retencionBps, suplidosCents }: DocumentReading,
  {
    items,
    today,
    customer,
  }: {
    readonly items: InvoiceItem[];
    readonly today: string;
    readonly customer: { readonly No: string; readonly CustomerPostingGroup: string } | undefined;
  },
): EditInvoice {
  return {
    type: esRectificativa ? 'abono' : 'factura',
    // A number is assigned on registering; the printed one stays in `campos`.
    invoiceNumber: '',
    invoiceDate: campos.fecha?.valor ?? today,
    invoiceType: 0,
    crmemoType: 0,
    invoiceClient: customer?.No ?? '',
    typeClient: customer?.CustomerPostingGroup || 'NAC',
    isSimplificada: false,
    claveRegimen: '01',
    invoiceItems: items,
    invoiceToRectify: '',
    tipoRectificativa: 'I',
    ...(retencionBps > 0n && { retencionIRPF: decimalToEs(retencionBps, 2) }),
    ...(suplidosCents && { suplidos: centsToEs(suplidosCents).replaceAll('.', '') }),
    Status: 'Borrador',
    ErrorMessage: '',
    version: 0,
  };
}

/** The lines as they were read or, when they do not add up to the bases, one line per base. */
function itemsOf({ lineas, tramos, campos, impuesto, cuadra }: DocumentReading): {
  items: InvoiceItem[];
  avisos: string[];
} {
  const base = campos.baseImponible?.valor;
  const sum = lineas.reduce((all, line) => all + line.totalCents, 0n);
  const only = tramos.length === 1 ? (tramos[0]?.rateBps ?? null) : null;
  const rates = lineas.map((line) => line.rateBps ?? only);
  const areWhole =
    lineas.length > 0 &&
    // Unconfirmed bases are less reliable than lines whose own figures agree.
    (base === undefined || sum === base || !cuadra) &&
    rates.every((rate) => rate !== null) &&
    lineas.every((line) => line.addsUp);
  if (areWhole) {
    return chosen(
      lineas.map((line, i) => ({
        description: cut(line.description, 1000),
        quantity: line.quantity.replace('.', ','),
        price: line.price.replace('.', ','),
        ...(line.discount && { discount: line.discount.replace('.', ',') }),
        tax: taxOf(impuesto, rates[i] ?? null),
        linetype: 0,
      })),
    );
  }
  if (tramos.length > 0) {
    return chosen(
      tramos.map(({ rateBps, baseCents }) => ({
        description: AS_ATTACHED,
        quantity: '1',
        price: centsToEs(baseCents).replaceAll('.', ''),
        tax: taxOf(impuesto, rateBps),
        linetype: 0,
      })),
      READING_WARNINGS.byRate,
    );
  }
  return { items: [], avisos: [READING_WARNINGS.noLines] };
}

/** The proposed lines with their notes, including one for lines that still need a tax. */
function chosen(items: InvoiceItem[], ...said: string[]) {
  const isLeft = items.some(({ tax }) => tax === '');
  return { items, avisos: isLeft ? [...said, READING_WARNINGS.zeroRate] : said };
}

/**
 * `('IVA', 2100n)` → `'IVA21'`. Empty when a person has to choose: when the rate was not read, or is 0, because
 * exempt operations, those not subject to tax and the reverse charge are printed as 0 too. Each is declared, and
 * stated on the invoice, in its own way (RD 1619/2012 art. 6.1.j and m).
 */
function taxOf(impuesto: DocumentReading['impuesto'], rateBps: bigint | null): string {
  return rateBps === null || rateBps === 0n ? '' : `${impuesto}${decimalToText(rateBps, 2)}`;
}

function issuerWarnings({ campos, qr }: DocumentReading, ownNif: string): string[] {
  const issuer = campos.nifEmisor;
  if (issuer?.valor === ownNif) {
    return issuer.confianza < SURE
      ? [
          'No está claro quién emite la factura y quién la recibe. Comprueba que es tuya antes de registrarla.',
        ]
      : [];
  }
  if (!issuer) {
    return campos.nifCliente?.valor === ownNif
      ? [
          'Parece una factura recibida: el cliente eres tú. Comprueba que es tuya antes de registrarla.',
        ]
      : [];
  }
  const name = campos.nombreEmisor?.valor ?? issuer.valor;
  return [
    qr
      ? `Es una factura recibida: su código QR dice que la emitió ${name} (${issuer.valor}). No la registres como tuya.`
      : `Parece una factura recibida: la emite ${name} (${issuer.valor}). Comprueba que es tuya antes de registrarla.`,
  ];
}

function camposOf({ campos, lineas, impuesto, tramos }: DocumentReading) {
  const { baseImponible, cuotaIVA, retencion, total, ...texts } = campos;
  const only = tramos.length === 1 ? (tramos[0]?.rateBps ?? null) : null;
  const euros = (campo: Campo<bigint>) => ({ ...campo, valor: centsToNumber(campo.valor) });
  return {
    ...texts,
    ...(baseImponible && { baseImponible: euros(baseImponible) }),
    ...(cuotaIVA && { cuotaIVA: euros(cuotaIVA) }),
    ...(retencion && { retencion: euros(retencion) }),
    ...(total && { total: euros(total) }),
    lineas: lineas.map((line) => ({
      description: line.description,
      quantity: Number(line.quantity),
      price: Number(line.price),
      tax: taxOf(impuesto, line.rateBps ?? only),
      total: centsToNumber(line.totalCents),
      confianza: line.confianza,
      origen: line.origen,
      ...(line.pagina && { pagina: line.pagina }),
      ...(line.caja && { caja: line.caja }),
    })),
  };
}
