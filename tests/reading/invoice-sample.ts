/** Invoices to be drawn and read again: what is on the paper is known to the cent. */

export interface SampleLine {
  readonly description: string;
  readonly quantity: number;
  readonly priceCents: number;
  /** Per cent; 0 for none. */
  readonly discount: number;
  readonly totalCents: number;
  readonly rate: number;
}

export interface SampleParty {
  readonly name: string;
  readonly nif: string;
  readonly street: string;
  readonly town: string;
}

export interface SampleGroup {
  readonly rate: number;
  readonly baseCents: number;
  readonly quotaCents: number;
  /** Recargo de equivalencia, per cent; 0 for none. */
  readonly recargo: number;
  readonly recargoCents: number;
}

export interface Sample {
  readonly number: string;
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly dueDate: string;
  readonly issuer: SampleParty;
  readonly client: SampleParty;
  readonly tax: 'IVA' | 'IGIC';
  readonly lines: readonly SampleLine[];
  readonly groups: readonly SampleGroup[];
  readonly baseCents: number;
  readonly quotaCents: number;
  readonly recargoCents: number;
  readonly irpf: number;
  readonly irpfCents: number;
  /** Before what is withheld. */
  readonly totalCents: number;
  /** The invoice that it corrects; empty for most. */
  readonly rectifies: string;
}

/** What an invoice has besides the usual. */
export const STORIES = [
  ...['sencilla', 'varios tipos', 'retención', 'recargo', 'IGIC', 'rectificativa'],
  ...['varias páginas', 'descuentos'],
] as const;
export type Story = (typeof STORIES)[number];

/** The words that invoices are made of. */
export interface Pool {
  readonly names: readonly string[];
  /** Who issues, if not one of `names`. */
  readonly issuers?: { readonly names: readonly string[]; readonly arePeople: boolean };
  readonly streets: readonly string[];
  readonly towns: readonly string[];
  readonly things: readonly string[];
  readonly numbers: readonly string[];
}

const TUNING: Pool = {
  names: [
    ...['Talleres Aranda, S.L.', 'Lienzos del Norte, S.A.', 'Carpintería Ibáñez, S.L.'],
    ...['María Núñez Peña', 'Suministros Vega, S.L.', 'Cooperativa La Encina'],
    ...['Instalaciones Roca, S.L.U.', 'Óptica Muñoz, S.L.'],
  ],
  streets: [
    ...['Calle Mayor, 1', 'Av. de la Constitución, 45', 'Plaza del Sol, 7'],
    ...['Pol. Ind. Las Eras, nave 12', 'Paseo de Gracia, 101'],
  ],
  towns: [
    ...['28013 Madrid', '08007 Barcelona', '41001 Sevilla', '46002 Valencia', '15003 A Coruña'],
  ],
  things: [
    ...['Revisión de frenos', 'Hora de consultoría', 'Tóner negro XL', 'Mesa de roble macizo'],
    ...['Mantenimiento mensual', 'Diseño de cartel', 'Pan de molde integral', 'Cable de red 5 m'],
    ...['Desplazamiento', 'Tornillos inoxidables M8'],
  ],
  numbers: ['00012/26', 'F26-00341', '2026/0087', 'A-1043', 'FV2026-000219'],
};

/** For the layouts that only measure: nothing in it is in the other. */
export const RESERVED: Pool = {
  names: [
    ...['Hermanos Quiroga e Hijos, S.L.', 'Transportes Guadalhorce, S.A.', 'Jesús Ortiz Zamora'],
    ...[
      'Begoña Iriarte Salvatierra',
      'Fruterías Alcázar, S.L.',
      'Estudio Ximénez Arquitectura, S.L.P.',
    ],
    ...['Comunidad de Bienes El Olivar', 'Electrónica Betis 2000, S.L.', 'Panadería Güell, S.C.P.'],
    ...['Ferretería Los Ángeles, S.A.U.'],
  ],
  streets: [
    ...['C/ Juan de Austria, 118, 3º B', 'Avda. Blasco Ibáñez 22', 'Ctra. de Utrera, km 4,2'],
    ...['Ronda de San Pedro, 5 bajo', 'Travesía del Pez, 9', 'Camino Viejo s/n'],
  ],
  towns: [
    ...['28942 Fuenlabrada (Madrid)', '11402 Jerez de la Frontera', '35001 Las Palmas'],
    ...['48011 Bilbao', '50004 Zaragoza', '37001 Salamanca'],
  ],
  things: [
    ...[
      'Alquiler de plataforma elevadora',
      'Saco de cemento 25 kg',
      'Aceite de oliva virgen extra 5 l',
    ],
    ...['Honorarios por dirección de obra', 'Lámpara LED E27 9 W', 'Reparación de caldera'],
    ...['Traducción jurada (palabras)', 'Cuota de alojamiento web', 'Silla ergonómica mod. 304'],
    ...['Servicio de limpieza de oficinas y zonas comunes del edificio', 'Papel A4 80 g'],
    ...['Puerta cortafuegos homologada EI2-60 de una hoja con barra antipánico'],
  ],
  numbers: [
    'FAC/2026/118',
    'B26/00077',
    '260341',
    'V-26-1902',
    '26-FA-000512',
    '2026-T2-19',
    '1187',
  ],
};

const RECARGOS: Readonly<Record<number, number>> = { 21: 5.2, 10: 1.4, 4: 0.5 };

/**
 * One invoice of a seed: the same seed, the same invoice.
 *
 * @param story what it has besides the usual; without it, whatever the seed brings
 * @param pool the words that it is drawn from
 */
