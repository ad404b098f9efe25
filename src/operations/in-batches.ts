import type { Deps } from '../deps.ts';
import { withinCompanies } from '../store/row-security.ts';
import type { Sql } from '../store/sql.ts';

interface Waiting<Request, Answer> {
  readonly request: Request;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/** The outcome of one request, independent of the others in its batch. */
export type RequestOutcome<Answer> =
  | { readonly kind: 'done'; readonly answer: Answer }
  | { readonly kind: 'refused'; readonly error: unknown };

/**
 * Batches what one company asks for while its previous transaction is under way (docs/decisions/0008): however many
 * requests wait, they cost one lock, one set of statements, one flush to disk and one connection. Different companies
 * run side by side.
 *
 * @param most requests in one transaction
 * @param carry runs a batch, and answers in the order of its requests once it is on disk. An error that it throws is
 *   the answer to all of them
 */
export function inBatches<Request, Answer>(
  most: number,
  carry: (
    deps: Deps,
    companyId: number,
    requests: readonly Request[],
  ) => Promise<readonly RequestOutcome<Answer>[]>,
): (deps: Deps, companyId: number, request: Request) => Promise<Answer> {
  /** By database and company. A company with nothing under way has no entry. */
  const queues = new WeakMap<Sql, Map<number, Waiting<Request, Answer>[]>>();

  async function work(
    deps: Deps,
    companyId: number,
    waiting: Waiting<Request, Answer>[],
  ): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, most);
      try {
        const outcomes = await withinCompanies([companyId], () =>
          carry(
            deps,
            companyId,
            batch.map(({ request }) => request),
          ),
        );
        batch.forEach(({ resolve, reject }, index) => {
          const outcome = outcomes[index];
          if (outcome?.kind === 'done') resolve(outcome.answer);
          else reject(outcome?.error ?? new Error('Nothing became of it.'));
        });
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    queues.get(deps.sql)?.delete(companyId);
  }

  return (deps, companyId, request) =>
    new Promise((resolve, reject) => {
      const companies = queues.get(deps.sql) ?? new Map<number, Waiting<Request, Answer>[]>();
      queues.set(deps.sql, companies);
      const waiting = companies.get(companyId);
      if (waiting) {
        waiting.push({ request, resolve, reject });
        return;
      }
      const first = [{ request, resolve, reject }];
      companies.set(companyId, first);
      // After everything that this turn of the event loop still has to read.
      setImmediate(() => void work(deps, companyId, first));
    });
}
