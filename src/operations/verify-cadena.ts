import { setTimeout as delay } from 'node:timers/promises';
import type { VerificarCadenaAnswer, VerificarCadenaPaso } from '../contract/evidence.ts';
import type { Deps } from '../deps.ts';
import { DomainError } from '../domain/errors.ts';
import { CadenaVerifier, ILEGIBLE, verifyRegistro } from '../domain/verifactu/verificar.ts';
import { findCompany } from '../store/companies.ts';
import { listInstallations } from '../store/installations.ts';
import {
  findCadenaEnds,
  type KeptRegistro,
  keptColumns,
  keptRegistrosBetween,
  nextSeqAfter,
} from '../store/registros.ts';

/** Registros read at a time: less than a megabyte, whatever the length of the cadena. */
const BATCH = 250;
/** Reads under way, each on a connection of its own, so that none waits for these to be checked. */
const AHEAD = 3;

/** How often who watches is told how far it is. */
const STEP_MS = 200;

/** Going through a cadena, with those who wait for it. */
interface Run {
  readonly answer: Promise<VerificarCadenaAnswer>;
  readonly steps: { registros: number; total: number };
  readonly stop: AbortController;
  waiting: number;
}

/** By company, in this process: to go through a cadena twice at once costs double and says the same. */
const underWay = new WeakMap<Deps['sql'], Map<number, Run>>();

/** Verifies a company's cadena; who asks while that is being done gets that same answer. */
export async function verifyCadena(
  deps: Pick<Deps, 'sql'>,
  companyId: number,
): Promise<VerificarCadenaAnswer> {
  const run = join(deps, companyId);
  try {
    return await run.answer;
  } finally {
    leave(run);
  }
}

/**
 * The same, told while it goes on: how many of how many, and at the end the answer. Who stops reading
 * stops it, unless somebody else waits for it too.
 */
export async function* watchCadena(
  deps: Pick<Deps, 'sql'>,
  companyId: number,
): AsyncGenerator<VerificarCadenaPaso> {
  const run = join(deps, companyId);
  try {
    for (;;) {
      yield { ...run.steps };
      const resultado = await Promise.race([run.answer, delay(STEP_MS)]);
      if (!resultado) continue;
      yield { ...run.steps, resultado };
      return;
    }
  } finally {
    leave(run);
  }
}

function join(deps: Pick<Deps, 'sql'>, companyId: number): Run {
  const ofHere = underWay.get(deps.sql) ?? new Map<number, Run>();
  underWay.set(deps.sql, ofHere);
  const known = ofHere.get(companyId);
  if (known && !known.stop.signal.aborted) {
    known.waiting += 1;
    return known;
  }
  const [steps, stop] = [{ registros: 0, total: 0 }, new AbortController()];
  const answer = follow(deps, companyId, steps, stop.signal).finally(() => {
    if (ofHere.get(companyId) === run) ofHere.delete(companyId);
  });
  answer.catch(() => undefined); // Told to whoever waits for it; one that was stopped has nobody.
  const run: Run = { answer, steps, stop, waiting: 1 };
  ofHere.set(companyId, run);
  return run;
}

function leave(run: Run): void {
  run.waiting -= 1;
  if (run.waiting === 0) run.stop.abort();
}

/**
 * Follows a company's whole cadena: the huella of each registro from its XML, its link, what is
 * stored beside the XML, and the head that the next registro will be linked to.
 *
 * Registros are final and the cadena only grows, so it needs no lock: it checks as far as the head
 * stood when it began (Orden HAC/1177/2024 art. 7; RD 1007/2023 art. 8.2.c).
 */