export function sampleOf(
  seed: number,
  story?: Story,
  { pool = TUNING }: { readonly pool?: Pool } = {},
): Sample {
  const random = randomFrom(seed);
  const int = (from: number, to: number) => from + Math.floor(random() * (to - from + 1));
  const pick = <T>(list: readonly T[]): T => list[int(0, list.length - 1)] as T;
  const party = (nif: string): SampleParty => ({
    name: pick(pool.names),
    nif,
    street: pick(pool.streets),
    town: pick(pool.towns),
  });
  const rates = ratesOf(seed, story);
  const isLong = story ? story === 'varias páginas' : seed % 5 === 4;
  const count = isLong ? int(30, story ? 70 : 45) : Math.max(int(1, 7), rates.length);
  const sign = story === 'rectificativa' ? -1 : 1;
  const lines = Array.from({ length: count }, (_, i): SampleLine => {
    const whole = int(1, 9);
    const priceCents = int(150, 45_000);
    const hasDiscount = story === 'descuentos' && i % 3 !== 2;
    const discount = hasDiscount ? pick([5, 10, 15, 2.5]) : 0;
    const quantity = sign * (story === 'descuentos' && i % 4 === 1 ? whole + 0.5 : whole);
    return {
      description: pick(pool.things),
      quantity,
      priceCents,
      discount,
      totalCents: cents((quantity * priceCents * (100 - discount)) / 100),
      rate: rates[i % rates.length] as number,
    };
  });
  const groups = rates.flatMap((rate): SampleGroup[] => {
    const baseCents = lines
      .filter((line) => line.rate === rate)
      .reduce((sum, line) => sum + line.totalCents, 0);
    const recargo = story === 'recargo' ? (RECARGOS[rate] ?? 0) : 0;
    const part = (percent: number) => cents((baseCents * percent) / 100);
    return baseCents === 0
      ? []
      : [{ rate, baseCents, quotaCents: part(rate), recargo, recargoCents: part(recargo) }];
  });
  const sum = (read: (group: SampleGroup) => number) =>
    groups.reduce((all, group) => all + read(group), 0);
  const baseCents = sum((group) => group.baseCents);
  const quotaCents = sum((group) => group.quotaCents);
  const recargoCents = sum((group) => group.recargoCents);
  const irpf = irpfOf(seed, story);
  const date = `2026-${String(int(1, 10)).padStart(2, '0')}-${String(int(1, 28)).padStart(2, '0')}`;
  const number = pick(pool.numbers);
  const dueDate = `2026-12-${String(int(1, 28)).padStart(2, '0')}`;
  const nobody = party(
    pool.issuers?.arePeople
      ? personNif(int(1_000_000, 79_999_999))
      : entityNif(int(1_000_000, 9_999_999)),
  );
  const issuer = pool.issuers ? { ...nobody, name: pick(pool.issuers.names) } : nobody;
  const somebody = party(
    seed % 2 ? entityNif(int(1_000_000, 9_999_999)) : personNif(int(1_000_000, 79_999_999)),
  );
  const others = pool.names.filter((name) => name !== issuer.name);
  const client = { ...somebody, name: others[seed % others.length] as string };
  return {
    number: story === 'rectificativa' ? `R${number}` : number,
    date,
    dueDate,
    issuer,
    client,
    tax: story === 'IGIC' ? 'IGIC' : 'IVA',
    lines,
    groups,
    baseCents,
    quotaCents,
    recargoCents,
    irpf,
    irpfCents: cents((baseCents * irpf) / 100),
    totalCents: baseCents + quotaCents + recargoCents,
    rectifies: story === 'rectificativa' ? pick(pool.numbers) : '',
  };
}

function ratesOf(seed: number, story: Story | undefined): number[] {
  switch (story) {
    case undefined:
      return seed % 3 === 0 ? [21, 10] : seed % 7 === 1 ? [10] : [21];
    case 'varios tipos':
      return seed % 2 ? [21, 10, 4] : [21, 10];
    case 'recargo':
      return seed % 2 ? [21, 10] : [21];
    case 'IGIC':
      return seed % 2 ? [7, 3] : [7];
    default:
      return seed % 7 === 1 ? [10] : [21];
  }
}

function irpfOf(seed: number, story: Story | undefined): number {
  if (story === undefined) return seed % 4 === 2 ? 15 : 0;
  return story === 'retención' ? ([15, 7, 19][seed % 3] as number) : 0;
}

/** To the cent, ties away from zero; the product of what is printed, so no more than a float's noise off. */
function cents(amount: number): number {
  const size = Math.round(Math.abs(amount) + 1e-6);
  return amount < 0 && size > 0 ? -size : size;
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

const LETTERS = 'TRWAGMYFPDXBNJZSQVHLCKE';

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

/** `2.5` → `'2,5'`, or `'2,50'` with two decimals. */
export function figure(value: number, decimals?: number): string {
  const text = decimals === undefined ? String(value) : value.toFixed(decimals);
  return text.replace('.', ',');
}

const MONTHS = [
  ...['enero', 'febrero', 'marzo', 'abril', 'mayo', 'junio'],
  ...['julio', 'agosto', 'septiembre', 'octubre', 'noviembre', 'diciembre'],
];
export const slashed = (iso: string) => iso.split('-').reverse().join('/');
export const dashed = (iso: string) => iso.split('-').reverse().join('-');
export const worded = (iso: string) =>
  `${Number(iso.slice(8))} de ${MONTHS[Number(iso.slice(5, 7)) - 1]} de ${iso.slice(0, 4)}`;
