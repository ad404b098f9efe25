/** The last work that each company is waiting for in this process, if any. */
const lines = new Map<number, Promise<unknown>>();

/**
 * Does what a company asks for one after another, and that of different companies side by side. For work in pieces
 * between which other calls are answered: with a hundred under way at once, everybody would wait for a hundred pieces
 * each time.
 */
export async function inCompanyLine<T>(companyId: number, work: () => Promise<T>): Promise<T> {
  const before = lines.get(companyId);
  const working = before ? before.then(work, work) : work();
  lines.set(companyId, working);
  try {
    return await working;
  } finally {
    if (lines.get(companyId) === working) lines.delete(companyId);
  }
}
