/**
 * What the AEAT's refusal asks for, told to somebody who has already pressed «Corregir», or has the button that does it
 * beside the text.
 */
export function onceCorrecting(mensaje: string): string {
  return mensaje
    .replace(/(Cuando [^,.]+,) pulsa «Corregir» y/gu, '$1')
    .replace(/,? pulsa «Corregir»(?: en la factura)?/gu, '')
    .replace(/Pulsa «Corregir»(?:,| y) (\p{L})/gu, (_, first: string) => first.toUpperCase());
}
