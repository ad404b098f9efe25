import type { NuevoEstado } from '../contract/invoices.ts';
import type { Deps } from '../deps.ts';
import { DomainError } from '../domain/errors.ts';
import { quedaSinEfecto } from '../domain/verifactu/correcciones.ts';
import { insertDesistimiento } from '../store/desistimientos.ts';
import { releaseRechazados } from '../store/despachos.ts';
import { currentScope } from '../store/row-security.ts';
import type { Keep } from './keep-answer.ts';
import { lockRefused } from './lock-refused.ts';
import { standAs } from './stand-as.ts';

/** Why an invoice has no effect when another program had already declared its number. */
const NUMERO_DE_OTRA =
  'La AEAT ya tenía una factura con este número y esta fecha, hecha con otro programa. Esta no ha llegado a registrarse y no cuenta: si la venta existió, haz otra con los mismos datos, que llevará un número nuevo, y dásela a tu cliente en lugar de esta.';

/**
 * «Dejarla sin efecto»: for an invoice that the AEAT refused because another program had already declared one with
 * its number. A correction would replace that other invoice at the AEAT, and an anulación would annul it; number and
 * date cannot be corrected. So it becomes `Anulada` without any registro, its number stays used, the refused registro
 * stays in the cadena (RD 1007/2023 art. 8.2.a), and what waited behind it is sent. Decision 0232.
 *
 * Locks in the usual order: invoice, cadena, despacho.
 *
 * @throws {DomainError} NOT_FOUND; FORBIDDEN while registros are missing here, because the other invoice may then be
 *   ours; CONFLICT when it was not refused for that reason
 */
export async function leaveWithoutEffect(
  deps: Deps,
  companyId: number,
  docNo: string,
  keep: Keep<NuevoEstado>,
): Promise<NuevoEstado> {
  const answer: NuevoEstado = { DocNo: docNo, Status: 'Anulada' };
  await deps.sql.begin(async (tx) => {
    const { invoice, desenlaces } = await lockRefused(tx, companyId, docNo, notTaken(docNo));
    if (!quedaSinEfecto(desenlaces)) throw new DomainError('CONFLICT', notTaken(docNo));
    const { id: invoiceId, seq } = invoice;
    const standing = { invoiceId, seq, status: answer.Status, errorMessage: NUMERO_DE_OTRA };
    await standAs(tx, companyId, [standing]);
    await insertDesistimiento(tx, companyId, invoiceId, {
      seq,
      at: deps.clock(),
      status: 'Anulada',
      sinEfecto: true,
      sinEnviar: false,
      sid: currentScope()?.sid ?? null,
    });
    await releaseRechazados(tx, [{ companyId, count: 1 }]);
    await keep(tx, answer);
  });
  deps.wakeDispatcher();
  deps.news.tell(companyId);
  return answer;
}

const notTaken = (docNo: string) =>
  `La AEAT no ha rechazado la factura ${docNo} porque su número sea de otra: no se puede dejar sin efecto. Si no debió existir, anúlala.`;
