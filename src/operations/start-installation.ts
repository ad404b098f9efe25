import type { NuevaInstalacionAnswer } from '../contract/evidence.ts';
import type { InvoiceStatus } from '../contract/invoices.ts';
import type { Deps } from '../deps.ts';
import { addDays, isoDateIn, monthsBetween } from '../domain/dates.ts';
import { DomainError } from '../domain/errors.ts';
import type { ComoQueda } from '../domain/invoice.ts';
import { counterIn, formatNoSerie } from '../domain/series.ts';
import type { RegistroConsultado } from '../domain/verifactu/consulta.ts';
import { lastOperacion } from '../domain/verifactu/validaciones/cabecera.ts';
import { findReconcile, lockCadena } from '../store/cadenas.ts';
import { lockCompany } from '../store/companies.ts';
import { findVigente, insertDesistimiento, setVigente } from '../store/desistimientos.ts';
import {
  endTurnUnderWay,
  markingWaiting,
  releaseRechazados,
  withhold,
} from '../store/despachos.ts';
import {
  type LockedNumber,
  lockNumbers,
  savePerdidos,
  startInstallation,
} from '../store/installations.ts';
import {
  declaredOfNumbers,
  listWaitingCorrections,
  type WaitingCorrection,
} from '../store/registros.ts';
import { currentScope } from '../store/row-security.ts';
import { findSeries, movingCounters, type OpenSeries } from '../store/series.ts';
import type { Tx } from '../store/sql.ts';
import { sessionIsOver } from './company-of.ts';
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

/** Why a correction was not sent, and what is left to do. */
const SIN_CORREGIR =
  'La AEAT tiene una corrección de esta factura posterior a la que esperaba aquí, y se perdió al restaurar una copia. La que esperaba no se ha enviado, porque la sustituiría. Corrígela otra vez, con los datos de la que tiene tu cliente, para que aquí conste lo mismo. No hagas otra.';

const SIN_ANULAR =
  'La AEAT tiene esta factura, por un registro posterior a la anulación que esperaba aquí, y se perdió al restaurar una copia. La anulación no se ha enviado. Si la factura no debió existir, anúlala otra vez; si vale, corrígela con los datos de la que tiene tu cliente. No hagas otra.';

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
): { readonly status: ComoQueda; readonly errorMessage: string } {
  const isSame = registeredAt !== null && isBefore(registeredAt, lost);
  if (!isSame) return { status: 'Anulada', errorMessage: SIN_EFECTO };
  return lost.EstadoRegistro === 'Anulado'
    ? { status: 'Anulada', errorMessage: YA_ANULADA }
    : { status: 'Aceptado con errores', errorMessage: CORREGIDA };
}

function isBefore(time: Date, lost: Pick<RegistroConsultado, 'FechaHoraHusoGenRegistro'>): boolean {
  // The AEAT's time has no fractions of a second.
  return time.getTime() < Date.parse(lost.FechaHoraHusoGenRegistro) + 1000;
}

/**
 * Continues after registros were lost for good: the AEAT holds later ones of ours that cannot be recovered
 * (docs/decisions/0066).
 *
 * A new NumeroInstalacion starts, and its first registro says `PrimerRegistro`. Every series continues after the
 * highest number that the AEAT holds. What was lost is recorded, so that no counter gives those numbers again.
 * Invoices refused here because of the lost ones no longer hold back the rest: they are left without effect or, when
 * the AEAT holds a later registro of the same invoice, as that registro says. What is registered here stays as it is
 * and is still sent, except corrections and anulaciones that would replace a lost one (docs/decisions/0460).
 *
 * @throws {DomainError} CONFLICT when nothing is known to be lost; FORBIDDEN without a certificate; UNAVAILABLE when
 *   the AEAT could not be asked, UNAUTHORIZED when the account was closed meanwhile, and nothing has changed
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
  const waiting = await listWaitingCorrections(sql, companyId);
  const periodos = new Set([
    ...monthsInDoubt(reconcilePeriodos, clock()),
    ...waiting.flatMap((correction) => correction.periodos),
  ]);
  for (const periodo of periodos) {
    // One by one: a month may hold more items than a call can take as arguments.
    for (const one of await heldOfPeriodo(consultar, asking, periodo, signal)) held.push(one);
  }
  const madeBy = await makerLookup(sql, company);
  const ours = held.filter((registro) => madeBy(registro) === 'here');

  const answer = await sql.begin(async (tx) => {
    // First, as its number changes below: closing the account locks it before the cadena.
    if (!(await lockCompany(tx, companyId))) throw sessionIsOver();
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
    // An answer being read right now was read for the installation that ends here.
    await endTurnUnderWay(tx, companyId);
    const withheld = withheldOf(await listWaitingCorrections(tx, companyId), known, perdidos);
    const standings = standingsOf(known, perdidos, withheld);
    // Nothing is declared: the lost registros would be what it refers to.
    await standAs(tx, companyId, standings);
    await keepFromSending(tx, companyId, withheld, now);
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
      sinEnviar: [
        ...new Set(
          withheld
            .filter(({ errorMessage }) => errorMessage !== SIN_EFECTO)
            .map(({ docNo }) => docNo),
        ),
      ],
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

/** A registro that is not sent, and what becomes of its invoice. */
interface Withheld extends Standing {
  readonly docNo: string;
  readonly TipoRegistro: 'Alta' | 'Anulacion';
  readonly status: ComoQueda;
}

