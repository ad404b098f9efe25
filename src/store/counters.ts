import type { Tx } from './sql.ts';

/** The next number of a counter without legal meaning: codes, numbers of drafts. Starts at 1. */
export async function nextNumber(tx: Tx, companyId: number, counter: string): Promise<bigint> {
  const [row] = await tx<{ last_number: bigint }[]>`
    insert into counters (company_id, name, last_number)
    values (${companyId}, ${counter}, 1)
        on conflict (company_id, name) do update
       set last_number = counters.last_number + 1
 returning last_number`;
  if (!row) throw new Error('The counter gave no number.');
  return row.last_number;
}

/**
 * The next free code, a letter and five digits (`C00001`).
 *
 * Users may type codes of the same form, so those already taken are skipped.
 */
export async function nextCode(
  tx: Tx,
  companyId: number,
  { counter, letter }: { readonly counter: string; readonly letter: string },
  isFree: (code: string) => Promise<boolean>,
): Promise<string> {
  for (;;) {
    const number = await nextNumber(tx, companyId, counter);
    const code = `${letter}${String(number).padStart(5, '0')}`;
    if (await isFree(code)) return code;
  }
}

/**
 * Takes `count` numbers of a counter.
 *
 * @returns the first of them
 */
export async function takeNumbers(
  tx: Tx,
  companyId: number,
  counter: string,
  count: number,
): Promise<bigint> {
  const [row] = await tx<{ last_number: bigint }[]>`
    insert into counters (company_id, name, last_number)
    values (${companyId}, ${counter}, ${count})
        on conflict (company_id, name) do update
       set last_number = counters.last_number + ${count}
 returning last_number`;
  if (!row) throw new Error('The counter gave no number.');
  return row.last_number - BigInt(count) + 1n;
}
