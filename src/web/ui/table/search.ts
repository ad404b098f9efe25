/** Text as it is compared in a search: no accents, no case. «Ñ» stays itself. */
export function fold(text: string): string {
  return text
    .toLocaleLowerCase('es')
    .normalize('NFD')
    .replace(/(?<!n)\u0303|[\u0300-\u0302\u0304-\u036f]/g, '')
    .normalize('NFC');
}

/** Rows with the searched text somewhere in any of their fields; all of them for an empty search. */
export function searchRows<Row extends object>(rows: readonly Row[], search: string): Row[] {
  const wanted = fold(search.trim());
  if (wanted === '') return [...rows];
  return rows.filter((row) =>
    Object.values(row).some((field) => fold(String(field)).includes(wanted)),
  );
}
