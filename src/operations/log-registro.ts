import type { Deps } from '../deps.ts';
import { currentScope } from '../store/row-security.ts';

/** Who asks for an invoice to be registered or annulled, as the log says it. */
export interface AskedBy {
  /** The call; of a run, the one that began it, whichever process carries it. */
  readonly reqId?: string | undefined;
  /** The synchronisation with Business Central, which may have begun by itself. */
  readonly runId?: string | undefined;
  /** The payment of the subscription that is invoiced. */
  readonly dsOrder?: string | undefined;
}

/** The call that is being attended; nothing in work that nobody asked for over HTTP. */
export const askedByCall = (): AskedBy => ({ reqId: currentScope()?.reqId });

/** A registro by where it is found: its invoice, and its place in the cadena, which a message goes by. */
export interface NamedRegistro {
  readonly companyId: number;
  readonly DocNo: string;
  readonly seq: bigint;
}

export type RegistroEvent =
  | 'invoice registered'
  | 'invoice annulled'
  /** Its commit was not answered. It was, if a message to the AEAT holds its invoice at that place later. */
  | 'nobody knows whether a registro was stored';

/**
 * The line that connects whoever asked with the message that takes the registro to the AEAT: the lines of that message
 * say which range of `seq` it holds. One per registro, once it is committed; every registro passes through here.
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
