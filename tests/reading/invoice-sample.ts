/** Invoices to be drawn and read again: what is on the paper is known to the cent. */

export interface SampleLine {
  readonly description: string;
  readonly quantity: number;
  readonly priceCents: number;
  readonly totalCents: number;
  readonly rate: number;
}

export interface SampleParty {
  readonly name: string;
  readonly nif: string;
  readonly street: string;
  readonly town: string;
}

export interface Sample {
  readonly number: string;
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly dueDate: string;
  readonly issuer: SampleParty;
  readonly client: SampleParty;
  readonly lines: readonly SampleLine[];
  readonly groups: readonly { rate: number; baseCents: number; quotaCents: number }[];
  readonly baseCents: number;
  readonly quotaCents: number;
  readonly irpf: number;
  readonly irpfCents: number;
  readonly totalCents: number;
}

const NAMES = [
  'Talleres Aranda, S.L.',
  'Lienzos del Norte, S.A.',
  'Carpintería Ibáñez, S.L.',
  'María Núñez Peña',
  'Suministros Vega, S.L.',
  'Cooperativa La Encina',
  'Instalaciones Roca, S.L.U.',
  'Óptica Muñoz, S.L.',
];
const STREETS = [
  'Calle Mayor, 1',
  'Av. de la Constitución, 45',
  'Plaza del Sol, 7',
  'Pol. Ind. Las Eras, nave 12',
  'Paseo de Gracia, 101',
];
const TOWNS = [
  '28013 Madrid',
  '08007 Barcelona',
  '41001 Sevilla',
  '46002 Valencia',
  '15003 A Coruña',
];
const THINGS = [
  'Revisión de frenos',
  'Hora de consultoría',
  'Tóner negro XL',
  'Mesa de roble macizo',
  'Mantenimiento mensual',
  'Diseño de cartel',
  'Pan de molde integral',
  'Cable de red 5 m',
  'Desplazamiento',
  'Tornillos inoxidables M8',
];
const NUMBERS = ['00012/26', 'F26-00341', '2026/0087', 'A-1043', 'FV2026-000219'];
const LETTERS = 'TRWAGMYFPDXBNJZSQVHLCKE';

/** One invoice of a seed: the same seed, the same invoice. */
export function sampleOf(seed: number): Sample {
  const random = randomFrom(seed);
  const int = (from: number, to: number) => from + Math.floor(random() * (to - from + 1));
  const pick = <T>(list: readonly T[]): T => list[int(0, list.length - 1)] as T;
  const party = (nif: string): SampleParty => ({
    name: pick(NAMES),
    nif,
    street: pick(STREETS),
    town: pick(TOWNS),
  });
  const rates = seed % 3 === 0 ? [21, 10] : seed % 7 === 1 ? [10] : [21];
  const count = seed % 5 === 4 ? int(30, 45) : int(1, 7);
  const lines = Array.from({ length: count }, (_, i): SampleLine => {
    const quantity = int(1, 9);
    const priceCents = int(150, 45_000);
    return {
      description: pick(THINGS),
      ...{ quantity, priceCents },
      totalCents: quantity * priceCents,
      rate: rates[i % rates.length] as number,
    };
  });
  const groups = rates.flatMap((rate) => {
    const baseCents = lines
      .filter((line) => line.rate === rate)
      .reduce((sum, line) => sum + line.totalCents, 0);
    return baseCents === 0
      ? []
      : [{ rate, baseCents, quotaCents: Math.round((baseCents * rate) / 100) }];
  });
  const baseCents = groups.reduce((sum, group) => sum + group.baseCents, 0);
  const quotaCents = groups.reduce((sum, group) => sum + group.quotaCents, 0);
  const irpf = seed % 4 === 2 ? 15 : 0;
  const date = `2026-${String(int(1, 10)).padStart(2, '0')}-${String(int(1, 28)).padStart(2, '0')}`;
  return {
    number: pick(NUMBERS),
    date,
    dueDate: `2026-12-${String(int(1, 28)).padStart(2, '0')}`,
    issuer: party(entityNif(int(1_000_000, 9_999_999))),
    client: party(
      seed % 2 ? entityNif(int(1_000_000, 9_999_999)) : personNif(int(1_000_000, 79_999_999)),
    ),
    ...{ lines, groups, baseCents, quotaCents, irpf },
    irpfCents: Math.round((baseCents * irpf) / 100),
    totalCents: baseCents + quotaCents,
  };
}

function randomFrom(seed: number): () => number {
  let state = (seed + 1) * 0x9e37_79b9;
  return () => {
    state = (state + 0x6d2b_79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function personNif(digits: number): string {
  return `${String(digits).padStart(8, '0')}${LETTERS.charAt(digits % 23)}`;
}

/** Orden EHA/451/2008: odd places doubled and their digits added. */
function entityNif(digits: number): string {
  const text = String(digits);
  const sum = [...text].reduce((all, char, i) => {
    const twice = Number(char) * 2;
    return all + (i % 2 === 0 ? Math.floor(twice / 10) + (twice % 10) : Number(char));
  }, 0);
  return `B${text}${(10 - (sum % 10)) % 10}`;
}

/** `123456` → `'1.234,56'`. */
export function euros(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  const integer = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, '.');
  return `${cents < 0 ? '-' : ''}${integer},${digits.slice(-2)}`;
}

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
];
export const slashed = (iso: string) => iso.split('-').reverse().join('/');
export const dashed = (iso: string) => iso.split('-').reverse().join('-');
export const worded = (iso: string) =>
  `${Number(iso.slice(8))} de ${MONTHS[Number(iso.slice(5, 7)) - 1]} de ${iso.slice(0, 4)}`;
