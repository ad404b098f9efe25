/**
 * Deeper than any message of the AEAT. The general reader looks through all open elements for each namespace: sixty
 * kilobytes of start tags would keep it busy for half a minute.
 */
const MAX_DEPTH = 100;

/** To be called for each start tag, inside the reading: the document is then refused like one that is not XML. */
export function refuseDepth(depth: number): void {
  if (depth > MAX_DEPTH) throw new Error('The document is too deep.');
}
