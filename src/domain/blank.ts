/** U+2800 looks like a blank, and is a sign of braille. */
const SEEN = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Whether there is nothing to be seen in a text: it is empty, or made of blanks and invisible characters. */
export function isBlank(text: string): boolean {
  return !SEEN.test(text);
}
