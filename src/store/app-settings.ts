import { shared } from './joined.ts';
import type { Tx } from './sql.ts';

/** Settings of the whole installation, changed by its administrator. */
export interface Maintenance {
  readonly enabled: boolean;
  readonly text: string;
}

export function findMaintenance(tx: Tx): Promise<Maintenance> {
  return findShared(tx, OF_ALL);
}

/** In the place of a company. */
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

/** Notes that a dispatcher is at work: `readOperation` tells whoever watches. */
export async function noteDispatcher(tx: Tx, now: Date): Promise<void> {
  await tx`
    insert into app_settings (key, value)
    values ('despachador', ${tx.json({ visto: now.toISOString() })})
        on conflict (key) do update set value = excluded.value`;
}
