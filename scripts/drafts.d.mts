/** Where this process makes its build until it is whole. */
export function draftIn(cache: string): string;

/** Removes what builds that were killed left in `cache`. Those of living processes stay. */
export function dropDeadDrafts(cache: string): void;
