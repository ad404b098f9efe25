/** The saved object with a change applied; what the change leaves out stays as it was. */
export function withChange<T extends object>(
  saved: T,
  change: { readonly [Field in keyof T]?: T[Field] | undefined },
): T {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  return { ...saved, ...Object.fromEntries(given) };
}
