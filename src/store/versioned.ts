/** A list of a company and its version, a text that changes whenever any of its rows does, whoever changes it. */
export interface Versioned<Item> {
  readonly version: string;
  readonly items: readonly Item[];
}

/**
 * The version of a list, from the `hash_record_extended(row, 0)` of its rows, which changes with any column,
 * `updated_at` included. Lists are ordered by what their rows contain, so the order of the hashes does not matter.
 * PostgreSQL computes the same without returning the rows:
 *
 * select count(*), coalesce(sum(hash_record_extended(row, 0)), 0)
 */
export function versionOf(hashes: readonly bigint[]): string {
  return versionText(
    hashes.length,
    hashes.reduce((sum, hash) => sum + hash, 0n),
  );
}

/** The same from the number of rows and the sum of their hashes. */
export function versionText(count: bigint | number, sum: bigint | string): string {
  return `${count}.${sum}`;
}
