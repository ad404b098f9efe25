import { mensajeDeFault } from '../domain/verifactu/codigos.ts';
import {
  type Consulta,
  consultaXml,
  parseConsulta,
  type RegistroConsultado,
  type RespuestaConsulta,
} from '../domain/verifactu/consulta.ts';
import type { IDFactura } from '../domain/verifactu/registro.ts';
import type { ConsultarAeat } from '../operations/reconcile.ts';
import type { Company } from '../store/companies.ts';
import type { RegistroSent } from '../store/registros.ts';
import type { AeatClient } from './aeat-client.ts';
import { wordsOfPage } from './outcome-words.ts';
import type { Sender, TurnDeps } from './turn-deps.ts';

/** Pages of 10,000 before a query is given up. */
const MOST_PAGES = 200;

/** How the rest of the product queries the AEAT: through the client of dispatch. */
export function consultarWith(client: AeatClient): ConsultarAeat {
  return async (who, consulta, signal) => {
    const message = Buffer.from(consultaXml(consulta));
    const outcome = await client.post(who, message, signal);
    if (outcome.kind === 'no-answer') return outcome;
    const answer = parseConsulta(outcome.body);
    if (answer.kind === 'consulta' && !isAnswerTo(consulta, answer)) {
      return { kind: 'no-answer', cause: 'La respuesta de la AEAT no es la de esta consulta.' };
    }
    if (answer.kind !== 'no-soap') return answer;
    return { kind: 'no-answer', cause: wordsOfPage(outcome.status, outcome.contentType) };
  };
}

/**
 * Whether an answer is of the month and the company that were asked about. Otherwise a month could look whole because
 * another one is, or another company's.
 */
export function isAnswerTo(
  { ObligadoEmision, Ejercicio, Periodo }: Consulta,
  { registros, periodo }: RespuestaConsulta,
): boolean {
  return (
    (periodo === undefined || periodo === `${Ejercicio}-${Periodo}`) &&
    registros.every(({ IDEmisorFactura }) => IDEmisorFactura === ObligadoEmision.NIF)
  );
}

/** What the AEAT holds, by position in the cadena; a registro that it does not hold is missing. */
export type Held = ReadonlyMap<bigint, RegistroConsultado>;

/**
 * Asks the AEAT what it holds for each of these registros.
 *
 * @returns in words, why the AEAT could not be asked, so that its silence is not taken for «it does not have it»
 */
export async function findHeld(
  deps: TurnDeps,
  sender: Sender,
  company: Company,
  registros: readonly RegistroSent[],
): Promise<Held | string> {
  const held = new Map<bigint, RegistroConsultado>();
  const ObligadoEmision = { NombreRazon: company.name, NIF: company.nif };
  const consultar = consultarWith(deps.client);
  const ask: Ask = (asked) =>
    consultar(sender, { ObligadoEmision, ...asked, muestraSistemaInformatico: true }, deps.signal);

  for (const group of byPeriodo(registros)) {
    const found = await findInPeriodo(ask, group);
    if (typeof found === 'string') return found;
    for (const [seq, row] of found) held.set(seq, row);
  }
  return held;
}

/** What tells a registro in an answer, and in which one it is. */
type Sought = Pick<
  RegistroSent,
  'seq' | 'NumSerieFactura' | 'FechaExpedicionFactura' | 'FechaOperacion'
>;

type Ask = (asked: Omit<Consulta, 'ObligadoEmision'>) => ReturnType<ConsultarAeat>;

/** The same for registros of one period. */
export async function findInPeriodo(
  ask: Ask,
  registros: readonly Sought[],
): Promise<Held | string> {
  const held = new Map<bigint, RegistroConsultado>();
  // Without the blanks that older numbers may have around them: the AEAT does not keep those.
  const sought = new Map(registros.map((registro) => [registro.NumSerieFactura.trim(), registro]));
  const [first, ...others] = registros;
  if (!first) return held;
  let clave: IDFactura | undefined;
  for (let page = 0; page < MOST_PAGES; page++) {
    const answer = await ask({
      ...periodoOf(first),
      // One is asked for by number; for several, their whole month is read, 10,000 per page.
      ...(others.length === 0 && { NumSerieFactura: first.NumSerieFactura.trim() }),
      ...(clave && { ClavePaginacion: clave }),
    });
    if (answer.kind === 'no-answer') return answer.cause;
    if (answer.kind === 'fault') return mensajeDeFault(answer);
    for (const row of answer.registros) {
      const registro = sought.get(row.NumSerieFactura);
      if (registro?.FechaExpedicionFactura === row.FechaExpedicionFactura) {
        held.set(registro.seq, row);
        sought.delete(row.NumSerieFactura);
      }
    }
    clave = answer.ClavePaginacion;
    if (!clave || sought.size === 0) return held;
  }
  return 'La AEAT no termina de responder.';
}

function byPeriodo(registros: readonly RegistroSent[]): RegistroSent[][] {
  const groups = new Map<string, RegistroSent[]>();
  for (const registro of registros) {
    const { Ejercicio, Periodo } = periodoOf(registro);
    const key = `${Ejercicio}-${Periodo}`;
    groups.set(key, [...(groups.get(key) ?? []), registro]);
  }
  return [...groups.values()];
}

/**
 * The period of a query is the month of the operation or, without one, of the issue (AEAT, «Descripción del servicio
 * web» 1.0.3).
 */
export function periodoOf({
  FechaOperacion,
  FechaExpedicionFactura,
}: Pick<Sought, 'FechaOperacion' | 'FechaExpedicionFactura'>): {
  Ejercicio: string;
  Periodo: string;
} {
  const fecha = FechaOperacion ?? FechaExpedicionFactura;
  return { Ejercicio: fecha.slice(6), Periodo: fecha.slice(3, 5) };
}
