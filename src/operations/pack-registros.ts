import { hash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { csvLine } from '../domain/spreadsheet-text.ts';
import { type CabeceraEnvio, regFactuDocument } from '../domain/verifactu/xml.ts';
import {
  type AnsweredRegistro,
  type AnsweredXml,
  eachAnsweredBetween,
  nextSeqAfter,
} from '../store/registros.ts';
import type { Sql } from '../store/sql.ts';
import { MemberPacker, type PackedMembers } from './zip-writer.ts';

/** Positions in a cadena, both included. */
export interface SeqRange {
  readonly fromSeq: bigint;
  readonly toSeq: bigint;
}

/** Registros to be packed into a ZIP. */
export interface RegistrosToPack {
  readonly companyId: number;
  readonly obligado: CabeceraEnvio['ObligadoEmision'];
  readonly range: SeqRange;
  /** The date given to every file. */
  readonly modified: Date;
  /** The file that collects the lines of the manifest: each registro adds its own. */
  readonly manifestPath: string;
}

/** Registros per file. */
const PER_FILE = 50;
/** Positions read at a time, in whole files: some hundredths of a second of work. */
const PLACES = 40 * PER_FILE;

/**
 * The files of the registros, a piece at a time. The manifest's lines for a piece are written before the piece is
 * given. Nothing is read ahead, so a slow download holds nothing in memory.
 */
export async function* packCadena(
  sql: Sql,
  question: RegistrosToPack,
): AsyncGenerator<PackedMembers> {
  const { companyId, range } = question;
  const packer = new RegistrosPacker(question);
  const manifest = await open(question.manifestPath, 'a');
  const lastSeq = Number(range.toSeq);
  try {
    for (let afterSeq = Number(range.fromSeq) - 1; afterSeq < lastSeq; ) {
      const toSeq = Math.min(afterSeq - (afterSeq % PLACES) + PLACES, lastSeq);
      await sql.begin((tx) =>
        eachAnsweredBetween(tx, companyId, afterSeq, toSeq, (one) => packer.add(one)),
      );
      const { lines, ...members } = packer.take();
      afterSeq = toSeq;
      await manifest.writeFile(lines);
      if (members.files.length > 0) yield members;
      // A gap of any length is jumped over, not walked through: one that long was not left in good faith.
      else afterSeq = ((await nextSeqAfter(sql, companyId, toSeq)) ?? lastSeq + 1) - 1;
    }
  } finally {
    await manifest.close();
  }
}

export interface PackedRegistros extends PackedMembers {
  /** Lines of the manifest, in UTF-8. Valid until the next registro is packed. */
  readonly lines: Uint8Array;
}

/**
 * Packs a file for each fifty positions of the cadena: the document that a message to the AEAT with those registros
 * would hold, with each of them exactly as it is stored. Registros resemble each other: compressed together they take
 * a fifteenth of the room that they would take one by one, and less time.
 */
export class RegistrosPacker {
  readonly #range: SeqRange;
  readonly #members: MemberPacker;
  readonly #start: Buffer;
  readonly #end: Buffer;
  /** Of the file being written. */
  readonly #document = new GrowingText();
  #registros: AnsweredRegistro[] = [];
  readonly #lines = new GrowingText();

  constructor({
    obligado,
    range,
    modified,
  }: Pick<RegistrosToPack, 'obligado' | 'range' | 'modified'>) {
    const { start, end } = regFactuDocument({ ObligadoEmision: obligado });
    [this.#start, this.#end] = [Buffer.from(start), Buffer.from(end)];
    this.#range = range;
    this.#members = new MemberPacker(modified);
  }

  /** Adds the next registro of the cadena. */
  add({ registro, xml }: AnsweredXml): void {
    const last = this.#registros.at(-1);
    if (last && !isOfTheSameFile(last, registro)) this.#endFile();
    if (this.#registros.length === 0) this.#document.add(this.#start);
    this.#document.add(xml);
    this.#registros.push(registro);
  }

  /** Everything since the last call. Closes the last file. */
  take(): PackedRegistros {
    if (this.#registros.length > 0) this.#endFile();
    return { ...this.#members.take(), lines: this.#lines.take() };
  }

  #endFile(): void {
    this.#document.add(this.#end);
    const content = this.#document.take();
    const name = fileNameOf(this.#registros, this.#range.toSeq);
    const sha256 = hash('sha256', content, 'hex');
    const lines = this.#registros.map((registro) => manifestLine(registro, name, sha256));
    this.#lines.add(Buffer.from(lines.join('')));
    this.#members.add(name, content);
    this.#registros = [];
  }
}

/** One buffer is reused throughout: discarded ones would stay until the garbage collector runs. */
class GrowingText {
  #memory = Buffer.alloc(0);
  #length = 0;

  add(bytes: Uint8Array): void {
    const length = this.#length + bytes.length;
    if (length > this.#memory.length) {
      const longer = Buffer.allocUnsafeSlow(2 * length);
      longer.set(this.#memory.subarray(0, this.#length));
      this.#memory = longer;
    }
    this.#memory.set(bytes, this.#length);
    this.#length = length;
  }

  /** What was added so far. Valid until the next addition. */
  take(): Buffer {
    const taken = this.#memory.subarray(0, this.#length);
    this.#length = 0;
    return taken;
  }
}

/** Positions in a file are consecutive, as its name implies: a missing one starts another file. */
function isOfTheSameFile(last: AnsweredRegistro, next: AnsweredRegistro): boolean {
  return next.seq === last.seq + 1 && last.seq % PER_FILE > 0;
}

/** `registros/000051-000100.xml`: sorting by name gives the order of the cadena. */
function fileNameOf(registros: readonly AnsweredRegistro[], toSeq: bigint): string {
  const [first, last] = [registros[0]?.seq ?? 0, registros.at(-1)?.seq ?? 0];
  return `registros/${place(first, toSeq)}-${place(last, toSeq)}.xml`;
}

/** Padded to the width of the last one of the export, at least six digits. */
export function place(seq: bigint | number, toSeq: bigint): string {
  return String(seq).padStart(Math.max(6, String(toSeq).length), '0');
}

/** Columns of the manifest. */
export const COLUMNS = [
  ...['Secuencia', 'Tipo', 'NumSerieFactura', 'FechaExpedicionFactura', 'Huella'],
  ...['HuellaAnterior', 'FechaHoraHusoGenRegistro', 'EstadoRegistro', 'CodigoErrorRegistro'],
  ...['CSV', 'Archivo', 'SHA-256'],
];

/** The manifest's line for a file that is no registro. */
export function manifestLineOf(tipo: string, name: string, content: Uint8Array): string {
  const known = new Map([
    ['Tipo', tipo],
    ['Archivo', name],
    ['SHA-256', hash('sha256', content, 'hex')],
  ]);
  return csvLine(COLUMNS.map((column) => known.get(column) ?? ''));
}

function manifestLine(registro: AnsweredRegistro, name: string, sha256: string): string {
  return csvLine([
    String(registro.seq),
    registro.TipoRegistro,
    registro.NumSerieFactura,
    registro.FechaExpedicionFactura,
    registro.Huella,
    registro.HuellaAnterior,
    registro.FechaHoraHusoGenRegistro,
    registro.EstadoRegistro || (registro.isWithheld ? 'No enviada a la AEAT' : 'En espera'),
    registro.CodigoErrorRegistro,
    registro.CSV,
    name,
    sha256,
  ]);
}
