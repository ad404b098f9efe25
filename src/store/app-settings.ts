import { randomUUID } from 'node:crypto';
import { shared } from './coalesced.ts';
import type { Tx } from './sql.ts';

/** Settings of the whole installation, changed by its administrator. */
export interface Maintenance {
  readonly enabled: boolean;
  readonly text: string;
}

export function findMaintenance(tx: Tx): Promise<Maintenance> {
  return findShared(tx, OF_ALL);
}

/** Stands in for a company. */
const OF_ALL = 0;
const findShared = shared(async (tx) => {
  const [row] = await tx<{ value: Partial<Maintenance> }[]>`
    select value from app_settings where key = 'mantenimiento'`;
  return { enabled: row?.value.enabled === true, text: row?.value.text ?? '' };
});

export async function saveMaintenance(tx: Tx, maintenance: Maintenance): Promise<void> {
  await tx`
    insert into app_settings (key, value)
    values ('mantenimiento', ${tx.json({ ...maintenance })})
        on conflict (key) do update set value = excluded.value`;
}

/**
 * Records that a dispatcher is at work, which `readServiceState` reports. By the database's clock: those of two
 * machines may differ, and a wrong one would report a dispatcher as gone.
 */
export async function noteDispatcher(tx: Tx): Promise<void> {
  await tx`
    insert into app_settings (key, value)
    values ('despachador', jsonb_build_object('visto', now()))
        on conflict (key) do update set value = excluded.value`;
}

/** The turn of a process at work that only one process of the installation may do at a time. */
export interface Turn {
  /** Written in the row by the process that has the turn: if it finds another value there, it has lost it. */
  readonly token: string;
}

const keyOf = (work: string) => `turno:${work}`;

/**
 * A turn that ends this much later than any that begins now was taken by a clock that has been set back since: nothing
 * would be done until that hour comes again. Clocks of two processes differ by less.
 */
const SET_BACK_MS = 10 * 60_000;

/**
 * Takes the turn at some work, unless another process has it. A process that dies loses its turn at `until`.
 *
 * @returns null when another process has it
 */
export async function takeTurn(
  tx: Tx,
  work: string,
  { now, until }: { readonly now: Date; readonly until: Date },
): Promise<Turn | null> {
  const token = randomUUID();
  const latest = new Date(until.getTime() + SET_BACK_MS);
  const rows = await tx`
    insert into app_settings (key, value)
    values (${keyOf(work)}, ${tx.json({ hasta: until.toISOString(), de: token })})
        on conflict (key) do update set value = excluded.value
           where (app_settings.value ->> 'hasta')::timestamptz <= ${now}
              or (app_settings.value ->> 'hasta')::timestamptz > ${latest}
 returning 1`;
  return rows.length > 0 ? { token } : null;
}

/**
 * Extends a turn.
 *
 * @returns false when another process has it by now
 */
export async function renewTurn(
  tx: Tx,
  work: string,
  { token }: Turn,
  until: Date,
): Promise<boolean> {
  const rows = await tx`
    update app_settings set value = ${tx.json({ hasta: until.toISOString(), de: token })}
     where key = ${keyOf(work)} and value ->> 'de' = ${token}
 returning 1`;
  return rows.length > 0;
}

/** Gives a turn back. */
export async function leaveTurn(tx: Tx, work: string, { token }: Turn): Promise<void> {
  await tx`delete from app_settings where key = ${keyOf(work)} and value ->> 'de' = ${token}`;
}
