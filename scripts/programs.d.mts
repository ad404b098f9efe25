/** By program, what is not tried without it. */
export const NEEDED: Readonly<Record<string, string>>;
/** Path of a program of the system, or an empty text where the machine has none. */
export function findProgram(name: string): string;
/** A line that names what was not tried, or null. */
export function untried(has?: (name: string) => boolean): string | null;
