import { isIsoDate } from '../../dates.ts';
import {
  type ClienteEmitido,
  type DraftInvoice,
  type Emisor,
  type TipoFactura,
  tipoFacturaOf,
} from '../../invoice.ts';
import type { Original } from '../../issue.ts';
import { oneLine } from '../../paper/text.ts';
import type { SeriesKind } from '../../series.ts';
import { claveRegimenOf, type Desglose, type InvoiceTotals } from '../../totals.ts';
import { recargoBps, vatRateBps } from '../../vat.ts';

/** What the rules examine: a draft with what was computed and looked up for it. */
export interface FacturaAValidar {
  readonly draft: DraftInvoice;
  readonly totals: InvoiceTotals;
  readonly cliente: ClienteEmitido | null;
  readonly emisor: Emisor;
  /** The number that it would take, or keeps when it is corrected. */
  readonly numSerie: string;
  /** Today in the company's time zone, `YYYY-MM-DD`. */
  readonly today: string;
  /** Day of the last registered invoice of its series; null for the first one, and for a correction. */
  readonly lastDateOfSeries: string | null;
  /** The invoices that it rectifies or replaces, with an empty `fecha` if none was given. */
  readonly originals: readonly Original[];
  /** The address that it is sent to when it is registered, or none; absent when it is not to be sent. */
  readonly enviarA?: string | undefined;
  /** Of a correction, the invoice as it is registered. */
  readonly corregida?: Corregida | null;
  /** What the law makes it say. */
  readonly menciones?: readonly string[];
}

/** A registered invoice that is being corrected. */
export interface Corregida extends Original {
  readonly cliente: ClienteEmitido | null;
  /** The one that its number is of. */
  readonly serie: SeriesKind;
  /** What stands on its amounts: a rectificativa, or the F3 that it was exchanged for. */
  readonly referidaPor: string | null;
  /** The error that the AEAT found in what it holds of it. */
  readonly codigo: number | null;
  /** What its customer read on it, besides the amounts. */
  readonly menciones: readonly string[];
  /** Null when it is the day of issue. */
  readonly fechaOperacion: string | null;
}

/** The same, with what several rules need. */
export interface Caso extends FacturaAValidar {
  readonly tipoFactura: TipoFactura;
  /** Day of the operation or, without one, of issue: it determines the rates. */
  readonly devengo: string;
  readonly isFechaValida: boolean;
}

/** `campo` names the draft's field; for a line, `invoiceItems.2.price`. */
export interface Hallazgo {
  readonly campo: string;
  readonly mensaje: string;
}

export type Gravedad = 'bloquea' | 'avisa';

export interface Finding extends Hallazgo {
  /** The AEAT's code for it; absent for rules that only the law or we impose. */
  readonly codigo?: string;
  readonly gravedad: Gravedad;
}

/** Where rules come from, and which version was read. A newer version is entered here, once. */
export const DOCUMENTOS = {
  validaciones: 'AEAT, Validaciones y errores de VERI*FACTU, versión 1.2.2 (08-04-2026)',
  esquema: 'AEAT, SuministroInformacion.xsd y sus listas, versión 1.0 (11-01-2026)',
  facturacion: 'RD 1619/2012, Reglamento de facturación, vigente a 20-11-2026',
  iva: 'Ley 37/1992 del IVA y su Reglamento (RD 1624/1992), vigentes a 20-11-2026',
  irpf: 'RD 439/2007, Reglamento del IRPF, vigente a 20-11-2026',
  nif: 'Orden EHA/451/2008, vigente a 20-11-2026',
  huella: 'Huella: contrato y decisiones de este programa',
} as const;
export type Documento = keyof typeof DOCUMENTOS;

/** One rule. The AEAT's rules are in its document under the block of the registro that `fuente` names. */
export interface Regla {
  /** Our own name, for the tests: one fixture breaks each rule. */
  readonly id: string;
  readonly documento: Documento;
  readonly fuente: string;
  readonly codigo?: string;
  readonly gravedad: Gravedad;
  /** Its findings; normally none. */
  readonly busca: (caso: Caso) => readonly Hallazgo[];
}

export function casoDe(factura: FacturaAValidar): Caso {
  const { draft } = factura;
  return {
    tipoFactura: tipoFacturaOf(draft),
    devengo: draft.fechaOperacion || draft.invoiceDate,
    isFechaValida: isIsoDate(draft.invoiceDate),
    ...factura,
  };
}

/** One finding if the condition holds. */
export function si(condition: boolean, campo: string, mensaje: () => string): readonly Hallazgo[] {
  return condition ? [{ campo, mensaje: mensaje() }] : [];
}

/**
 * One finding per invalid line of the desglose. It points at what the user chose: the invoice's clave de régimen, if
 * that is the cause, or the tax of the first line concerned.
 */
export function porDesglose(
  caso: Caso,
  fails: (desglose: Desglose) => boolean,
  mensaje: (desglose: Desglose) => string,
  { pointsAt = 'clave' }: { pointsAt?: 'clave' | 'tax' } = {},
): readonly Hallazgo[] {
  return caso.totals.desglose.filter(fails).map((desglose) => ({
    campo: pointsAt === 'clave' && isClaveElegida(caso) ? 'claveRegimen' : campoTax(caso, desglose),
    mensaje: mensaje(desglose),
  }));
}

/** A clave de régimen was chosen for the whole invoice: `01` leaves each line its own. */
export function isClaveElegida({ draft }: Caso): boolean {
  return draft.claveRegimen !== '' && draft.claveRegimen !== '01';
}

function campoTax({ draft, totals }: Caso, desglose: Desglose): string {
  const index = totals.lines.findIndex(
    ({ group }) =>
      group !== undefined &&
      group.verifactu.Impuesto === desglose.Impuesto &&
      group.verifactu.CalificacionOperacion === desglose.CalificacionOperacion &&
      group.verifactu.OperacionExenta === desglose.OperacionExenta &&
      claveRegimenOf(group, draft.claveRegimen) === desglose.ClaveRegimen &&
      vatRateBps(group) === desglose.vatRateBps &&
      recargoBps(group) === desglose.recargoBps,
  );
  return `invoiceItems.${index}.tax`;
}

/** F1, F3 and R1 to R4 name their customer (code 1189). */
export function needsCliente({ tipoFactura }: Caso): boolean {
  return !['F2', 'R5', 'F4'].includes(tipoFactura);
}

/** «falta el NIF», «faltan el NIF y la dirección», for fields that are blank when printed; otherwise nothing. */
export function faltan(fields: readonly (readonly [value: string, name: string])[]): string {
  const names = fields.filter(([value]) => oneLine(value) === '').map(([, name]) => name);
  if (names.length < 2) return names[0] === undefined ? '' : `falta ${names[0]}`;
  return `faltan ${names.slice(0, -1).join(', ')} y ${names.at(-1)}`;
}
