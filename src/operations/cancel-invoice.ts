import type { InvoiceStatus, NuevoEstado } from '../contract/invoices.ts';
import type { Deps } from '../deps.ts';
import { firstAnnul } from '../domain/correction-guide.ts';
import { fechaHoraHuso } from '../domain/dates.ts';
import { DomainError } from '../domain/errors.ts';
import type { EnAeat } from '../domain/invoice.ts';
import { conLoPerdido, marcasDeAnulacion, situacionOf } from '../domain/verifactu/correcciones.ts';
import { registroAnulacionOf } from '../domain/verifactu/registro.ts';
import { registroXml } from '../domain/verifactu/xml.ts';
import { countMoves } from '../store/blocks.ts';
import { lockCadena, savingCadenas } from '../store/cadenas.ts';
import { lockDespacho, markingWaiting, releaseRechazados } from '../store/despachos.ts';
import { lockInvoices, markDeclaredAgain, type StoredInvoice } from '../store/invoices.ts';
import { appendingRegistros, desenlacesOf } from '../store/registros.ts';
import { currentScope } from '../store/row-security.ts';
import { isRefusal, type Tx } from '../store/sql.ts';
import { assertReconciled } from './assert-can-invoice.ts';
import { type Dependent, type Dependents, findDependents } from './find-dependents.ts';
import { readIssueContext } from './issue-context.ts';
import { generatedAt } from './issuing-batch.ts';
import { type Keep, keepNothing } from './keep-answer.ts';
import {
  askedByCall,
  logRegistro,
  type NamedRegistro,
  type RegistroEvent,
} from './log-registro.ts';
import { noSuchInvoice } from './no-such-invoice.ts';

interface Annulment {
  readonly docNo: string;
  /** Not empty. */
  readonly motivo: string;
}

/**
 * Annuls an invoice that should never have been issued, by adding a registro at the end of the cadena. The number is
 * never used again (RD 1007/2023 art. 11). Invoices that rectify it, or for which it was exchanged, have to be
 * annulled first: on their own they would declare to the AEAT an amount that nobody owes (decision 0231).
 *
 * @throws {DomainError} NOT_FOUND; FORBIDDEN; CONFLICT when its status does not allow it, saying what to do instead
 */
export async function cancelInvoice(
  deps: Deps,
  companyId: number,
  asked: Annulment,
  keep: Keep<NuevoEstado> = keepNothing,
): Promise<NuevoEstado> {
  const DocNo = asked.docNo;
  const answer: NuevoEstado = { DocNo, Status: 'En espera' };
  const written: NamedRegistro[] = [];
  const log = (what: RegistroEvent) => {
    for (const registro of written) logRegistro(deps, what, askedByCall(), registro);
  };
  try {
    await deps.sql.begin(async (tx) => {
      written.push({ companyId, DocNo, seq: await annul(tx, deps, companyId, asked) });
      await keep(tx, answer);
    });
  } catch (error) {
    if (!isRefusal(error)) log('nobody knows whether a registro was stored');
    throw error;
  }
  log('invoice annulled');
  deps.wakeDispatcher();
  deps.news.tell(companyId);
  return answer;
}

/** @returns the position of its registro in the cadena */
async function annul(
  tx: Tx,
  deps: Deps,
  companyId: number,
  { docNo, motivo }: Annulment,
): Promise<bigint> {
  const { issued, cadena, registro, now } = await lockedAnulacion(tx, deps, companyId, docNo);
  const seq = cadena.lastSeq + 1n;
  const anterior = {
    NumSerieFactura: registro.IDFactura.NumSerieFacturaAnulada,
    FechaExpedicionFactura: registro.IDFactura.FechaExpedicionFacturaAnulada,
    Huella: registro.Huella,
  };
  await appendingRegistros(tx, [
    {
      companyId,
      seq,
      invoiceId: issued.id,
      TipoRegistro: 'Anulacion',
      ...anterior,
      HuellaAnterior: cadena.anterior?.Huella ?? '',
      FechaHoraHusoGenRegistro: registro.FechaHoraHusoGenRegistro,
      generatedAt: now,
      Subsanacion: null,
      RechazoPrevio: registro.RechazoPrevio ?? null,
      SinRegistroPrevio: registro.SinRegistroPrevio ?? null,
      xml: registroXml(registro),
      issued: null,
      motivo,
      sid: currentScope()?.sid ?? null,
    },
  ]);
  await savingCadenas(tx, [{ companyId, lastSeq: seq, anterior, lastGeneratedAt: now }]);
  if (issued.wasRejected) await releaseRechazados(tx, [{ companyId, count: 1 }]);
  await markingWaiting(tx, [companyId], now);
  await lockDespacho(tx, companyId);
  await countMoves(tx, companyId, [{ invoiceId: issued.id, seq: issued.seq, status: 'En espera' }]);
  await markDeclaredAgain(tx, companyId, issued.id, { seq, Huella: registro.Huella });
  return seq;
}

