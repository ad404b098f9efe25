import { setTimeout as delay } from 'node:timers/promises';
import type { VerificarCadenaAnswer, VerificarCadenaPaso } from '../contract/evidence.ts';
import type { Deps } from '../deps.ts';
import { listInstallations } from '../store/installations.ts';
import { findCadenaEnds } from '../store/registros.ts';
import { type CadenaProgress, checkCadena } from './check-cadena.ts';
import { companyOf } from './company-of.ts';
import { type InThread, inThread } from './thread.ts';

/** This many are checked in less time than a thread takes to start. */
const SHORT = 1000;
/** How many cadenas are checked in threads at once; any more are checked in this thread. */
const MAX_THREADS = 2;

/** How often watchers are told the progress. */
const STEP_MS = 200;

/** A check under way, with those who wait for it. */
interface Run {
  readonly answer: Promise<VerificarCadenaAnswer>;
  readonly steps: { registros: number; total: number };
  readonly stop: AbortController;
  waiting: number;
}

/** By company, in this process: checking a cadena twice at once costs double and says the same. */
const underWay = new WeakMap<Deps['sql'], Map<number, Run>>();

/** Verifies a company's cadena. A call that comes while that is being done gets the same answer. */
export async function verifyCadena(
  deps: Pick<Deps, 'sql' | 'database'>,
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
 * The same with progress: how many of how many, and at the end the answer. A caller that stops reading stops the
 * check, unless somebody else waits for it too.
 */
export async function* watchCadena(
  deps: Pick<Deps, 'sql' | 'database'>,
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

function join(deps: Pick<Deps, 'sql' | 'database'>, companyId: number): Run {
  const ofHere = underWay.get(deps.sql) ?? new Map<number, Run>();
  underWay.set(deps.sql, ofHere);
  const known = ofHere.get(companyId);
  if (known && !known.stop.signal.aborted) {
    known.waiting += 1;
    return known;
  }
  const steps = { registros: 0, total: 0 };
  const stop = new AbortController();
  const answer = follow(deps, companyId, steps, stop.signal).finally(() => {
    if (ofHere.get(companyId) === run) ofHere.delete(companyId);
  });
  answer.catch(() => undefined); // Told to those who wait for it; a stopped one has nobody.
  const run: Run = { answer, steps, stop, waiting: 1 };
  ofHere.set(companyId, run);
  return run;
}

function leave(run: Run): void {
  run.waiting -= 1;
  if (run.waiting === 0) run.stop.abort();
}

async function follow(
  { sql, database }: Pick<Deps, 'sql' | 'database'>,
  companyId: number,
  steps: Run['steps'],
  stop: AbortSignal,
): Promise<VerificarCadenaAnswer> {
  const [company, ends, installations] = await Promise.all([
    companyOf({ sql }, companyId),
    findCadenaEnds(sql, companyId),
    listInstallations(sql, companyId),
  ]);

  steps.total = Number(ends.lastSeq);
  const firsts = new Map(
    installations
      .map(({ firstSeq, numero }) => [Number(firstSeq), numero] as const)
      .filter(([seq]) => seq > 1),
  );
  const question = { companyId, owner: { nif: company.nif, firsts }, ends };
  const isHere = steps.total <= SHORT || threads >= MAX_THREADS;
  const pieces = isHere ? checkCadena(sql, question) : inOneOfTheThreads({ ...question, database });
  for await (const { registros, resultado } of pieces) {
    stop.throwIfAborted();
    steps.registros = registros;
    if (resultado) return resultado;
  }
  throw new Error('Nobody said what was found.');
}

let threads = 0;

async function* inOneOfTheThreads(
  question: InThread<'checking-worker'>,
): AsyncGenerator<CadenaProgress> {
  threads += 1;
  try {
    yield* inThread('checking-worker', question);
  } finally {
    threads -= 1;
  }
}
