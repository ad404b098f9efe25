import { isDistributed, type Sql, type Tx, turnOf } from './sql.ts';

const distributed = new WeakMap<Sql, boolean>();

/**
 * Whether one statement or transaction may concern several companies: not when they may live on several machines
 * (docs/decisions/0008), nor until that is known.
 */
export function mayJoinCompanies(sql: Sql): boolean {
  const known = distributed.get(sql);
  if (known !== undefined) return !known;
  distributed.set(sql, true);
  isDistributed(sql).then(
    (answer) => distributed.set(sql, answer),
    () => distributed.delete(sql), // The next call asks again.
  );
  return false;
}

interface Asked<Key, Answer> {
  readonly key: Key;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Joins what is asked in one turn of the event loop: the calls that have come in meanwhile cost one statement instead
 * of one each. Nothing is cached, so an answer is never older than its question.
 *
 * @param ask answers in the order of the keys
 */
export function coalesced<Key extends { readonly companyId: number }, Answer>(
  sql: Sql,
  ask: (keys: readonly Key[]) => Promise<readonly Answer[]>,
): (key: Key) => Promise<Answer> {
  let waiting: Asked<Key, Answer>[] = [];

  async function answer(asked: readonly Asked<Key, Answer>[]): Promise<void> {
    try {
      const answers = await ask(asked.map(({ key }) => key));
      asked.forEach(({ resolve }, index) => {
        resolve(answers[index] as Answer);
      });
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  }

  function go(): void {
    const asked = waiting;
    waiting = [];
    if (mayJoinCompanies(sql)) void answer(asked);
    else for (const one of asked) void answer([one]);
  }

  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject });
      // After everything that this turn still has to read.
      if (waiting.length === 1) setImmediate(go);
    });
}

/**
 * Lets calls that ask the same about a company in one turn of the event loop share the answer, as happens when a
 * panel opens. Nothing is cached here either: a later call asks again. Calls whose session is looked up by what they
 * read share only with those of the same session.
 *
 * @param ask a single reading; its result goes to several callers, who must not change it
 */
export function shared<Answer>(
  ask: (tx: Tx, companyId: number) => Promise<Answer>,
): (tx: Tx, companyId: number) => Promise<Answer> {
  const asking = new WeakMap<object, Map<number, Promise<Answer>>>();
  return (tx, companyId) => {
    const turn = turnOf(tx)?.turn;
    const among = turn ?? tx;
    const open = asking.get(among) ?? new Map<number, Promise<Answer>>();
    asking.set(among, open);
    const before = open.get(companyId);
    if (before) return before;
    const answer = turn
      ? ask(tx, companyId) // It waits there, and who comes later finds another turn.
      : new Promise<Answer>((resolve, reject) => {
          setImmediate(() => {
            open.delete(companyId);
            ask(tx, companyId).then(resolve, reject);
          });
        });
    open.set(companyId, answer);
    return answer;
  };
}
