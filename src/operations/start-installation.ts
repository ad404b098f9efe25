import type { NuevaInstalacionAnswer } from '../contract/evidence.ts';
import type { InvoiceStatus } from '../contract/invoices.ts';
import type { Deps } from '../deps.ts';
import { addDays, isoDateIn, monthsBetween } from '../domain/dates.ts';
import { DomainError } from '../domain/errors.ts';
import { counterIn, formatNoSerie } from '../domain/series.ts';
import type { RegistroConsultado } from '../domain/verifactu/consulta.ts';
import { lastOperacion } from '../domain/verifactu/validaciones/cabecera.ts';
import { findReconcile, lockCadena } from '../store/cadenas.ts';
import { endTurnUnderWay, markingWaiting, releaseRechazados } from '../store/despachos.ts';
import {
  type LockedNumber,
  lockNumbers,
  savePerdidos,
  startInstallation,
} from '../store/installations.ts';
import { declaredOfNumbers } from '../store/registros.ts';
import { findSeries, movingCounters, type OpenSeries } from '../store/series.ts';
import type { Tx } from '../store/sql.ts';
import { numeroInstalacion } from './create-company.ts';
import { askFor, type ConsultarAeat, heldOfPeriodo, makerLookup } from './reconcile.ts';
import { recordEvent } from './record-event.ts';
import { type Standing, standAs } from './stand-as.ts';

/** Why an invoice has no effect when a lost registro had taken its number at the AEAT. */
const SIN_EFECTO =
  'La AEAT ya tenía una factura con este número, que aquí se perdió al restaurar una copia. Esta no ha llegado a registrarse y no cuenta: haz otra con los mismos datos, que llevará un número nuevo, y dásela a tu cliente en lugar de esta.';

/** Why a refused invoice stands after all: its correction reached the AEAT, and was lost here with the rest. */
const CORREGIDA =
  'La AEAT tiene esta factura ya corregida, pero la corrección se perdió aquí al restaurar una copia. Corrígela otra vez, con los datos de la que tiene tu cliente, para que aquí conste lo mismo. No hagas otra.';

const YA_ANULADA =
  'La AEAT la tiene anulada. Se anuló antes de que se perdieran los registros, y aquí no queda el de su anulación.';

const HELD: readonly InvoiceStatus[] = ['Registrada', 'Aceptado con errores'];

/**
 * Status of an invoice whose alta was refused, when the AEAT holds a registro lost here under its number.
 *
 * If it was registered before the lost registro, that one is a later correction or anulación of the same invoice. If
 * it was registered after it, in the restored backup, it reused the number of another invoice.
 *
 * @param registeredAt null if it was in a later installation than that of the lost registro, which may still be at work
 *   elsewhere: it is another invoice, whichever came first
 */
export function standingBesideLost(
  registeredAt: Date | null,
  lost: Pick<RegistroConsultado, 'FechaHoraHusoGenRegistro' | 'EstadoRegistro'>,
): { readonly status: InvoiceStatus; readonly errorMessage: string } {
  // The AEAT's time has no fractions of a second.
  const isSame =
    registeredAt !== null &&
    registeredAt.getTime() < Date.parse(lost.FechaHoraHusoGenRegistro) + 1000;
  if (!isSame) return { status: 'Anulada', errorMessage: SIN_EFECTO };
  return lost.EstadoRegistro === 'Anulado'
    ? { status: 'Anulada', errorMessage: YA_ANULADA }
    : { status: 'Aceptado con errores', errorMessage: CORREGIDA };
}

/**
 * Continues after registros were lost for good: the AEAT holds later ones of ours that cannot be recovered
 * (docs/decisions/0066).
 *
 * A new NumeroInstalacion starts, and its first registro says `PrimerRegistro`. Every series continues after the
 * highest number that the AEAT holds. What was lost is recorded, so that no counter gives those numbers again.
 * Invoices refused here because of the lost ones no longer hold back the rest: they are left without effect or, when
 * the AEAT holds a later registro of the same invoice, as that registro says. What is registered here stays as it is
 * and is still sent.
 *
 * @throws {DomainError} CONFLICT when nothing is known to be lost; FORBIDDEN without a certificate; UNAVAILABLE when
 *   the AEAT could not be asked, and nothing has changed
 */
