const CONTROL_PERSONA = 'TRWAGMYFPDXBNJZSQVHLCKE';
const CONTROL_ENTIDAD = 'JABCDEFGHI';

/** DNI, NIE, and the K, L and M of people without either. */
export function isNifPersona(nif: string): boolean {
  if (!/^(\d|[KLMXYZ])\d{7}[A-Z]$/.test(nif)) return false;
  // X, Y and Z stand for 0, 1 and 2; K, L and M for nothing: their seven digits count alone.
  const digits = nif
    .slice(0, 8)
    .replace(/^[XYZ]/, (letter) => String('XYZ'.indexOf(letter)))
    .replace(/^[KLM]/, '');
  return CONTROL_PERSONA[Number(digits) % 23] === nif[8];
}

/** Legal persons and other entities (Orden EHA/451/2008). */
function isNifEntidad(nif: string): boolean {
  if (!/^[ABCDEFGHJNPQRSUVW]\d{7}[0-9A-J]$/.test(nif)) return false;
  let sum = 0;
  for (const [at, digit] of [...nif.slice(1, 8)].entries()) {
    const value = Number(digit) * (at % 2 === 0 ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  }
  const control = (10 - (sum % 10)) % 10;
  const isDigit = nif[8] === String(control);
  const isLetter = nif[8] === CONTROL_ENTIDAD[control];
  if (/^[PQRSNW]/.test(nif)) return isLetter;
  if (/^[ABEH]/.test(nif)) return isDigit;
  return isDigit || isLetter;
}

export function isNif(nif: string): boolean {
  return isNifPersona(nif) || isNifEntidad(nif);
}
