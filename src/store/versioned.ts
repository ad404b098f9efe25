/** A list of a company, and what it is at: another text once any of its rows is another, whoever changed it. */
export interface Versioned<Item> {
  readonly version: string;
  readonly items: readonly Item[];
}

/**
 * The version of rows by their `hash_record_extended(row, 0)`, which changes with any of their columns, `updated_at`
 * among them. Lists are ordered by what their rows hold, so the order of these does not matter; PostgreSQL gives
 * the same without the rows:
 *
 *     select count(*), coalesce(sum(hash_record_extended(row, 0)), 0)
 */
export function versionOf(hashes: readonly bigint[]): string {
  return versionText(
    hashes.length,
    hashes.reduce((sum, hash) => sum + hash, 0n),
  );
}

/** The same of how many there are and what their hashes add up to. */
export function versionText(count: bigint | number, sum: bigint | string): string {
  return `${count}.${sum}`;
}
