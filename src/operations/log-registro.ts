import type { Deps } from '../deps.ts';
import { currentScope } from '../store/row-security.ts';

/** Who asked for an invoice to be registered or annulled, in the terms of the log. */
export interface AskedBy {
  /** The call. For a run, the call that began it, whichever process carries it on. */
  readonly reqId?: string | undefined;
  /** The synchronisation with Business Central, which may have begun by itself. */
  readonly runId?: string | undefined;
  /** The payment of the subscription that is being invoiced. */
  readonly dsOrder?: string | undefined;
}

/** The call being served; nothing for work that no HTTP call asked for. */
export const askedByCall = (): AskedBy => ({ reqId: currentScope()?.reqId });

/** What a registro is found by: its invoice, and its position in the cadena, which messages refer to. */
export interface NamedRegistro {
  readonly companyId: number;
  readonly DocNo: string;
  readonly seq: bigint;
}

export type RegistroEvent =
  | 'invoice registered'
  | 'invoice annulled'
  /** The commit was not answered. It succeeded if a later message to the AEAT holds this invoice at this position. */
  | 'nobody knows whether a registro was stored';

/**
 * The line that connects whoever asked with the message that takes the registro to the AEAT, whose lines say which
 * range of `seq` it holds. One per registro, after its commit; every registro passes through here.
 */
export function logRegistro(
  { log }: Pick<Deps, 'log'>,
  msg: RegistroEvent,
  askedBy: AskedBy | undefined,
  { companyId, DocNo, seq }: NamedRegistro,
): void {
  const level = msg === 'nobody knows whether a registro was stored' ? 'warn' : 'info';
  log[level]({ ...askedBy, companyId, DocNo, seq: String(seq) }, msg);
}
