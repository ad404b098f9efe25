/** The F codes by their position in the contract. */
const FACTURA_OPTIONS = [
  { value: '0', label: 'F1 Factura' },
  { value: '1', label: 'F2 Simplificada' },
  { value: '2', label: 'F3 Sustitutiva de simplificadas' },
  { value: '3', label: 'F4 Resumen', disabled: true },
] as const;

/** In the field, which is narrower than its list. The next one asks for the simplified invoices. */
export const FACTURA_FIELD_OPTIONS = FACTURA_OPTIONS.map((option) =>
  option.value === '2' ? { ...option, label: 'F3 Sustitutiva' } : option,
);

/** Why F4 cannot be chosen. It is in the list because other programs have it. */
export const F4_NOTE = 'Factura resumen: no admitida por VERI*FACTU. Usa F1.';

/** The R codes by their position. */
export const ABONO_OPTIONS = [
  { value: '0', label: 'R1 Corregida' },
  { value: '1', label: 'R2 art.80.3' },
  { value: '2', label: 'R3 art.80.4' },
  { value: '3', label: 'R4 Otros' },
  { value: '4', label: 'R5 Simplificadas' },
] as const;

/** When each R applies, in plain words (Ley 37/1992 art. 80 and RD 1619/2012 art. 15). */
export const ABONO_NOTES: Readonly<Record<string, string>> = {
  '0': 'Devoluciones, descuentos, cambios de precio o un error al aplicar el IVA (art. 80.1, 80.2 y 80.6).',
  '1': 'El cliente está en concurso de acreedores (art. 80.3).',
  '2': 'Crédito incobrable: el cliente no ha pagado y lo has reclamado (art. 80.4).',
  '3': 'Un dato equivocado: NIF, dirección, descripción…',
  '4': 'Rectifica una factura simplificada.',
};

/** The label of the type a draft has, as it is shown in the form. */
export function typeLabel(type: 'factura' | 'abono', code: number): string {
  const options = type === 'abono' ? ABONO_OPTIONS : FACTURA_OPTIONS;
  return options[code]?.label ?? '';
}
