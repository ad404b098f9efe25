/** What each code means, in words of the simulator: nobody should branch on them. */
const MEANINGS: Readonly<Record<number, string>> = {
  1100: 'Valor o tipo incorrecto del campo',
  1108: 'El NIF de IDEmisorFactura no es el del ObligadoEmision.',
  2000: 'El cálculo de la huella suministrada es incorrecta.',
  3000: 'Registro de facturación duplicado.',
  3002: 'No existe el registro de facturación.',
};

/** @param detail the field, or what else the AEAT adds to the text. */
export function meaningOf(code: number, detail?: string): string {
  const meaning = MEANINGS[code] ?? `Error ${code}.`;
  return detail ? `${meaning}: ${detail}` : meaning;
}
