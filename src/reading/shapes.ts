/** What the steps of reading pass on to each other. */

/** Where a value came from, most trusted first. */
export type Origen = 'xml' | 'qr' | 'texto' | 'ocr';

/** Fractions of the page's width and height, from the top left corner. */
export interface Caja {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** A word with its box, in points of its page, from the top left corner. */
export interface Word {
  readonly text: string;
  /** From 1. */
  readonly page: number;
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
  /** Its place on the original picture, if the page had to be set upright to be read. */
  readonly paper?: Caja;
}

export interface PageSize {
  readonly width: number;
  readonly height: number;
}

/** All the words of a document, and how they were obtained. */
export interface Words {
  readonly origen: 'texto' | 'ocr';
  readonly words: readonly Word[];
  readonly pages: readonly PageSize[];
}

export interface Campo<T> {
  readonly valor: T;
  /** 0…1. From 0.9 on, it was checked against something else: arithmetic, a control character, another source. */
  readonly confianza: number;
  readonly origen: Origen;
  readonly pagina?: number;
  readonly caja?: Caja;
}

/** One rate of VAT, in cents and hundredths of a percent. */
export interface Tramo {
  readonly rateBps: bigint;
  readonly baseCents: bigint;
  readonly quotaCents: bigint;
  /** Recargo de equivalencia on the same base. */
  readonly recargoCents: bigint;
}

export interface Linea {
  readonly description: string;
  /** Plain decimal text: `'2.5'`. */
  readonly quantity: string;
  readonly price: string;
  /** A percentage. */
  readonly discount?: string;
  readonly totalCents: bigint;
  readonly rateBps: bigint | null;
  /** Quantity × price − discount equals the printed amount. */
  readonly addsUp: boolean;
  /** As in `Campo`. */
  readonly confianza: number;
  readonly origen: Origen;
  readonly pagina?: number;
  readonly caja?: Caja;
}

/** The fields of an invoice. Those not found are absent. */
export interface Campos {
  readonly numero?: Campo<string>;
  /** `YYYY-MM-DD`. */
  readonly fecha?: Campo<string>;
  readonly nifEmisor?: Campo<string>;
  readonly nombreEmisor?: Campo<string>;
  readonly nifCliente?: Campo<string>;
  readonly nombreCliente?: Campo<string>;
  readonly direccionCliente?: Campo<string>;
  /** Amounts in cents. */
  readonly baseImponible?: Campo<bigint>;
  readonly cuotaIVA?: Campo<bigint>;
  /** Amount withheld, positive. */
  readonly retencion?: Campo<bigint>;
  readonly total?: Campo<bigint>;
}

export interface QrTributario {
  readonly nif: string;
  readonly numSerie: string;
  /** `YYYY-MM-DD`. */
  readonly fecha: string;
  readonly importeCents: bigint;
  readonly esVerifactu: boolean;
}

/** What one source says about the whole invoice. */
export interface Reading {
  readonly campos: Campos;
  readonly lineas: readonly Linea[];
  readonly tramos: readonly Tramo[];
  /** Percentage withheld, in hundredths. */
  readonly retencionBps: bigint;
  /** Laid out for the client, if the printed sums include any. */
  readonly suplidosCents?: bigint;
  readonly esRectificativa: boolean;
  readonly impuesto: 'IVA' | 'IGIC' | 'IPSI';
  /** Bases, quotas and total agree with each other. */
  readonly cuadra: boolean;
  /** The currency of the amounts, if it is not the euro: `'USD'`. */
  readonly moneda?: string;
}

/** The worker's answer for a document. */
export interface DocumentReading extends Reading {
  readonly qr: QrTributario | null;
  readonly paginas: number;
  readonly avisos: readonly string[];
}
