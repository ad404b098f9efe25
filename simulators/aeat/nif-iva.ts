/** Structure of the national number after the prefix (Validaciones 1.2.2, NIF-IVA). */
const STRUCTURES: Readonly<Record<string, RegExp>> = {
  DE: /^\d{9}$/,
  AT: /^[A-Z0-9]{9}$/,
  BE: /^\d{10}$/,
  BG: /^\d{9,10}$/,
  CY: /^[A-Z0-9]{9}$/,
  CZ: /^\d{8,10}$/,
  HR: /^\d{11}$/,
  DK: /^\d{8}$/,
  SK: /^\d{10}$/,
  SI: /^\d{8}$/,
  EE: /^\d{9}$/,
  FI: /^\d{8}$/,
  FR: /^[A-Z0-9]{11}$/,
  EL: /^\d{9}$/,
  NL: /^[A-Z0-9]{12}$/,
  HU: /^\d{8}$/,
  IT: /^\d{11}$/,
  IE: /^[A-Z0-9]{8,9}$/,
  LV: /^\d{11}$/,
  LT: /^(\d{9}|\d{12})$/,
  LU: /^\d{8}$/,
  MT: /^\d{8}$/,
  PL: /^\d{10}$/,
  PT: /^\d{9}$/,
  SE: /^\d{12}$/,
  RO: /^[1-9]\d{1,9}$/,
  XI: /^([A-Z0-9]{5}|[A-Z0-9]{9}|[A-Z0-9]{12})$/,
  GB: /^([A-Z0-9]{5}|[A-Z0-9]{9}|[A-Z0-9]{12})$/,
};

export function isNifIva(id: string): boolean {
  return STRUCTURES[id.slice(0, 2)]?.test(id.slice(2)) ?? false;
}
