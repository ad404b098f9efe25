import type { SetFacturasAnswer } from '../contract/invoices.ts';
import type { Deps } from '../deps.ts';
import { mayJoinCompanies } from '../store/coalesced.ts';
import { currentScope, withinCompanies } from '../store/row-security.ts';
import type { Sql } from '../store/sql.ts';
import type { RegisterRequest } from './issuing-batch.ts';
import { askedByCall } from './log-registro.ts';
import {
  type BatchOutcome,
  type CompanyBatch,
  MAX_BATCH,
  registerForCompanies,
} from './register-invoices.ts';

/** Concurrent transactions: while one waits for the disk, the next one is computed. */
const LANES = 3;
/** The same on a distributed database, where each transaction holds a single company. */
const DISTRIBUTED_LANES = 12;
/** In addition, transactions of companies that had to be left to wait alone. */
const LONE_LANES = 8;
/** So long does a transaction under way make others wait for more. It takes milliseconds, unless a lock holds it up. */
const PATIENCE_MS = 2000;

interface Waiting {
  readonly request: RegisterRequest;
  readonly resolve: (answer: SetFacturasAnswer) => void;
  readonly reject: (error: unknown) => void;
}

/** What waits to be registered in one database: by company, in order of arrival. */
interface Queue {
  readonly waiting: Map<number, Waiting[]>;
  /** Companies in transactions under way. A company is never in two, so its requests stay in order. */
  readonly underWay: Set<number>;
  /** Companies whose cadena somebody else held: each waits for it in a transaction of its own. */
  readonly lone: Set<number>;
  lanes: number;
  loneLanes: number;
  /** Requests in transactions under way that several companies share, and that nothing is holding up. */
  sharing: number;
  /** More requests may arrive in this turn of the event loop. */
  isGathering: boolean;
}

const queues = new WeakMap<Sql, Queue>();

/**
 * Registers one invoice.
 *
 * Requests of any companies that arrive while others commit share the next commit, so that many at once cost few
 * locks and flushes to disk; nobody is answered before that flush. On a distributed database only those of one
 * company share it: a transaction over several would need a two-phase commit (docs/decisions/0008).
 *
 * @throws {DomainError} RULES_BROKEN with every rule that is broken, FORBIDDEN, NOT_FOUND, NO_SUCH_CUSTOMER, CONFLICT
 */
export function registerInvoice(
  deps: Deps,
  companyId: number,
  request: RegisterRequest,
): Promise<SetFacturasAnswer> {
  return new Promise((resolve, reject) => {
    const queue = queueOf(deps.sql);
    const waiting = queue.waiting.get(companyId) ?? [];
    // Read here, in the context of the request: the transaction runs later, for several requests at once.
    const sid = currentScope()?.sid ?? null;
    const askedBy = { ...askedByCall(), ...request.askedBy };
    waiting.push({ request: { ...request, sid, askedBy }, resolve, reject });
    queue.waiting.set(companyId, waiting);
    gather(deps, queue);
  });
}

/** Waits until this turn of the event loop has read everything: requests that arrive together go together. */
function gather(deps: Deps, queue: Queue): void {
  if (queue.isGathering) return;
  queue.isGathering = true;
  setImmediate(() => {
    queue.isGathering = false;
    fillLanes(deps, queue);
  });
}

function queueOf(sql: Sql): Queue {
  const known = queues.get(sql);
  if (known) return known;
  const queue: Queue = {
    waiting: new Map(),
    underWay: new Set(),
    lone: new Set(),
    lanes: 0,
    loneLanes: 0,
    sharing: 0,
    isGathering: false,
  };
  queues.set(sql, queue);
  return queue;
}

function fillLanes(deps: Deps, queue: Queue): void {
  const mayJoin = mayJoinCompanies(deps.sql);
  const lanes = mayJoin ? LANES : DISTRIBUTED_LANES;
  const companies = mayJoin ? MAX_BATCH : 1;
  for (;;) {
    const lone = queue.loneLanes < LONE_LANES ? nextLone(queue) : null;
    const next = lone ? [lone] : queue.lanes < lanes ? nextCompanies(queue, companies) : [];
    if (next.length === 0) return;
    void carry(deps, queue, next, lone ? 'loneLanes' : 'lanes');
  }
}

interface Turn {
  readonly companyId: number;
  readonly items: readonly Waiting[];
}

function nextLone(queue: Queue): Turn | null {
  for (const companyId of queue.lone) {
    if (!queue.underWay.has(companyId)) return take(queue, companyId, MAX_BATCH);
  }
  return null;
}

/**
 * What the next transaction takes. While others are under way, it begins once as many wait as those hold: a transaction
 * by itself costs as much as four invoices in one, so whoever comes first had better wait for those behind.
 */
function nextCompanies(queue: Queue, most: number): Turn[] {
  const free = [...queue.waiting.keys()].filter(
    (companyId) => !queue.underWay.has(companyId) && !queue.lone.has(companyId),
  );
  const waiting = free.reduce((sum, id) => sum + (queue.waiting.get(id)?.length ?? 0), 0);
  if (waiting < Math.min(queue.sharing, MAX_BATCH)) return [];
  const turns: Turn[] = [];
  let room = MAX_BATCH;
  for (const companyId of free.slice(0, most)) {
    if (room === 0) break;
    const turn = take(queue, companyId, room);
    room -= turn.items.length;
    turns.push(turn);
  }
  return turns;
}

function take(queue: Queue, companyId: number, room: number): Turn {
  const waiting = queue.waiting.get(companyId) ?? [];
  const items = waiting.splice(0, room);
  if (waiting.length === 0) queue.waiting.delete(companyId);
  queue.underWay.add(companyId);
  return { companyId, items };
}

async function carry(
  deps: Deps,
  queue: Queue,
  turns: readonly Turn[],
  lane: 'lanes' | 'loneLanes',
): Promise<void> {
  let sharing = turns.length > 1 ? turns.reduce((sum, { items }) => sum + items.length, 0) : 0;
  queue[lane] += 1;
  queue.sharing += sharing;
  const countNoMore = () => {
    queue.sharing -= sharing;
    sharing = 0;
  };
  const heldUp = setTimeout(() => {
    countNoMore();
    fillLanes(deps, queue);
  }, PATIENCE_MS);
  const batches = turns.map(
    ({ companyId, items }): CompanyBatch => ({
      companyId,
      requests: items.map(({ request }) => request),
    }),
  );
  const outcomes = await withinCompanies(
    batches.map(({ companyId }) => companyId),
    () => registerForCompanies(deps, batches),
  );
  clearTimeout(heldUp);
  countNoMore();
  queue[lane] -= 1;
  turns.forEach((turn, index) => {
    queue.underWay.delete(turn.companyId);
    queue.lone.delete(turn.companyId);
    const outcome = outcomes[index];
    if (outcome?.kind === 'held') putBack(queue, turn);
    else settle(turn, outcome);
  });
  fillLanes(deps, queue);
}

function settle({ items }: Turn, batch: BatchOutcome | undefined): void {
  items.forEach(({ resolve, reject }, index) => {
    const outcome = batch?.kind === 'done' ? batch.outcomes[index] : undefined;
    if (outcome?.kind === 'registered') resolve(outcome.answer);
    else if (outcome) reject(outcome.error);
    else reject(batch?.kind === 'failed' ? batch.error : new Error('Nothing became of it.'));
  });
}

function putBack(queue: Queue, { companyId, items }: Turn): void {
  queue.waiting.set(companyId, [...items, ...(queue.waiting.get(companyId) ?? [])]);
  queue.lone.add(companyId);
}
