import type { Deps } from '../deps.ts';
import type { AeatClient, Identity } from './aeat-client.ts';
import type { Pace } from './pace.ts';

export interface TurnDeps extends Deps {
  readonly client: AeatClient;
  readonly pace: Pace;
  /** Cuts an exchange short when the process must end. */
  readonly signal: AbortSignal;
}

/** On whose behalf a message is sent, and with which certificate. */
export interface Sender extends Identity {
  readonly companyId: number;
}
