/** A record of a list with what a form changed of it. */
export type Changed<T extends { readonly No: string }> = Pick<T, 'No'> & Partial<T>;

/**
 * The code of a record and the fields that are not as they were when its form was opened: what somebody else
 * changed meanwhile stays. Of a new one, which has no code, everything.
 */
export function changedFields<T extends { readonly No: string }>(opened: T, draft: T): Changed<T> {
  if (opened.No === '') return draft;
  const fields = Object.entries(draft) as [keyof T, T[keyof T]][];
  const changed = fields.filter(([field, value]) => (value ?? '') !== (opened[field] ?? ''));
  return { ...(Object.fromEntries(changed) as Partial<T>), No: opened.No };
}
