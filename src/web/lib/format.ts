const NBSP = '\u00a0';
const MINUS = '\u2212';

const amount = new Intl.NumberFormat('es-ES', {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
  useGrouping: 'always',
} as Intl.NumberFormatOptions);
const whole = new Intl.NumberFormat('es-ES', {
  maximumFractionDigits: 0,
  useGrouping: 'always',
} as Intl.NumberFormatOptions);

const withMinus = (text: string) => text.replace('-', MINUS);

/** Euros as `1.234,56`, with a real minus sign. */
export const importe = (euros: number): string => withMinus(amount.format(euros));

/** Euros as `1.234,56 €`, with a no-break space. */
export const euros = (value: number): string => `${importe(value)}${NBSP}€`;

/** Cents as `1.234,56 €`, exact at any size. */
export function eurosOfCents(cents: bigint): string {
  const digits = (cents < 0n ? -cents : cents).toString().padStart(3, '0');
  const units = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, '.');
  return `${cents < 0n ? MINUS : ''}${units},${digits.slice(-2)}${NBSP}€`;
}

/** The sentence with its amounts and rates kept whole: `1.234,56 €` and `21 %` do not end a line in their middle. */
export const unbroken = (sentence: string): string => sentence.replace(/(?<=\d) (?=[€%])/g, NBSP);

/** A count as `1.284`. */
export const entero = (value: number): string => withMinus(whole.format(value));

/** A count with its noun: `1 factura`, `41 facturas`. */
export const cuenta = (value: number, one: string, many: string): string =>
  `${entero(value)}${NBSP}${value === 1 ? one : many}`;

/** `2026-11-20` as `20/11/2026`; anything else unchanged. */
export function fecha(iso: string): string {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})/.exec(iso) ?? [];
  return day ? `${day}/${month}/${year}` : iso;
}

const long = new Intl.DateTimeFormat('es-ES', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});
/** `2026-11-20` as `Viernes, 20 de noviembre de 2026`. */
export function fechaLarga(iso: string): string {
  const text = long.format(new Date(iso));
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const clock = new Intl.DateTimeFormat('es-ES', { hour: '2-digit', minute: '2-digit' });
/** The local time of an instant, `10:32`. */
export const hora = (instant: string | Date): string => clock.format(new Date(instant));

const calendar = new Intl.DateTimeFormat('es-ES', {
  day: '2-digit',
  month: '2-digit',
  year: 'numeric',
});
/** The local day of an instant, `20/11/2026`. */
export const dia = (instant: string | Date): string => calendar.format(new Date(instant));

const stamp = new Intl.DateTimeFormat('es-ES', {
  day: '2-digit',
  month: '2-digit',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});
/** The local date and time of an instant, `20/11/2026, 10:32`. */
export const fechaHora = (instant: string | Date): string => stamp.format(new Date(instant));

const MONTHS = [
  'enero',
  'febrero',
  'marzo',
  'abril',
  'mayo',
  'junio',
  'julio',
  'agosto',
  'septiembre',
  'octubre',
  'noviembre',
  'diciembre',
] as const;
/** The name of a month, `2026-11` → `noviembre`. */
export const nombreMes = (mes: string): string => MONTHS[Number(mes.slice(5, 7)) - 1] ?? mes;

/** A quarter by its number, `4.º`. */
export const trimestre = (n: number): string => `${n}.º`;

/** A percentage as `16 %`. */
export const porcentaje = (value: number): string => `${entero(value)}${NBSP}%`;

/** `Carpintería Belmonte e Hijos, S.L.` → `CB`, shown instead of a logo. */
export function iniciales(name: string): string {
  const words = name.split(/[\s,.-]+/).filter((word) => /^\p{Lu}/u.test(word));
  const [first, second] = words.length > 0 ? words : [name];
  return ((first?.charAt(0) ?? '') + (second?.charAt(0) ?? '')).toUpperCase();
}

/** A huella as `CA4137C748AAE322…5D3D0C4D`. */
export const huellaCorta = (huella: string): string =>
  huella.length > 24 ? `${huella.slice(0, 16)}…${huella.slice(-8)}` : huella;

/** A huella in groups of eight digits. */
export const huellaEnGrupos = (huella: string): string[] => huella.match(/.{1,8}/g) ?? [];

/** `21 %`, `5,2 %`: the rate of a catalog as displayed. */
export function percent(value: number): string {
  return `${String(value).replace('.', ',')}\u00a0%`;
}
