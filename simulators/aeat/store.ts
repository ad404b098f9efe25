import { join } from 'node:path';
import { Journal, type JournalLine, type Position } from './journal.ts';
import { idFacturaOf, type RegistroLeido } from './registro.ts';
import type { RegistroAlta } from './structure-tables.ts';

/** What all registros of one message share. */
export interface Presentacion {
  readonly NIF: string;
  readonly NIFPresentador: string;
  readonly TimestampPresentacion: string;
  readonly IdPeticion: string;
  readonly CSV: string;
  readonly Incidencia?: string | undefined;
  readonly NifRepresentante?: string | undefined;
  readonly FechaFinVeriFactu?: string | undefined;
}

interface Accepted {
  readonly EstadoRegistro: 'Correcto' | 'AceptadoConErrores';
  readonly CodigoErrorRegistro?: number | undefined;
  readonly DescripcionErrorRegistro?: string | undefined;
}

/** An accepted registro, complete, as in the journal. */
export type RegistroGuardado = Accepted & RegistroLeido;

/** What is kept in memory of it; the rest is read from the journal on demand. */
export interface Entry extends Accepted {
  readonly TipoRegistro: 'Alta' | 'Anulacion';
  readonly NumSerieFactura: string;
  readonly FechaExpedicionFactura: string;
  /** `yyyy-mm` of the operation, or of the issue when they are the same. */
  readonly periodo: string;
  readonly ImporteTotal?: string | undefined;
  readonly Huella: string;
  readonly HuellaAnterior: string;
  readonly Subsanacion?: string | undefined;
  readonly RechazoPrevio?: string | undefined;
  readonly presentacion: Presentacion;
  position: Position;
}

interface Obligado {
  /** In order of arrival. */
  readonly entries: Entry[];
  /** The latest registro of each invoice. */
  readonly latest: Map<string, Entry>;
  /** Known installations, to detect a PrimerRegistro that is not the first. */
  readonly sistemas: Set<string>;
}

const UNWRITTEN: Position = { offset: -1, length: 0 };

/** What the simulated AEAT holds. Survives restarts and `kill -9`: see {@link Journal}. */
export class Store {
  readonly #obligados = new Map<string, Obligado>();
  #journal!: Journal;
  /** Added but not yet committed, with the text of its line. */
  #added: { entry: Entry; text: string }[] = [];

  static async open(dir: string): Promise<Store> {
    const store = new Store();
    store.#journal = await Journal.open(join(dir, 'registros.jsonl'), (cabecera, lines) => {
      for (const line of lines) store.#replay(cabecera as Presentacion, line);
    });
    return store;
  }

  /** The situation of an invoice: its latest registro, if there is one. */
  latest(nif: string, numSerie: string, fecha: string): Entry | undefined {
    return this.#obligados.get(nif)?.latest.get(invoiceKey(numSerie, fecha));
  }

  isLatest(entry: Entry): boolean {
    const { NumSerieFactura, FechaExpedicionFactura, presentacion } = entry;
    return this.latest(presentacion.NIF, NumSerieFactura, FechaExpedicionFactura) === entry;
  }

  knowsSistema(nif: string, registro: Pick<RegistroAlta, 'SistemaInformatico'>): boolean {
    return this.#obligados.get(nif)?.sistemas.has(sistemaKey(registro)) ?? false;
  }

  entries(nif: string): readonly Entry[] {
    return this.#obligados.get(nif)?.entries ?? [];
  }

  obligados(): string[] {
    return [...this.#obligados.keys()];
  }

  /** Visible at once to the next registro of the message; on disk after {@link commit}. */
  add(presentacion: Presentacion, guardado: RegistroGuardado): void {
    const text = JSON.stringify(guardado);
    // Parsed back so that memory contains what a restart would load, and not slices of the request.
    const entry = this.#index(presentacion, JSON.parse(text), UNWRITTEN);
    this.#added.push({ entry, text });
  }

  /** Writes what was added as one group: all of a message or nothing. */
  async commit(presentacion: Presentacion): Promise<void> {
    const added = this.#added;
    if (added.length === 0) return;
    this.#added = [];
    const lines = added.map(({ text }) => text);
    const { positions, durable } = this.#journal.append(presentacion, lines);
    for (const [at, position] of positions.entries()) {
      const { entry } = added[at] as (typeof added)[number];
      entry.position = position;
    }
    await durable;
  }

  async read(entry: Entry): Promise<RegistroGuardado> {
    return JSON.parse(await this.#journal.read(entry.position));
  }

  async clear(): Promise<void> {
    await this.#journal.clear();
    this.#obligados.clear();
  }

  close(): Promise<void> {
    return this.#journal.close();
  }

  #replay(presentacion: Presentacion, { text, position }: JournalLine): void {
    this.#index(presentacion, JSON.parse(text), position);
  }

  #index(presentacion: Presentacion, guardado: RegistroGuardado, position: Position): Entry {
    const obligado = this.#obligadoOf(presentacion.NIF);
    const previous = obligado.entries.at(-1);
    const entry = entryOf(presentacion, guardado, position, previous?.Huella);
    obligado.entries.push(entry);
    obligado.latest.set(invoiceKey(entry.NumSerieFactura, entry.FechaExpedicionFactura), entry);
    obligado.sistemas.add(sistemaKey(guardado.registro));
    return entry;
  }

  #obligadoOf(nif: string): Obligado {
    let obligado = this.#obligados.get(nif);
    if (!obligado) {
      obligado = { entries: [], latest: new Map(), sistemas: new Set() };
      this.#obligados.set(nif, obligado);
    }
    return obligado;
  }
}

/** @param sharedHuella the same text already in memory, most times the previous huella. */
function entryOf(
  presentacion: Presentacion,
  guardado: RegistroGuardado,
  position: Position,
  sharedHuella: string | undefined,
): Entry {
  const { TipoRegistro, registro } = guardado;
  const { NumSerieFactura, FechaExpedicionFactura } = idFacturaOf(guardado);
  const alta = TipoRegistro === 'Alta' ? registro : undefined;
  const anterior = registro.Encadenamiento.RegistroAnterior?.Huella ?? '';
  return {
    TipoRegistro,
    NumSerieFactura,
    FechaExpedicionFactura,
    periodo: periodoOf(alta?.FechaOperacion ?? FechaExpedicionFactura),
    ImporteTotal: alta?.ImporteTotal,
    EstadoRegistro: guardado.EstadoRegistro,
    CodigoErrorRegistro: guardado.CodigoErrorRegistro,
    DescripcionErrorRegistro: guardado.DescripcionErrorRegistro,
    Huella: registro.Huella,
    HuellaAnterior: anterior === sharedHuella ? sharedHuella : anterior,
    Subsanacion: alta?.Subsanacion,
    RechazoPrevio: registro.RechazoPrevio,
    presentacion,
    position,
  };
}

/** `20-11-2026` → `2026-11` */
function periodoOf(fecha: string): string {
  return `${fecha.slice(6)}-${fecha.slice(3, 5)}`;
}

function invoiceKey(numSerie: string, fecha: string): string {
  return `${fecha} ${numSerie}`;
}

/** A SIF is its producer, its code and its installation; the version is not part of it. */
function sistemaKey({ SistemaInformatico: sistema }: Pick<RegistroAlta, 'SistemaInformatico'>) {
  const productor = sistema.NIF ?? `${sistema.IDOtro?.CodigoPais ?? ''}${sistema.IDOtro?.ID}`;
  return `${productor} ${sistema.IdSistemaInformatico} ${sistema.NumeroInstalacion}`;
}
