/**
 * Units of the catalog as printed after a quantity: symbols unchanged, words in singular and plural. A unit that a
 * company defined itself is printed in lower case.
 */
const UNITS: Readonly<Record<string, string | readonly [one: string, many: string]>> = {
  PZA: ['pieza', 'piezas'],
  HORA: 'h',
  DIA: ['día', 'días'],
  JORN: ['jornada', 'jornadas'],
  SEM: ['semana', 'semanas'],
  MES: ['mes', 'meses'],
  AÑO: ['año', 'años'],
  SERV: ['servicio', 'servicios'],
  TRAB: ['trabajo', 'trabajos'],
  PERS: ['persona', 'personas'],
  TON: 't',
  M2: 'm²',
  M3: 'm³',
  JUEGO: ['juego', 'juegos'],
  PAR: ['par', 'pares'],
  DOC: ['docena', 'docenas'],
  CIEN: ['centenar', 'centenares'],
  MILLAR: ['millar', 'millares'],
  CAJA: ['caja', 'cajas'],
  CARTON: ['caja', 'cajas'],
  PAQ: ['paquete', 'paquetes'],
  PALE: ['palé', 'palés'],
  BOT: ['botella', 'botellas'],
  ROLLO: ['rollo', 'rollos'],
  BOLSA: ['bolsa', 'bolsas'],
  SACO: ['saco', 'sacos'],
  LATA: ['lata', 'latas'],
  TUBO: ['tubo', 'tubos'],
  TARRO: ['tarro', 'tarros'],
  KWH: 'kWh',
  GB: 'GB',
  PCT: '%',
};

/** `('MES', '12')` → `meses`, `('UD', '1')` → `ud`. @param quantity plain decimal text, without sign */
export function unitText(code: string | null, quantity: string): string {
  if (!code) return '';
  const unit = UNITS[code] ?? code.toLowerCase();
  if (typeof unit === 'string') return unit;
  const [one, many] = unit;
  return quantity === '1' ? one : many;
}
