/** The changes of a form to a record of a list. */
export type Changed<T extends { readonly No: string }> = Pick<T, 'No'> & Partial<T>;

/**
 * The code of a record and the fields changed since its form was opened, so that other people's changes stay. For a
 * new record, which has no code, all fields.
 */
export function changedFields<T extends { readonly No: string }>(opened: T, draft: T): Changed<T> {
  if (opened.No === '') return draft;
  const fields = Object.entries(draft) as [keyof T, T[keyof T]][];
  const changed = fields.filter(([field, value]) => (value ?? '') !== (opened[field] ?? ''));
  return { ...(Object.fromEntries(changed) as Partial<T>), No: opened.No };
}
