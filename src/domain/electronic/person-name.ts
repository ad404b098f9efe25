/** The name of a person in the parts that Facturae requires. */
export interface PersonName {
  readonly name: string;
  readonly firstSurname: string;
  readonly secondSurname: string;
}

/** Words that begin a surname without being one: «de la Fuente», «San Martín». */
const PARTICLE = /^(?:de|del|la|las|los|el|y|i|da|do|dos|van|von|san|santa)$/i;

/**
 * Splits a person's name, which the product stores whole: the last two words are surnames, or the last of two.
 * «Apellidos, Nombre» says it explicitly. The parts joined again give the name as written, except for that comma.
 *
 * @returns null for a single word, which could be either
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

/** The words, with those of a compound surname joined: `de la Fuente`. */
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
