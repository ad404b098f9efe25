import type { Deps } from '../deps.ts';
import { resumeStopped } from '../store/despachos.ts';

/** «Reintentar»: the owner says that the cause of the AEAT's refusal is resolved, e.g. a suspended access. */
export async function retrySending(deps: Deps, companyId: number): Promise<void> {
  await resumeStopped(deps.sql, companyId, deps.clock());
  deps.wakeDispatcher();
  deps.news.tell(companyId);
}
