import { esReintentable } from '../domain/verifactu/codigos.ts';
import type { MadeBy } from '../domain/verifactu/conciliar.ts';
import type { RespuestaLinea, RespuestaSuministro } from '../domain/verifactu/respuesta.ts';
import { makerLookup } from '../operations/reconcile.ts';
import { standingBesideLost } from '../operations/start-installation.ts';
import { type Company, findCompany } from '../store/companies.ts';
import type { InvoiceVerdict, Respuesta } from '../store/envios.ts';
import { findRegisteredBefore } from '../store/installations.ts';
import { declaredOfNumbers, type RegistroSent } from '../store/registros.ts';
import { isAnnulledAlready, isDuplicate, linesOf, respuestaOf, verdictOf } from './answer-lines.ts';
import { findHeld, type Held, periodoOf } from './consulta.ts';
import type { Sender, TurnDeps } from './turn-deps.ts';

/** What an answer means, registro by registro. */
export type AnswerReading =
  | {
      readonly kind: 'read';
      /** In the order of the cadena. Shorter than the message when the AEAT asks for the rest to be sent again. */
      readonly respuestas: readonly Respuesta[];
      readonly verdicts: readonly InvoiceVerdict[];
      /** Months (`2026-11`) in which the AEAT holds registros that we made and lost. */
      readonly lostPeriodos: readonly string[];
    }
  /** It does not fit the message, or a duplicate could not be looked up: the outcome stays unknown. */
  | { readonly kind: 'unclear'; readonly cause: string };

/**
 * After this many attempts without an answer, a duplicate that the AEAT reports but does not show counts as a clash.
 */
const ATTEMPTS_TO_BE_SHOWN = 3;

/**
 * Reads an answer line by line, because `ParcialmenteCorrecto` may contain rejected registros.
 *
 * The AEAT reports a duplicate when a registro had already entered and its answer was lost, and also when the number
 * really clashes with another invoice's. The huella that the AEAT holds, obtained by query, tells the two apart (code
 * 3000, `RegistroDuplicado` in `RespuestaSuministro.xsd`). One that the AEAT reports and does not show yet may be
 * either, if it names it (its block is optional) or if something of the message was sent before.
 *
 * @param sending.failures attempts in a row without an answer
 * @param sending.isCopy whether any of these registros may have been sent before; asked for only if it matters
 */
export async function readAnswer(
  deps: TurnDeps,
  sender: Sender,
  registros: readonly RegistroSent[],
  answer: Pick<RespuestaSuministro, 'lineas' | 'CSV'>,
  sending: { readonly failures: number; readonly isCopy: () => Promise<boolean> },
): Promise<AnswerReading> {
  const { CSV } = answer;
  const company = await findCompany(deps.sql, sender.companyId);
  if (!company) throw new Error(`There is no company ${sender.companyId}.`);
  const lineas = linesOf(company.nif, registros, answer.lineas);
  if (!lineas) {
    return { kind: 'unclear', cause: 'La respuesta de la AEAT no corresponde a lo enviado.' };
  }
  const pairs = registros.map((registro, i) => ({ registro, linea: lineas[i] as RespuestaLinea }));
  const repeated = pairs.findIndex(
    ({ linea }) =>
      linea.EstadoRegistro === 'Incorrecto' && esReintentable(linea.CodigoErrorRegistro ?? 0),
  );
  const answered = repeated === -1 ? pairs : pairs.slice(0, repeated);

  const known = answered.filter(({ linea }) => isDuplicate(linea) || isAnnulledAlready(linea));
  const isCopy = known.length > 0 && (await sending.isCopy());
  const repeats = known.filter(({ linea }) => isCopy || isDuplicate(linea));
  const duplicates = repeats.map(({ registro }) => registro);
  const held = await findHeld(deps, sender, company, duplicates);
  if (typeof held === 'string') {
    const what = 'No se ha podido comprobar en la AEAT un registro repetido.';
    return { kind: 'unclear', cause: `${what} ${held}` };
  }
  const isHidden = repeats.some(
    ({ registro, linea }) =>
      !held.has(registro.seq) && (linea.RegistroDuplicado !== undefined || isCopy),
  );
  if (isHidden && sending.failures < ATTEMPTS_TO_BE_SHOWN) {
    return {
      kind: 'unclear',
      cause: 'La AEAT dice que ya tiene un registro y no lo enseña todavía: se vuelve a preguntar.',
    };
  }

  const respuestas = answered.map(({ registro, linea }) =>
    respuestaOf(registro, linea, held.get(registro.seq)),
  );
  const { former, here } = await findLost(deps, company, duplicates, held);
  const besideLost = await findStandings(deps, company, former, held);
  const verdicts = answered.map(({ registro }, i) => {
    const verdict = verdictOf(registro, respuestas[i] as Respuesta, CSV ?? null);
    const standing = besideLost.get(registro);
    // For a number that was lost here, what the AEAT holds is what counts.
    return standing && verdict.status === 'Rechazado'
      ? { ...verdict, ...standing, errorCode: null }
      : verdict;
  });
  return { kind: 'read', respuestas, verdicts, lostPeriodos: periodosOf(here) };
}

/** How the invoices of these registros stand, whose numbers were lost by an earlier installation. */
async function findStandings(
  { sql }: TurnDeps,
  company: Company,
  former: readonly RegistroSent[],
  held: Held,
): Promise<ReadonlyMap<RegistroSent, ReturnType<typeof standingBesideLost>>> {
  if (former.length === 0) return new Map();
  const numbers = former.map(({ NumSerieFactura }) => NumSerieFactura);
  const registeredBefore = await findRegisteredBefore(sql, company.id, numbers);
  return new Map(
    former.flatMap((registro) => {
      const there = held.get(registro.seq);
      const since = registeredBefore.get(registro.NumSerieFactura);
      return there && since !== undefined
        ? [[registro, standingBesideLost(since, there)] as const]
        : [];
    }),
  );
}

/**
 * The registros whose number is taken at the AEAT by a registro of ours that our cadena lacks.
 *
 * `here`: an old backup was restored, and numbers are being used again. `former`: it belongs to an earlier
 * installation, which lost it, so there is nothing more to find out.
 */
async function findLost(
  { sql }: TurnDeps,
  company: Company,
  duplicates: readonly RegistroSent[],
  held: Held,
): Promise<{ readonly here: RegistroSent[]; readonly former: RegistroSent[] }> {
  const clashes = duplicates.filter(({ seq, Huella }) => held.get(seq)?.Huella !== Huella);
  if (clashes.length === 0) return { here: [], former: [] };
  const numbers = clashes.map(({ NumSerieFactura }) => NumSerieFactura);
  const own = await declaredOfNumbers(sql, company.id, numbers);
  const known = new Set(own.map(({ Huella }) => Huella));
  const madeBy = await makerLookup(sql, company);
  const lostBy = (maker: MadeBy) =>
    clashes.filter(({ seq }) => {
      const row = held.get(seq);
      return row && !known.has(row.Huella) && madeBy(row) === maker;
    });
  return { here: lostBy('here'), former: lostBy('former') };
}

/** Months, `2026-11`, without repetitions. */
function periodosOf(registros: readonly RegistroSent[]): string[] {
  return [
    ...new Set(registros.map(periodoOf).map(({ Ejercicio, Periodo }) => `${Ejercicio}-${Periodo}`)),
  ];
}
