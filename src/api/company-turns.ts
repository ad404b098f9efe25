import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { within } from '../store/row-security.ts';

/** Readings of a company that are answered at once in this process. As many as a page of the panel asks for. */
const AT_ONCE = 8;

interface Line {
  underWay: number;
  /** What begins each of the others, in the order in which they came. */
  readonly waiting: Set<() => void>;
}

const lines = new Map<number, Line>();

/**
 * The `preHandler` hook of calls that read and are answered soon. Those that wait for a line of their own, or for news,
 * have none: they would keep the others of their company waiting.
 */
export function inTurn(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  // The end of another call begins this one: it must not go on as that one.
  inCompanyTurn(request.session.companyId, reply.raw, () => within(request.scope, done));
}

/**
 * Begins a reading when it is its turn. Those of a company beyond {@link AT_ONCE} wait for one another and not for
 * those of other companies: with hundreds under way, everybody's calls would wait behind a piece of each.
 *
 * @param raw its turn is over when this is, answered or cut off; one that is cut off before it begins never does
 */
export function inCompanyTurn(
  companyId: number,
  raw: Pick<ServerResponse, 'once' | 'closed'>,
  begin: () => void,
): void {
  // Nothing would tell the end of its turn.
  if (raw.closed) return;
  const line = lines.get(companyId) ?? { underWay: 0, waiting: new Set() };
  lines.set(companyId, line);
  let state: 'waiting' | 'underWay' | 'over' = 'waiting';
  const start = () => {
    line.waiting.delete(start);
    line.underWay += 1;
    state = 'underWay';
    begin();
  };
  const end = () => {
    if (state === 'over') return;
    line.waiting.delete(start);
    if (state === 'underWay') line.underWay -= 1;
    state = 'over';
    const [next] = line.waiting;
    if (next && line.underWay < AT_ONCE) next();
    else if (line.underWay === 0 && lines.get(companyId) === line) lines.delete(companyId);
  };
  raw.once('finish', end);
  raw.once('close', end);
  if (line.underWay < AT_ONCE) start();
  else line.waiting.add(start);
}
