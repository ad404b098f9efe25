import { entityNif } from '../../domain/nif.ts';

/** Pseudo-random numbers that are the same for the same seed (mulberry32). */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 to 1, exclusive. */
  roll(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** From `low` to `high`, both included. */
  int(low: number, high: number): number {
    return low + Math.floor(this.roll() * (high - low + 1));
  }

  of<T>(values: readonly T[]): T {
    return values[Math.floor(this.roll() * values.length)] as T;
  }
}

const SURNAMES =
  'García Rodríguez González Fernández López Martínez Sánchez Pérez Gómez Martín Jiménez Ruiz Hernández Díaz Moreno Muñoz Álvarez Romero Alonso Gutiérrez Navarro Torres Domínguez Vázquez Ramos Gil Ramírez Serrano Blanco Molina Morales Suárez Ortega Delgado Castro Ortiz Rubio Marín Sanz Núñez Iglesias Medina Garrido Cortés Castillo Santos Lozano Guerrero Cano Prieto Méndez Cruz Calvo Gallego Vidal León Herrera Márquez Peña Cabrera Flores Campos Vega Fuentes Carrasco Peñalver Ibáñez Ferrer Pascual Arias Santana Aguilar Montero Crespo Lorenzo Mora Bravo Otero Soler Esteban'.split(
    ' ',
  );
const FIRST_NAMES =
  'Antonio Carmen Manuel María José Ana Francisco Isabel David Laura Juan Marta Javier Lucía Daniel Paula Carlos Elena Alejandro Cristina Miguel Sara Rafael Pilar Pedro Rosa Ángel Silvia Sergio Nuria Pablo Beatriz Fernando Raquel Jorge Irene Luis Teresa Álvaro Inés'.split(
    ' ',
  );
const TRADES = [
  ...['Talleres', 'Panadería', 'Ferretería', 'Librería', 'Construcciones', 'Reformas'],
  ...['Transportes', 'Clínica Dental', 'Farmacia', 'Restaurante', 'Cafetería', 'Hotel'],
  ...['Autoescuela', 'Gestoría', 'Inmobiliaria', 'Floristería', 'Carpintería', 'Óptica'],
  ...['Electricidad', 'Fontanería', 'Pinturas', 'Bodegas', 'Conservas', 'Viveros'],
  ...['Academia', 'Imprenta', 'Muebles', 'Joyería', 'Limpiezas', 'Obrador'],
];
const STREETS = [
  ...['Calle Mayor', 'Avenida de la Constitución', 'Calle Real', 'Paseo del Prado', 'Gran Vía'],
  ...['Calle San Juan', 'Plaza de España', 'Ronda de Valencia', 'Calle del Sol', 'Calle Nueva'],
  ...['Avenida de Andalucía', 'Calle de la Paz', 'Camino Viejo', 'Calle Colón', 'Rambla Nova'],
];
/** First two digits of the postal codes of the larger provinces of the peninsula. */
const PROVINCES = ['28', '08', '46', '41', '29', '50', '30', '48', '15', '33', '03', '18', '47'];

export interface Party {
  readonly name: string;
  readonly nif: string;
  readonly address: string;
  readonly postCode: string;
  readonly email: string;
}

/** A plausible customer: a company or a person. No two of them have the same NIF. */
export function customerOf(dice: Dice, index: number): Party {
  const surname = dice.of(SURNAMES);
  const isCompany = dice.roll() < 0.7;
  const name = isCompany
    ? `${dice.of(TRADES)} ${surname}, ${dice.roll() < 0.8 ? 'S.L.' : 'S.A.'}`
    : `${dice.of(FIRST_NAMES)} ${surname} ${dice.of(SURNAMES)}`;
  const nif = isCompany
    ? entityNif(name.endsWith('S.A.') ? 'A' : 'B', String(2_000_000 + index * 13 + dice.int(0, 12)))
    : dni(10_000_000 + index * 61 + dice.int(0, 60));
  return {
    name,
    nif,
    address: `${dice.of(STREETS)}, ${dice.int(1, 120)}`,
    postCode: `${dice.of(PROVINCES)}${String(dice.int(1, 40)).padStart(3, '0')}`,
    email: `${asMailbox(surname)}${index}@ejemplo.es`,
  };
}

/** A small company that invoices. */
export function companyOf(dice: Dice): Party {
  const surname = dice.of(SURNAMES);
  return {
    name: `${dice.of(TRADES)} ${surname}, S.L.`,
    nif: entityNif('B', String(dice.int(1_000_000, 9_999_999))),
    address: `${dice.of(STREETS)}, ${dice.int(1, 120)}`,
    postCode: `28${String(dice.int(1, 55)).padStart(3, '0')}`,
    email: '',
  };
}

export interface DemoProduct {
  readonly name: string;
  readonly unit: string;
  readonly cents: number;
  readonly tax: 'IVA21' | 'IVA10' | 'IVA4';
}

export const PRODUCTS: readonly DemoProduct[] = [
  { name: 'Hora de asesoramiento', unit: 'HORA', cents: 6500, tax: 'IVA21' },
  { name: 'Hora de taller', unit: 'HORA', cents: 4850, tax: 'IVA21' },
  { name: 'Revisión anual', unit: 'UD', cents: 12900, tax: 'IVA21' },
  { name: 'Mantenimiento mensual', unit: 'UD', cents: 8990, tax: 'IVA21' },
  { name: 'Desplazamiento', unit: 'UD', cents: 3500, tax: 'IVA21' },
  { name: 'Instalación', unit: 'UD', cents: 24500, tax: 'IVA21' },
  { name: 'Material eléctrico', unit: 'UD', cents: 1875, tax: 'IVA21' },
  { name: 'Pintura plástica blanca, 15 l', unit: 'UD', cents: 5495, tax: 'IVA21' },
  { name: 'Cristal de seguridad', unit: 'UD', cents: 18340, tax: 'IVA21' },
  { name: 'Diseño de imagen', unit: 'UD', cents: 45000, tax: 'IVA21' },
  { name: 'Menú de empresa', unit: 'UD', cents: 1450, tax: 'IVA10' },
  { name: 'Caja de agua, 24 botellas', unit: 'UD', cents: 960, tax: 'IVA10' },
  { name: 'Transporte de viajeros', unit: 'UD', cents: 18000, tax: 'IVA10' },
  { name: 'Barra de pan', unit: 'UD', cents: 110, tax: 'IVA4' },
  { name: 'Manual de prevención', unit: 'UD', cents: 2195, tax: 'IVA4' },
];

/** A DNI with its letter. */
function dni(number: number): string {
  return `${number}${'TRWAGMYFPDXBNJZSQVHLCKE'.charAt(number % 23)}`;
}

function asMailbox(surname: string): string {
  return surname
    .normalize('NFD')
    .replace(/[^A-Za-z]/g, '')
    .toLowerCase();
}
