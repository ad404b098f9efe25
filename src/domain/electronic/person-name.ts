/** A name as Facturae wants it of a person. */
export interface PersonName {
  readonly name: string;
  readonly firstSurname: string;
  readonly secondSurname: string;
}

/** Words that begin a surname and are not one by themselves: «de la Fuente», «San Martín». */
const PARTICLE = /^(?:de|del|la|las|los|el|y|i|da|do|dos|van|von|san|santa)$/i;

/**
 * The parts of a person's name, which the product keeps whole: the last two are surnames, or the only one of two.
 * «Apellidos, Nombre» says it by itself. Put together again they are the name as it was written, but for that comma.
 *
 * @returns null for a single word, of which nobody can tell what it is
 */
export function personName(text: string): PersonName | null {
  const [before = '', after] = text.split(/,(?=[^,]*$)/).map((part) => part.trim());
  if (after) {
    const [first = '', ...rest] = parts(before);
    return { name: after, firstSurname: first, secondSurname: rest.join(' ') };
  }
  const words = parts(text);
  if (words.length < 2) return null;
  const surnames = words.length === 2 ? 1 : 2;
  const [firstSurname = '', secondSurname = ''] = words.slice(-surnames);
  return { name: words.slice(0, -surnames).join(' '), firstSurname, secondSurname };
}

/** The words, those of a surname of several joined: `de la Fuente`. */
function parts(text: string): string[] {
  const found: string[] = [];
  let open = '';
  for (const word of text.split(/\s+/).filter(Boolean)) {
    open = open ? `${open} ${word}` : word;
    if (PARTICLE.test(word)) continue;
    found.push(open);
    open = '';
  }
  if (!open) return found;
  return [...found.slice(0, -1), [...found.slice(-1), open].join(' ')];
}
