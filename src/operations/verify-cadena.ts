import { setTimeout as delay } from 'node:timers/promises';
import type { VerificarCadenaAnswer, VerificarCadenaPaso } from '../contract/evidence.ts';
import type { Deps } from '../deps.ts';
import { DomainError } from '../domain/errors.ts';
import { findCompany } from '../store/companies.ts';
import { listInstallations } from '../store/installations.ts';
import {
  type CadenaEnds,
  findCadenaEnds,
  type KeptRegistros,
  keptRegistrosBetween,
} from '../store/registros.ts';
import { CadenaCheck, type OwnerOfCadena } from './check-cadena.ts';
import type { CheckingQuestion } from './checking-worker.ts';
import { readAhead } from './read-ahead.ts';
import { Thread } from './thread.ts';

/** Up to so many are checked sooner than a thread starts. */
const SHORT = 1000;
/** Cadenas that are checked in a thread at once: those of others meanwhile, in this one. */
const MAX_THREADS = 2;

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
 * Reads a company's whole cadena and has it checked (`CadenaCheck`).
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

  const lastSeq = Number(ends.lastSeq);
  steps.total = lastSeq;
  const firsts = new Map(
    installations
      .map(({ firstSeq, numero }) => [Number(firstSeq), numero] as const)
      .filter(([seq]) => seq > 1),
  );
  const checker = openChecker({ nif: company.nif, firsts }, lastSeq);
  const read = async (afterSeq: number, toSeq: number) => {
    const registros = await keptRegistrosBetween(sql, companyId, afterSeq, toSeq);
    return { isEmpty: registros.seqs.length === 0, registros };
  };
  try {
    let checked: Promise<void> | undefined;
    for await (const { registros } of readAhead(sql, companyId, { afterSeq: 0, lastSeq }, read)) {
      stop.throwIfAborted();
      await checked; // Those before: these wait beside them, and no more.
      checked = checker.add(registros);
      checked.catch(() => undefined); // Awaited in the next round, which says so.
      steps.registros += registros.seqs.length;
    }
    await checked;
    return await checker.finish(ends);
  } finally {
    await checker.close();
  }
}

/** Where a cadena is checked: here or in a thread. */
interface Checker {
  readonly add: (registros: KeptRegistros) => Promise<void>;
  readonly finish: (ends: CadenaEnds) => Promise<VerificarCadenaAnswer>;
  readonly close: () => Promise<void>;
}

let threads = 0;

function openChecker(owner: OwnerOfCadena, lastSeq: number): Checker {
  if (lastSeq <= SHORT || threads >= MAX_THREADS) {
    const check = new CadenaCheck(owner);
    return {
      add: async (registros) => check.add(registros),
      finish: async (ends) => check.finish(ends),
      close: async () => undefined,
    };
  }
  threads += 1;
  const thread = new Thread<CheckingQuestion, VerificarCadenaAnswer | null>('checking-worker');
  const started = thread.ask({ owner });
  started.catch(() => undefined); // What comes behind it fails with it.
  return {
    add: async (registros) => {
      // Copied, because the driver may still hold what stands beside them, and then moved.
      const [columns, xml] = [new Uint8Array(registros.columns), new Uint8Array(registros.xml)];
      await thread.ask({ registros: { ...registros, columns, xml } }, [columns.buffer, xml.buffer]);
    },
    finish: async (ends) => {
      const answer = await thread.ask({ ends });
      if (!answer) throw new Error('The thread did not say what it found.');
      return answer;
    },
    close: async () => {
      threads -= 1;
      await thread.close();
    },
  };
}