export async function startNewInstallation(
  deps: Deps,
  consultar: ConsultarAeat,
  companyId: number,
  signal: AbortSignal,
): Promise<NuevaInstalacionAnswer> {
  const { sql, clock } = deps;
  const { reconcilePeriodos, reconcileReason } = await findReconcile(sql, companyId);
  if (reconcilePeriodos.length === 0 || reconcileReason === 'copia') throw notNeeded();
  const asking = await askFor(deps, companyId);
  const { company } = asking;
  const held: RegistroConsultado[] = [];
  for (const periodo of monthsInDoubt(reconcilePeriodos, clock())) {
    // One by one: a month may hold more items than a call can take as arguments.
    for (const one of await heldOfPeriodo(consultar, asking, periodo, signal)) held.push(one);
  }
  const madeBy = await makerLookup(sql, company);
  const ours = held.filter((registro) => madeBy(registro) === 'here');

  const answer = await sql.begin(async (tx) => {
    const known = await lockNumbers(
      tx,
      companyId,
      ours.map(({ NumSerieFactura }) => NumSerieFactura),
    );
    await lockCadena(tx, companyId); // From here on nobody takes a number.
    const still = await findReconcile(tx, companyId);
    const perdidos = await lostOf(tx, companyId, ours);
    if (still.reconcilePeriodos.length === 0 || perdidos.length === 0) throw notNeeded();
    const now = clock();
    const numero = numeroInstalacion(now, company.numeroInstalacion);
    await startInstallation(tx, companyId, { numero, now });
    await savePerdidos(tx, companyId, perdidos, now);
    const series = await goBeyond(tx, companyId, held);
    const standings = standingsOf(known, perdidos);
    // An answer being read right now was read for the installation that ends here.
    await endTurnUnderWay(tx, companyId);
    // Nothing is declared: the lost registros would be what it refers to.
    await standAs(tx, companyId, standings);
    const released = standings.filter(({ wasRejected }) => wasRejected).length;
    if (released > 0) {
      // They held back the later ones.
      await releaseRechazados(tx, [{ companyId, count: released }]);
      await markingWaiting(tx, [companyId], now);
    }
    await recordEvent(tx, companyId, { kind: 'instalacion-nueva', now, detail: numero });
    return {
      numeroInstalacion: numero,
      NoSerie: series ? formatNoSerie(series) : '',
      perdidos: perdidos.map(({ NumSerieFactura, FechaExpedicionFactura, ImporteTotal }) => ({
        NumSerieFactura,
        FechaExpedicionFactura,
        ...(ImporteTotal !== undefined && { ImporteTotal }),
      })),
      sinEfecto: standings
        .filter(({ errorMessage }) => errorMessage === SIN_EFECTO)
        .map(({ docNo }) => docNo),
    };
  });
  deps.wakeDispatcher();
  deps.news.tell(companyId);
  return answer;
}

function notNeeded(): DomainError {
  return new DomainError(
    'CONFLICT',
    'No hace falta empezar una instalación nueva: no consta que la AEAT tenga facturas que aquí falten. Concilia primero los meses dudosos.',
  );
}

/** From the month before the first one in doubt to the last for which an operation could be declared. */
function monthsInDoubt(periodos: readonly string[], now: Date): string[] {
  const [first = ''] = periodos.toSorted();
  const before = addDays(`${first}-01`, -1);
  return monthsBetween(before, lastOperacion(isoDateIn(now, 'Europe/Madrid')));
}

/** Those whose huella no registro here has. */
async function lostOf(
  tx: Tx,
  companyId: number,
  ours: readonly RegistroConsultado[],
): Promise<RegistroConsultado[]> {
  const numbers = [...new Set(ours.map(({ NumSerieFactura }) => NumSerieFactura))];
  const own = new Set((await declaredOfNumbers(tx, companyId, numbers)).map((r) => r.Huella));
  return ours.filter(({ Huella }) => !own.has(Huella));
}

/** Moves each series past the highest number that the AEAT holds of it, whoever made it. */
async function goBeyond(
  tx: Tx,
  companyId: number,
  held: readonly RegistroConsultado[],
): Promise<OpenSeries | undefined> {
  const series = await findSeries(tx, companyId);
  const moved = [...series.values()].map((one) => held.reduce(beyond, one));
  await movingCounters(
    tx,
    moved.map((one) => ({ ...one, companyId })),
  );
  return moved.find(({ kind }) => kind === 'F');
}

function beyond(series: OpenSeries, registro: RegistroConsultado): OpenSeries {
  const number = counterIn(series, registro.NumSerieFactura);
  if (number === null || number < series.nextNumber) return series;
  const [day = '', month = '', year = ''] = registro.FechaExpedicionFactura.split('-');
  const date = `${year}-${month}-${day}`;
  const lastDate = series.lastDate && series.lastDate > date ? series.lastDate : date;
  return { ...series, nextNumber: number + 1n, lastDate };
}

interface BesideLost extends Standing {
  readonly docNo: string;
  readonly wasRejected: boolean;
}

/** The new status of the invoices affected by what was lost. */
function standingsOf(
  known: readonly LockedNumber[],
  perdidos: readonly RegistroConsultado[],
): BesideLost[] {
  const lost = new Map(perdidos.map((row) => [row.NumSerieFactura, row]));
  return known.flatMap(({ invoiceId, seq, docNo, status, registeredAt }): BesideLost[] => {
    const invoice = { invoiceId, seq, docNo };
    const row = lost.get(docNo);
    const wasRejected = status === 'Rechazado';
    if (row && wasRejected)
      return [{ ...invoice, wasRejected, ...standingBesideLost(registeredAt, row) }];
    if (!HELD.includes(status) || row?.EstadoRegistro !== 'Anulado') return [];
    return [{ ...invoice, wasRejected, status: 'Anulada', errorMessage: YA_ANULADA }];
  });
}
