import type { NuevoEstado } from '../contract/invoices.ts';
import type { Deps } from '../deps.ts';
import { DomainError } from '../domain/errors.ts';
import type { ComoQueda } from '../domain/invoice.ts';
import {
  alDejarlaOf,
  isLatestAltaAccepted,
  quedaSinEfecto,
} from '../domain/verifactu/correcciones.ts';
import { veredictoOf } from '../domain/verifactu/veredicto.ts';
import {
  findHeld,
  findVigente,
  insertDesistimiento,
  type RegistroVigente,
  restoreHeld,
  setVigente,
} from '../store/desistimientos.ts';
import { releaseRechazados } from '../store/despachos.ts';
import type { InvoiceVerdict } from '../store/envios.ts';
import { saveReferences } from '../store/invoice-references.ts';
import type { StoredInvoice } from '../store/invoices.ts';
import { addToMonths, enteringMonth, leavingMonth } from '../store/months.ts';
import { currentScope } from '../store/row-security.ts';
import type { Tx } from '../store/sql.ts';
import { lockRefused } from './lock-refused.ts';
import { settleInvoices } from './settle-invoices.ts';

/** It was annulled by another program, or through the AEAT's own web page. */
const ANULADA_ALLI = 'La AEAT la tiene anulada, pero no por un registro hecho aquí.';

/**
 * «Dejarla como estaba»: when the AEAT has refused a correction or an anulación, leaves the invoice as the AEAT has
 * it. Nothing is declared, and the refused registro stays in the cadena (RD 1007/2023 art. 8.2.a). The invoice's
 * form, amounts and document are again those of the accepted registro, and what waited behind it is sent. Decision
 * 0133.
 *
 * Locks in the usual order: invoice, cadena, despacho.
 *
 * @throws {DomainError} NOT_FOUND; FORBIDDEN while registros are missing here; CONFLICT when nothing of it was
 *   refused, or the AEAT holds nothing of ours to go back to
 */
export async function giveUpCorrection(
  deps: Deps,
  companyId: number,
  docNo: string,
): Promise<NuevoEstado> {
  const status = await deps.sql.begin(async (tx) => {
    const { invoice, desenlaces } = await lockRefused(tx, companyId, docNo, nothingRefused(docNo));
    const queda = alDejarlaOf(desenlaces);
    if (!queda) {
      const isTaken = quedaSinEfecto(desenlaces);
      throw new DomainError('CONFLICT', isTaken ? taken(docNo) : nothingToLeaveItAt(docNo));
    }

    const vigente = await findVigente(tx, companyId, invoice.id);
    if (vigente) {
      if (!isLatestAltaAccepted(desenlaces)) await undoCorrection(tx, companyId, invoice, vigente);
      await setVigente(tx, companyId, invoice.id, vigente);
    }
    const standing = { invoiceId: invoice.id, seq: vigente?.seq ?? invoice.seq };
    await settleInvoices(tx, companyId, [{ ...standing, ...verdictOf(queda, vigente) }]);
    await insertDesistimiento(tx, companyId, invoice.id, {
      seq: invoice.seq,
      at: deps.clock(),
      status: queda,
      sinEfecto: false,
      sinEnviar: false,
      sid: currentScope()?.sid ?? null,
    });
    await releaseRechazados(tx, [{ companyId, count: 1 }]);
    return queda;
  });
  deps.wakeDispatcher();
  deps.news.tell(companyId);
  return { DocNo: docNo, Status: status };
}

const nothingRefused = (docNo: string) =>
  `La AEAT no ha rechazado ningún cambio de la factura ${docNo} que esté por resolver: está como consta.`;

const nothingToLeaveItAt = (docNo: string) =>
  `La AEAT no tiene la factura ${docNo}, así que no puede quedar como estaba: corrígela o anúlala.`;

const taken = (docNo: string) =>
  `La AEAT tiene otra factura con el número ${docNo}, hecha con otro programa: esta no puede quedar como estaba. Déjala sin efecto.`;

/** Restores the form, row, figures and references to what they were before the refused correction. */
async function undoCorrection(
  tx: Tx,
  companyId: number,
  invoice: StoredInvoice,
  { issued }: RegistroVigente,
): Promise<void> {
  const { base, cuotaTotal: vat, total } = issued;
  // Older versions did not keep the form: then at least the amounts are restored.
  const kept = (await findHeld(tx, companyId, invoice.id)) ?? { ...invoice, base, vat, total };
  const held = {
    ...kept,
    replaced: kept.replaced === undefined ? invoice.replaced : kept.replaced,
  };
  await restoreHeld(tx, companyId, invoice, held);
  const month = { companyId, day: invoice.postingDate };
  await addToMonths(tx, [
    leavingMonth({ ...invoice, ...month }),
    enteringMonth({ ...held, ...month }),
  ]);
  await saveReferences(tx, [{ companyId, id: invoice.id, issued }]);
}

/** Its status, and how that is explained, as when the AEAT answered. */
function verdictOf(
  queda: ComoQueda,
  vigente: RegistroVigente | null,
): Omit<InvoiceVerdict, 'invoiceId' | 'seq'> {
  const CSV = vigente?.CSV ?? null;
  if (queda === 'Anulada' || !vigente) {
    return { status: queda, errorMessage: ANULADA_ALLI, errorCode: null, CSV };
  }
  return { ...veredictoOf({ TipoRegistro: 'Alta', ...vigente }), CSV };
}
