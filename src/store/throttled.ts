/** The next question is asked only after this many times the duration of the last one. */
const STANDS_FOR = 10;
/** How long a caller waits for a new answer when there is an older one. */
const PATIENCE_MS = 500;

/**
 * For a question over all companies that outsiders may ask as often as they like: it runs once at a time, and for at
 * most a tenth of the time. When finding the answer takes long, as when every company waits because the AEAT is down,
 * callers get the last one.
 */
export function throttled<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
  let last: { readonly answer: Answer; readonly standsUntil: number } | null = null;
  let underWay: Promise<Answer> | null = null;

  async function askNow(): Promise<Answer> {
    const start = performance.now();
    const answer = await ask();
    const end = performance.now();
    last = { answer, standsUntil: end + STANDS_FOR * (end - start) };
    return answer;
  }

  return async () => {
    if (last && performance.now() < last.standsUntil) return last.answer;
    underWay ??= askNow().finally(() => {
      underWay = null;
    });
    return last ? firstOf(underWay, last.answer) : underWay;
  };
}

/** The new answer if it comes in time, otherwise the last one. */
async function firstOf<Answer>(coming: Promise<Answer>, last: Answer): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Answer>((resolve) => {
    timer = setTimeout(() => resolve(last), PATIENCE_MS);
  });
  try {
    return await Promise.race([coming, late]);
  } finally {
    clearTimeout(timer);
  }
}
