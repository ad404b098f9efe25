import type { IssuedInvoice } from '../../src/domain/invoice.ts';
import type { InvoicePdfOptions } from '../../src/pdf/invoice-pdf.ts';
import { BAKERY_LINES, line, sample } from './samples.ts';

export interface Sample {
  readonly invoice: IssuedInvoice;
  readonly options?: Partial<InvoicePdfOptions>;
  readonly hasLogo?: boolean;
}

const THINGS = [
  'Tornillo autorroscante DIN 7504-K 4,8 × 25, caja de 500',
  'Taco de nailon expansivo 8 mm, bolsa de 100',
  'Cable H07V-K 2,5 mm² azul',
  'Perfil de aluminio anodizado en U 20 × 20 × 2, barra de 6 m cortada a medida según plano adjunto',
  'Silicona neutra transparente 300 ml',
];

/** So many lines, of one or several lines of text, every one with other figures. */
export function manyLines(count: number) {
  return Array.from({ length: count }, (_, index) =>
    line(
      THINGS[index % THINGS.length] ?? '',
      String((index * 7) % 40 || 300),
      `${(index * 13) % 90 || 3},${String((index * 37) % 100).padStart(2, '0')}`,
    ),
  );
}

const ORIGINAL = {
  numSerie: '00041/LO',
  fecha: '2026-11-20',
  externa: false,
  base: '508.80',
  cuota: '48.10',
  recargo: '0.00',
} as const;

const RETURNED = [
  line('Cruasán de mantequilla, género devuelto', '12', '0,95', 'IVA10'),
  line('Barra de masa madre, 400 g, género devuelto', '10', '1,15', 'IVA4'),
];

const RETURN = {
  type: 'abono',
  invoiceDate: '2026-11-24',
  invoiceToRectify: '00041/LO',
} as const;

const SIMPLIFIED = sample({
  draft: { isSimplificada: true, notas: 'Gracias por tu visita' },
  cliente: null,
  numSerie: '00127/LOS',
  formaPago: 'Tarjeta de crédito o débito',
  terminoPago: 'CON',
  lines: [
    line('Hogaza de centeno, 1 kg', '1', '4,20', 'IVA4'),
    line('Cruasán de mantequilla', '4', '0,954545', 'IVA10'),
    line('Café con leche', '2', '1,636364', 'IVA10'),
    line('Vela de cera de abeja', '1', '8,181818', 'IVA21'),
  ],
});

export const IVA_INCLUIDO_LINES = [
  line('Camiseta de algodón', '1', '10,00', 'IVA21'),
  line('Taza de loza', '2', '7,50', 'IVA21', 'UD', '10'),
  line('Café con leche', '4', '1,30', 'IVA10'),
];

const IVA_INCLUIDO = sample({
  draft: { isSimplificada: true, ivaIncluido: true },
  cliente: null,
  numSerie: '00128/LOS',
  lines: IVA_INCLUIDO_LINES,
});

