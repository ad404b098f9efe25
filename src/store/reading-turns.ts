import type { Session } from './sessions.ts';
import { isRefusal, OPENING, type Opening, pipelined, type Sql, type Tx } from './sql.ts';

/** A request whose session nobody has looked up yet. */
export interface Admission {
  /** The session that it names. Calls of the same session read together. */
  readonly name: string;
  /** Looks the session up in the transaction that reads, and throws if it is not open. */
  readonly lookUp: (tx: Tx) => Promise<Session>;
  /** Tells the request that its session is open. */
  readonly accept: (session: Session) => void;
  /** Whether its first transaction may write after reading; otherwise it is read only. */
  readonly mayWrite: boolean;
}

/** What the calls of a session ask in one turn of the event loop, before it is sent. */
export interface Turn {
  /**
   * Reads in the one transaction of the turn, and returns nothing before the session is found open in it.
   *
   * @param read sends its statements at once, and may be called twice
   */
  read<Answer>(admission: Admission, read: (tx: Tx) => Promise<Answer>): Promise<Answer>;
}

interface Reading {
  readonly admission: Admission;
  readonly read: (tx: Tx) => Promise<unknown>;
  readonly resolve: (answer: never) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The readings of a turn, and the settings of their transaction: `set local …`, including those of row-level
 * security.
 */
interface Gathered {
  readonly settings: string;
  readonly admissions: Set<Admission>;
  readonly readings: Reading[];
}

/**
 * Lets the calls of one session that come in together, as when a panel opens, read in one transaction: one `begin`
 * with its settings, one look-up of the session and one `commit` for all of them, in one flush. Nothing is cached: a
 * call that comes after it was sent reads in the next one.
 *
 * A reading that the database refuses aborts the transaction for those behind it, so each of them is repeated on its
 * own: only the faulty one fails.
 *
 * @returns the current turn of a session, which the admission joins
 */
export function readingTurns(sql: Sql): (admission: Admission, settings: string) => Turn {
  const gathering = new Map<string, Turn & Gathered>();
  return (admission, settings) => {
    // Readings of different companies are never joined, whatever the sessions are called.
    const name = `${settings} ${admission.name}`;
    const under = gathering.get(name) ?? gather(settings);
    under.admissions.add(admission);
    if (!gathering.has(name)) {
      gathering.set(name, under);
      // After everything that this turn still has to read.
      setImmediate(() => {
        gathering.delete(name);
        void setOut(sql, under);
      });
    }
    return under;
  };
}

function gather(settings: string): Turn & Gathered {
  const readings: Reading[] = [];
  return {
    settings,
    readings,
    admissions: new Set(),
    read: (admission, read) =>
      new Promise((resolve, reject) => {
        readings.push({ admission, read, resolve, reject });
      }),
  };
}

async function setOut(sql: Sql, { settings, admissions, readings }: Gathered): Promise<void> {
  const [first] = readings;
  if (!first) return;
  /** Readings that are repeated, and have nothing more to do with this transaction. */
  const apart = new Set<Reading>();
  const admit = async (tx: Tx) => {
    const session = await first.admission.lookUp(tx);
    for (const { accept } of admissions) accept(session);
  };
  const send = (tx: Tx, reading: Reading, admitted: Promise<void>) => {
    const answer = (async () => reading.read(tx))();
    // What was read stays valid whatever follows it: it does not wait for the commit.
    Promise.all([answer, admitted]).then(
      ([found]) => reading.resolve(found as never),
      (error) => {
        if (!isRefusal(error) || readings.length === 1) return reading.reject(error);
        apart.add(reading);
        void setOut(sql, {
          settings,
          admissions: new Set([reading.admission]),
          readings: [reading],
        });
      },
    );
    return answer;
  };
  try {
    await pipelined(opened(sql, { settings, admit, mayWrite: false }), (tx, commit, admitted) =>
      commit(readings.map((reading) => send(tx, reading, admitted))),
    );
  } catch (error) {
    for (const reading of readings) if (!apart.has(reading)) reading.reject(error);
  }
}

/** The pool, with transactions that begin with these settings. */
function opened(sql: Sql, opening: Opening): Sql {
  return { reserve: sql.reserve, [OPENING]: opening } as unknown as Sql;
}
