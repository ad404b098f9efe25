/** `registros/000051-000100.xml` contains the registros at those places of the cadena. */
const PLACES = /^registros\/(\d+)-(\d+)\.xml$/;

/** Counts the registros of an export by the names of its files, which come in the order of the cadena. */
export function exportedCounter(onCount: (done: number) => void): (fileName: string) => void {
  let first: number | null = null;
  return (fileName) => {
    const [, from, to] = PLACES.exec(fileName) ?? [];
    if (from === undefined || to === undefined) return;
    first ??= Number(from);
    onCount(Number(to) - first + 1);
  };
}