/**
 * What waits and would take effect over a lost registro of the same number: unless it was made after it, for an
 * invoice that the AEAT still has in force.
 */
function withheldOf(
  waiting: readonly WaitingCorrection[],
  known: readonly LockedNumber[],
  perdidos: readonly RegistroConsultado[],
): Withheld[] {
  const lost = new Map(perdidos.map((row) => [row.NumSerieFactura, row]));
  const invoices = new Map(known.map((invoice) => [invoice.invoiceId, invoice]));
  return waiting.flatMap(({ invoiceId, seq, TipoRegistro, generatedAt }): Withheld[] => {
    const invoice = invoices.get(invoiceId);
    const row = invoice && lost.get(invoice.docNo);
    if (!invoice || !row) return [];
    const standing = standingBesideLost(invoice.registeredAt, row);
    const named = { invoiceId, seq, docNo: invoice.docNo, TipoRegistro };
    if (standing.status === 'Anulada') return [{ ...named, ...standing }];
    if (!isBefore(generatedAt, row)) return [];
    const errorMessage = TipoRegistro === 'Alta' ? SIN_CORREGIR : SIN_ANULAR;
    return [{ ...named, ...standing, errorMessage }];
  });
}

/** Passes over registros for ever. An invoice whose anulación is not sent is known by its alta again. */
async function keepFromSending(
  tx: Tx,
  companyId: number,
  withheld: readonly Withheld[],
  now: Date,
): Promise<void> {
  if (withheld.length === 0) return;
  await withhold(
    tx,
    companyId,
    withheld.map(({ seq }) => seq),
  );
  const sid = currentScope()?.sid ?? null;
  for (const { invoiceId, seq, TipoRegistro, status } of withheld) {
    const given = { seq, at: now, status, sinEfecto: false, sinEnviar: true, sid };
    await insertDesistimiento(tx, companyId, invoiceId, given);
    if (TipoRegistro === 'Alta' || status === 'Anulada') continue;
    const vigente = await findVigente(tx, companyId, invoiceId);
    if (vigente) await setVigente(tx, companyId, invoiceId, vigente);
  }
}

/** The new status of the invoices affected by what was lost. */
function standingsOf(
  known: readonly LockedNumber[],
  perdidos: readonly RegistroConsultado[],
  withheld: readonly Withheld[],
): BesideLost[] {
  const lost = new Map(perdidos.map((row) => [row.NumSerieFactura, row]));
  const unsent = new Map(withheld.map((one) => [one.seq, one]));
  return known.flatMap(({ invoiceId, seq, docNo, status, registeredAt }): BesideLost[] => {
    const invoice = { invoiceId, seq, docNo };
    const row = lost.get(docNo);
    const wasRejected = status === 'Rechazado';
    const latest = unsent.get(seq);
    if (latest) {
      return [
        { ...invoice, wasRejected, status: latest.status, errorMessage: latest.errorMessage },
      ];
    }
    if (row && wasRejected)
      return [{ ...invoice, wasRejected, ...standingBesideLost(registeredAt, row) }];
    if (!HELD.includes(status) || row?.EstadoRegistro !== 'Anulado') return [];
    return [{ ...invoice, wasRejected, status: 'Anulada', errorMessage: YA_ANULADA }];
  });
}
