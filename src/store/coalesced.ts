import { isDistributed, type Sql, type Tx, turnOf } from './sql.ts';

const distributed = new WeakMap<Sql, boolean>();

/**
 * Whether one statement, or one transaction, may be of several companies: not where they may live on several
 * machines (docs/decisions/0008), nor until that is known.
 */
export function mayJoinCompanies(sql: Sql): boolean {
  const known = distributed.get(sql);
  if (known !== undefined) return !known;
  distributed.set(sql, true);
  isDistributed(sql).then(
    (answer) => distributed.set(sql, answer),
    () => distributed.delete(sql), // Asked again by the next one.
  );
  return false;
}

interface Asked<Key, Answer> {
  readonly key: Key;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Lets what is asked in one turn of the event loop travel together: the calls that came in meanwhile cost
 * one statement instead of one each. Nothing is remembered, so an answer is never older than its question.
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
      // Behind everything that this turn still has to read.
      if (waiting.length === 1) setImmediate(go);
    });
}

/**
 * Lets those who ask the same of a company in one turn of the event loop share an answer, as the calls do with
 * which a panel opens. Nothing is remembered here either: who asks later asks anew. Calls whose session is looked up
 * by what they read share only with those of the same session.
 *
 * @param ask a single reading: what it gives is handed to several, who may not change it
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
