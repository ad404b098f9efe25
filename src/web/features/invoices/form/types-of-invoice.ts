import { decimalToEs, parseDecimal } from '../../../../domain/money.ts';
import type { Territory } from '../../../../domain/postal-code.ts';

/** The F codes by their position in the contract. */
export const FACTURA_OPTIONS = [
  { value: '0', label: 'F1 Factura' },
  { value: '1', label: 'F2 Simplificada' },
  { value: '2', label: 'F3 Sustitutiva de simplificadas' },
  { value: '3', label: 'F4 Resumen', disabled: true },
] as const;

/** Why F4 cannot be chosen: it stays in the list because other programs have it. */
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

/** Rates of retention of the law (Ley 35/2006 art. 101 and its regulation). */
const RETENTION_OPTIONS = [
  { value: '15', label: '15 %, profesionales' },
  { value: '7', label: '7 %, inicio de actividad' },
  { value: '19', label: '19 %, alquiler de locales' },
  { value: '1', label: '1 %, módulos' },
  { value: '2', label: '2 %, agricultura y ganadería' },
  { value: '24', label: '24 %, no residentes' },
] as const;

/** In Ceuta and Melilla, 60 % less (RD 439/2007 arts. 95.1 and 100). */
const REDUCED_RETENTION_OPTIONS = [
  { value: '6', label: '6 %, profesionales (Ceuta y Melilla)' },
  { value: '2,8', label: '2,8 %, inicio de actividad (Ceuta y Melilla)' },
  { value: '7,6', label: '7,6 %, alquiler de locales (Ceuta y Melilla)' },
] as const;

/**
 * The rates that a company there may have, the reduced ones first where there are any, and the draft's own where it is
 * another. It may be written `15,00`.
 */
export function retentionOptions(
  current: string,
  territory: Territory,
): { value: string; label: string }[] {
  const own = parseDecimal(current, 2);
  const isOwn = ({ value }: { value: string }) => own !== null && parseDecimal(value, 2) === own;
  const ofTheLaw = [
    ...(territory === 'ceuta-melilla' ? REDUCED_RETENTION_OPTIONS : []),
    ...RETENTION_OPTIONS,
  ];
  const known = ofTheLaw.map((one) => (isOwn(one) ? { ...one, value: current } : one));
  if (current === '' || ofTheLaw.some(isOwn)) return known;
  const label = own === null ? current : `${decimalToEs(own, 2)}\u00a0%`;
  return [...known, { value: current, label }];
}
