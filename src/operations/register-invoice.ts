import type { SetFacturasAnswer } from '../contract/invoices.ts';
import type { Deps } from '../deps.ts';
import {
  MAX_BATCH,
  type RegisterOutcome,
  type RegisterRequest,
  registerInvoices,
} from './register-invoices.ts';

interface Waiting {
  readonly request: RegisterRequest;
  readonly resolve: (answer: SetFacturasAnswer) => void;
  readonly reject: (error: unknown) => void;
}

/** Requests of each company that arrived while a transaction of that company was under way. */
const waitingByCompany = new Map<number, Waiting[]>();

/**
 * Registers one invoice.
 *
 * Requests of a company that arrive while it commits share the next commit, so that many at once cost
 * one lock and one flush to disk for all; nobody is answered before that flush. They are joined per
 * company: a transaction over several would be a two-phase commit on a distributed database.
 *
 * @throws {DomainError} RULES_BROKEN with every rule that is broken, FORBIDDEN, NOT_FOUND, CONFLICT
 */
export function registerInvoice(
  deps: Deps,
  companyId: number,
  request: RegisterRequest,
): Promise<SetFacturasAnswer> {
  return new Promise((resolve, reject) => {
    const waiting = waitingByCompany.get(companyId);
    if (waiting) {
      waiting.push({ request, resolve, reject });
      return;
    }
    waitingByCompany.set(companyId, [{ request, resolve, reject }]);
    void drain(deps, companyId);
  });
}

async function drain(deps: Deps, companyId: number): Promise<void> {
  for (;;) {
    const waiting = waitingByCompany.get(companyId) ?? [];
    if (waiting.length === 0) {
      waitingByCompany.delete(companyId);
      return;
    }
    const batch = waiting.splice(0, MAX_BATCH);
    try {
      const requests = batch.map(({ request }) => request);
      const outcomes = await registerInvoices(deps, companyId, requests);
      batch.forEach((item, index) => {
        settle(item, outcomes[index] as RegisterOutcome);
      });
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}

function settle({ resolve, reject }: Waiting, outcome: RegisterOutcome): void {
  if (outcome.kind === 'registered') resolve(outcome.answer);
  else reject(outcome.error);
}