/**
 * Takes the locks and makes the registro, if the invoice may be annulled in the state found behind the locks.
 *
 * @throws {DomainError} why it may not be annulled
 */
async function lockedAnulacion(tx: Tx, deps: Deps, companyId: number, docNo: string) {
  // In one flush, the locks first: see register-invoices.ts.
  const [invoices, cadena, context] = await Promise.all([
    lockInvoices(tx, companyId, [docNo]),
    lockCadena(tx, companyId),
    readIssueContext(tx, deps, companyId, []),
  ]);
  context.assertCanInvoice();
  assertReconciled(cadena);
  const issued = cancellable(invoices.get(docNo), docNo);
  const [desenlaces, dependents] = await Promise.all([
    desenlacesOf(tx, companyId, docNo),
    findDependents(tx, companyId, docNo),
  ]);
  const consta = conLoPerdido(desenlaces, { constaAceptada: !issued.wasRejected });
  const marcas = marcasDeAnulacion(consta);
  if (!marcas) {
    const isAnnulled = situacionOf(consta).enAeat === 'anulacion';
    throw new DomainError('CONFLICT', isAnnulled ? annulledThere(docNo) : notOurs(docNo));
  }
  assertStandsAlone(docNo, dependents, issued.wasRejected ? situacionOf(desenlaces).enAeat : null);

  const now = generatedAt(deps.clock(), cadena.lastGeneratedAt);
  const registro = registroAnulacionOf(issued.document, {
    anterior: cadena.anterior && { IDEmisorFactura: context.company.nif, ...cadena.anterior },
    SistemaInformatico: context.SistemaInformatico,
    FechaHoraHusoGenRegistro: fechaHoraHuso(now, context.zona),
    ...marcas,
  });
  return { issued, cadena, registro, now };
}

function cancellable(invoice: StoredInvoice | undefined, docNo: string) {
  if (!invoice) throw noSuchInvoice(docNo);
  const refusal = REFUSALS[invoice.status];
  if (refusal) throw new DomainError('CONFLICT', refusal(docNo));
  if (!invoice.issued || invoice.seq === null)
    throw new Error(`The registered invoice ${docNo} has no document.`);
  return {
    id: invoice.id,
    seq: invoice.seq,
    document: invoice.issued,
    wasRejected: invoice.status === 'Rechazado',
  };
}

/**
 * Refuses to annul an invoice while another of ours depends on it.
 *
 * @param enAeat what the AEAT holds of a refused invoice. A refused one holds back the later ones, so those cannot be
 *   annulled first. Null for an invoice that holds nothing back
 */
function assertStandsAlone(
  docNo: string,
  { rectificativas, canje }: Dependents,
  enAeat: EnAeat | null,
): void {
  const isFirst = ({ status }: Dependent) => !(enAeat === 'nada' && status === 'En espera');
  const first = firstAnnul(docNo, {
    rectificadaPor: rectificativas.filter(isFirst).map((other) => other.docNo),
    canjeadaPor: canje && isFirst(canje) ? canje.docNo : undefined,
  });
  if (!first) return;
  throw new DomainError('CONFLICT', `${first.porque}${enAeat === 'alta' ? ` ${LEFT_FIRST}` : ''}`);
}

/** The refused registro also holds back the anulación of the invoice that depends on it. */
const LEFT_FIRST =
  'Pulsa primero «Dejarla como estaba», para que lo que espera detrás pueda salir.';

const annulledThere = (docNo: string) =>
  `La AEAT ya tiene anulada la factura ${docNo}: no hace falta anularla otra vez. Pulsa «Dejarla como anulada», y lo estará también aquí.`;

/** At the AEAT the number belongs to another program: annulling it would annul that program's invoice. */
const notOurs = (docNo: string) =>
  `La AEAT tiene otra factura con el número ${docNo}, hecha con otro programa: no se puede anular desde aquí. Déjala sin efecto, o anula la otra con el programa con que se hizo.`;

const REFUSALS: Partial<Record<InvoiceStatus, (docNo: string) => string>> = {
  Borrador: (docNo) => `${docNo} es un borrador: no hace falta anularlo, elimínalo.`,
  'En espera': (docNo) =>
    `La AEAT no ha respondido todavía de la factura ${docNo}. Espera a su respuesta para anularla.`,
  Anulada: (docNo) => `La factura ${docNo} ya está anulada.`,
};