async function follow(
  { sql }: Pick<Deps, 'sql'>,
  companyId: number,
  steps: Run['steps'],
  stop: AbortSignal,
): Promise<VerificarCadenaAnswer> {
  const [company, ends, installations] = await Promise.all([
    findCompany(sql, companyId),
    findCadenaEnds(sql, companyId),
    listInstallations(sql, companyId),
  ]);
  if (!company) throw new DomainError('UNAUTHORIZED', 'La sesión ha caducado.');

  const verifier = new CadenaVerifier({ fromFirst: true });
  const lastSeq = Number(ends.lastSeq);
  const read = (afterSeq: number) =>
    keptRegistrosBetween(sql, companyId, afterSeq, Math.min(afterSeq + BATCH, lastSeq));
  const firsts = new Map(
    installations
      .map(({ firstSeq, numero }) => [Number(firstSeq), numero] as const)
      .filter(([seq]) => seq > 1),
  );
  let registros = 0;
  let seq = 0;
  steps.total = lastSeq;
  let reads: Promise<KeptRegistro[]>[] = [];
  let asked = 0;
  for (let from = 0; from < lastSeq; ) {
    for (; reads.length < AHEAD && asked < lastSeq; asked += BATCH) {
      const next = read(asked);
      next.catch(() => undefined); // Awaited in its turn, which says so.
      reads.push(next);
    }
    const batch = (await reads.shift()) ?? [];
    stop.throwIfAborted();
    from += BATCH;
    if (batch.length === 0) {
      // A gap of any length, which is not walked through: nobody left it there in good faith.
      from = ((await nextSeqAfter(sql, companyId, from)) ?? lastSeq + 1) - 1;
      asked = from;
      reads = [];
    }
    for (const registro of batch) {
      check(verifier, registro, seq, { nif: company.nif, firsts });
      seq = registro.seq;
    }
    registros += batch.length;
    steps.registros = registros;
  }
  checkHead(verifier, ends);
  return {
    registros,
    correcta: verifier.primeraRotura === null,
    ...(verifier.last && { Huella: verifier.last.Huella }),
    ...(verifier.instalaciones > 1 && { instalaciones: verifier.instalaciones }),
    ...(verifier.primeraRotura && { primeraRotura: verifier.primeraRotura }),
  };
}

function check(
  verifier: CadenaVerifier,
  stored: KeptRegistro,
  previousSeq: number,
  { nif, firsts }: { readonly nif: string; readonly firsts: ReadonlyMap<number, string> },
): void {
  const { NumSerieFactura } = stored;
  if (stored.seq !== previousSeq + 1) {
    verifier.breakAt(NumSerieFactura, `Falta el registro que iba en el lugar ${previousSeq + 1}.`);
  }
  const leido = verifyRegistro(stored.xml);
  if (!leido) {
    verifier.breakAt(NumSerieFactura, ILEGIBLE);
    return;
  }
  verifier.add(leido);
  const isFirst = leido.RegistroAnterior === null && stored.seq > 1;
  if (
    isFirst !== firsts.has(stored.seq) ||
    (isFirst && firsts.get(stored.seq) !== leido.NumeroInstalacion)
  ) {
    verifier.breakAt(
      NumSerieFactura,
      'Empieza una cadena donde no consta que empezara una instalación, o al revés.',
    );
  }
  if (keptColumns(leido, leido.RegistroAnterior?.Huella ?? '') !== stored.columns) {
    verifier.breakAt(NumSerieFactura, 'Lo guardado junto al registro no es lo que dice su XML.');
  }
  if (leido.IDEmisorFactura !== nif) {
    verifier.breakAt(NumSerieFactura, `Su emisor (${leido.IDEmisorFactura}) no es tu empresa.`);
  }
}

/** Registros cut off at the end leave no gap behind them: only the head knows of them. */
function checkHead(
  verifier: CadenaVerifier,
  ends: Awaited<ReturnType<typeof findCadenaEnds>>,
): void {
  const { last } = verifier;
  const isWhole = ends.headSeq === ends.lastSeq && ends.headHuella === (last?.Huella ?? '');
  if (isWhole) return;
  verifier.breakAt(
    last?.NumSerieFactura ?? '',
    ends.headSeq > ends.lastSeq
      ? `Tras este registro faltan ${ends.headSeq - ends.lastSeq}: la cadena llegaba más lejos.`
      : 'El final de la cadena no es este registro, que es el último que hay.',
  );
}