/** One of each kind, to look at and to read back. */
export const SAMPLES: Readonly<Record<string, Sample>> = {
  f1: {
    invoice: sample({
      draft: {
        fechaOperacion: '2026-11-16',
        notas: 'Entrega en el muelle de cocina, de 6:30 a 7:15.',
      },
    }),
    hasLogo: true,
  },
  'f1-sin-logo': { invoice: sample() },
  'f1-demo': { invoice: sample({ esDemo: true }), options: { demo: true }, hasLogo: true },
  'f1-borrador': { invoice: sample(), options: { draft: true }, hasLogo: true },
  'f1-anulada': { invoice: sample(), options: { annulled: true }, hasLogo: true },
  'f1-duplicado': { invoice: sample(), options: { duplicate: true }, hasLogo: true },
  'f1-40-lineas': {
    invoice: sample({
      lines: manyLines(40),
      numSerie: '2026/01184',
      emisor: {
        nombre: 'Suministros Industriales Ibáñez e Hijos, S.L.U.',
        direccion: 'Polígono Fuente del Jarro, calle 7, nave 12, Paterna',
        postCode: '46988',
        provincia: 'Valencia',
      },
      cliente: { nombre: 'Reformas y Rehabilitaciones Costa Norte, S.L.' },
    }),
  },
  'f1-descuentos': {
    invoice: sample({
      lines: [
        line('Barra de masa madre, 400 g', '120', '1,15', 'IVA4', 'UD', '5'),
        line('Alquiler de vitrina refrigerada, noviembre', '1', '45,00', 'IVA21', 'MES', '12,5'),
        line('Horas de técnico', '7,5', '38,125', 'IVA21', 'HORA'),
      ],
      terminoPago: '30-60',
    }),
    hasLogo: true,
  },
  'f1-recargo': {
    invoice: sample({
      draft: { typeClient: 'NACRE' },
      cliente: { nombre: 'Ana Belén Ruiz Íñiguez (Ultramarinos Ruiz)', nif: '12345678Z' },
    }),
    hasLogo: true,
  },
  'f1-retencion': {
    invoice: sample({
      draft: { retencionIRPF: '15' },
      emisor: { nombre: 'Lucía Ferrer Gómez', nif: '12345678Z' },
      lines: [line('Asesoría fiscal, noviembre', '1', '450,00', 'IVA21', 'MES')],
    }),
  },
  'f1-menciones': {
    invoice: sample({
      draft: {
        claveRegimen: '07',
        notas: 'Obra de la calle Mayor, 3.\nPedido 2026-118.',
      },
      leyendaRegimen: 'Régimen especial del criterio de caja',
      lines: [
        line('Rehabilitación de la fachada', '1', '12.400,00', 'ISP'),
        line('Curso de prevención de riesgos laborales', '2', '180,00', 'EXENTO20'),
        line('Indemnización por retraso del promotor', '1', '600,00', 'NOSUJETO'),
        line('Alquiler de andamio', '14', '22,50', 'IVA21', 'DIA'),
      ],
    }),
    hasLogo: true,
  },
  'f1-extremos': {
    invoice: sample({
      numSerie: 'SERIE-MUY-LARGA-2026/ABCDEFGHIJKLMNOPQRSTUVWXYZ/0000000001',
      emisor: {
        nombre:
          'Compañía Internacional de Explotaciones Agropecuarias y Forestales del Noroeste Peninsular, Sociedad Anónima Unipersonal',
        direccion:
          'Avenida de la Constitución de 1978, número 1.234, edificio Torre Norte, planta 23, oficina C, Parque Empresarial de la Vega',
      },
      cliente: {
        nombre: `Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen${'x'.repeat(60)} GmbH`,
        direccion: 'Carretera'.repeat(20),
      },
      lines: [
        line('W'.repeat(140), '999999,1234', '8888888,123456', 'NOSUJETO', 'KILOVATIOSHORADEPUNTA'),
        line(
          'Primera\nSegunda línea, y una más larga que la anchura de su columna',
          '1',
          '1',
          'IVA10',
          'UD',
          '33,33',
        ),
      ],
      draft: { notas: 'Nota larga. '.repeat(160) },
    }),
  },
  'f2-a4': { invoice: SIMPLIFIED, hasLogo: true },
  'f2-ticket': { invoice: SIMPLIFIED, options: { size: 'ticket' }, hasLogo: true },
  'f2-a4-iva-incluido': { invoice: IVA_INCLUIDO },
  'f2-ticket-iva-incluido': { invoice: IVA_INCLUIDO, options: { size: 'ticket' } },
  'f2-ticket-demo': {
    invoice: sample({ draft: { isSimplificada: true }, cliente: null, esDemo: true }),
    options: { size: 'ticket', demo: true },
  },
  'r5-ticket': {
    invoice: sample({
      draft: { ...RETURN, isSimplificada: true },
      cliente: null,
      numSerie: '00003/LORS',
      lines: RETURNED,
      originals: [{ ...ORIGINAL, numSerie: '00127/LOS' }],
    }),
    options: { size: 'ticket' },
  },
  r1: {
    invoice: sample({
      draft: RETURN,
      numSerie: '00007/LOR',
      lines: RETURNED,
      originals: [ORIGINAL],
    }),
    hasLogo: true,
  },
  'r1-sustitucion': {
    invoice: sample({
      draft: { ...RETURN, tipoRectificativa: 'S' },
      numSerie: '00008/LOR',
      lines: BAKERY_LINES.slice(0, 3),
      originals: [ORIGINAL],
    }),
    hasLogo: true,
  },
  'f1-bienes-usados': {
    invoice: sample({
      draft: { claveRegimen: '03' },
      leyendaRegimen: 'Régimen especial de los bienes usados',
      lines: [
        { ...line('Cómoda de nogal, hacia 1890, restaurada', '1', '1.452,00'), coste: '968,00' },
      ],
    }),
  },
};
