import { z } from 'zod';
import { EMPRESAS, guid, METODOS, makeTables, type Row, type Tables, TERMINOS } from './company.ts';

/** The credentials of an application. The tenant may also be given as its domain. */
export const ACCESO = {
  tenant: '0b8f3c52-6d1e-4d3a-9c51-3f7a2e9d4c10',
  dominio: 'arga.example',
  entornos: ['Production', 'Sandbox'],
  clientId: '6f1d2a3b-4c5d-4e6f-8a7b-9c0d1e2f3a4b',
  secreto: 'secreto-de-prueba',
} as const;

const MODOS = ['normal', 'sin-permiso', 'limite', 'averia', 'cortar', 'sesion-caducada'] as const;

/** The body of `POST /desarrollo/business-central/comportamiento`; omitted values stay as they were. */
const Change = z.strictObject({
  /** The result of the next `fallos` calls to the API (all of them while it is null). */
  modo: z.enum(MODOS).optional(),
  fallos: z.number().int().min(0).nullable().optional(),
  /** Calls that still succeed before `modo` begins. */
  tras: z.number().int().min(0).optional(),
  retryAfter: z.number().min(0).max(3600).optional(),
  latenciaMs: z.number().int().min(0).max(60_000).optional(),
  /** Maximum rows of a page, whatever is requested. */
  pagina: z.number().int().min(1).max(20_000).optional(),
  /** Tax number of the company there; empty when it is not given. */
  nif: z.string().optional(),
});
export type Modo = (typeof MODOS)[number];

const TABLES = ['customers', 'items', 'salesInvoices', 'salesCreditMemos'] as const;
const Sizes = z.strictObject({
  clientes: z.number().int().min(1).max(50_000),
  productos: z.number().int().min(1).max(50_000),
  facturas: z.number().int().min(0).max(50_000),
  abonos: z.number().int().min(0).max(50_000).default(0),
});
/** Changes the row with that number, or adds one, including the `lines` of documents. */
const Edit = z.strictObject({
  tabla: z.enum(TABLES),
  number: z.string(),
  como: z.string().optional(),
  /** Seconds since the change, which was invisible until now, when its transaction ended. */
  hace: z.number().min(0).default(0),
  cambios: z.record(z.string(), z.unknown()),
});

export interface Attachment {
  readonly id: string;
  readonly parentId: string;
  readonly parentType: string;
  readonly fileName: string;
  content: string;
}

/** The data of the simulated service, in memory: a restart begins afresh. */
export class BusinessCentralWorld {
  readonly now: () => Date;
  readonly attachments: Attachment[] = [];
  readonly requests: string[] = [];
  tables: Tables;
  modo: Modo = 'normal';
  fallos: number | null = null;
  tras = 0;
  retryAfter = 1;
  latenciaMs = 0;
  pagina = 1000;
  nif = '';
  #edits = 0;

  constructor(now: () => Date) {
    this.now = now;
    this.tables = makeTables({ clientes: 60, productos: 80, facturas: 40, abonos: 2 }, this.now());
  }

  /** @throws {z.ZodError} */
  change(body: unknown): void {
    const given = Change.parse(body);
    if (given.modo !== undefined) this.fallos = null;
    Object.assign(this, given);
  }

  /** @throws {z.ZodError} */
  fill(body: unknown): void {
    this.tables = makeTables(Sizes.parse(body), this.now());
    this.attachments.length = 0;
  }

  /** @throws {z.ZodError} */
  edit(body: unknown): Row {
    const { tabla, number, como, hace, cambios } = Edit.parse(body);
    const rows: Row[] = this.tables[tabla];
    const found = rows.find((row) => row.number === (como ?? number));
    // Each edit is a little later than the last, and never before the existing rows.
    const at = this.now().getTime() - hace * 1000 + this.#edits++;
    const lastModifiedDateTime = new Date(at).toISOString();
    const isNew = found === undefined || como !== undefined;
    const row = {
      ...found,
      ...(isNew && { id: guid(tabla, `${number}:${this.#edits}`) }),
      number,
      ...cambios,
      lastModifiedDateTime,
    } as Row;
    if (!isNew) rows.splice(rows.indexOf(found), 1);
    rows.push(row);
    return row;
  }

  /** The rows of an entity, in the order of their changes; null for an unknown one. */
  rows(entity: string): readonly Record<string, unknown>[] | null {
    switch (entity) {
      case 'customers':
      case 'items':
      case 'salesInvoices':
      case 'salesCreditMemos':
        return this.tables[entity];
      case 'paymentTerms':
        return TERMINOS;
      case 'paymentMethods':
        return METODOS;
      case 'companyInformation':
        return [
          {
            id: guid('informacion', 1),
            displayName: EMPRESAS[0]?.displayName,
            taxRegistrationNumber: this.nif,
          },
        ];
      case 'documentAttachments':
        return this.attachments.map(({ content, ...row }) => ({
          ...row,
          byteSize: content.length,
        }));
      default:
        return null;
    }
  }

  /** The result of the call that has just come in, which counts as one of the `fallos`. */
  takeModo(): Modo {
    if (this.modo === 'normal') return 'normal';
    if (this.tras > 0) {
      this.tras -= 1;
      return 'normal';
    }
    const { modo } = this;
    if (this.fallos !== null) {
      this.fallos -= 1;
      if (this.fallos <= 0) {
        this.modo = 'normal';
        this.fallos = null;
      }
    }
    return modo;
  }
}
