import { hash } from 'node:crypto';
import { csvLine } from '../domain/spreadsheet-text.ts';
import { type CabeceraEnvio, regFactuDocument } from '../domain/verifactu/xml.ts';
import {
  type AnsweredRegistro,
  type AnsweredRegistros,
  answeredOf,
  answeredRegistrosBetween,
} from '../store/registros.ts';
import type { Sql } from '../store/sql.ts';
import { readAhead } from './read-ahead.ts';
import { type PackedMembers, packMembers } from './zip-writer.ts';

/** Places of a cadena, both included. */
export interface SeqRange {
  readonly fromSeq: bigint;
  readonly toSeq: bigint;
}

/** Registros to be put into a ZIP. */
export interface RegistrosToPack {
  readonly companyId: number;
  readonly obligado: CabeceraEnvio['ObligadoEmision'];
  readonly range: SeqRange;
  /** What every file says as its date. */
  readonly modified: Date;
}

export interface PackedRegistros extends PackedMembers {
  /** Their lines of the manifest, in UTF-8. */
  readonly lines: Uint8Array<ArrayBuffer>;
}

/** The files of the registros, and what the manifest says of each, some after others. */
export async function* packCadena(
  sql: Sql,
  question: RegistrosToPack,
): AsyncGenerator<PackedRegistros> {
  const { companyId, range } = question;
  const places = { afterSeq: Number(range.fromSeq - 1n), lastSeq: Number(range.toSeq) };
  const read = (afterSeq: number, toSeq: number) =>
    answeredRegistrosBetween(sql, companyId, afterSeq, toSeq);
  for await (const batch of readAhead(sql, companyId, places, read)) {
    yield packRegistros(batch, question);
  }
}

/**
 * A file for each piece of the cadena: the document that a message of the AEAT with its registros would hold, and
 * in it each of them as it is kept. They resemble each other, so that they deflate, together, to a fifteenth of
 * what they take one by one, and sooner.
 */
export function packRegistros(
  batch: readonly AnsweredRegistros[],
  { obligado, range, modified }: Pick<RegistrosToPack, 'obligado' | 'range' | 'modified'>,
): PackedRegistros {
  const { start, end } = regFactuDocument({ ObligadoEmision: obligado });
  const [before, behind] = [Buffer.from(start), Buffer.from(end)];
  const lines: string[] = [];
  const files = function* () {
    for (const { registros, xml } of batch.flatMap(withoutGaps)) {
      const name = fileNameOf(registros, range.toSeq);
      const content = joined([before, xml, behind]);
      const sha256 = hash('sha256', content, 'hex');
      for (const registro of registros) lines.push(manifestLine(registro, name, sha256));
      yield { name, content };
    }
  };
  return { ...packMembers(files(), modified), lines: new TextEncoder().encode(lines.join('')) };
}

/** The same memory for every file: what is thrown away would lie there until somebody looked. */
let scratch = Buffer.alloc(0);

/** @returns those bytes, until the next ones are joined */
function joined(pieces: readonly Uint8Array[]): Buffer {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  if (scratch.length < length) scratch = Buffer.allocUnsafeSlow(2 * length);
  let at = 0;
  for (const piece of pieces) {
    scratch.set(piece, at);
    at += piece.length;
  }
  return scratch.subarray(0, length);
}

interface Piece {
  readonly registros: readonly [AnsweredRegistro, ...AnsweredRegistro[]];
  /** Of all of them, one behind the other. */
  readonly xml: Uint8Array;
}

/** In a file the places follow each other, as its name says: one that is missing parts it. */
function withoutGaps(piece: AnsweredRegistros): Piece[] {
  const pieces: Piece[] = [];
  let registros: AnsweredRegistro[] = [];
  let [from, to] = [0, 0];
  const end = () => {
    const [first, ...others] = registros;
    if (first) pieces.push({ registros: [first, ...others], xml: piece.xml.subarray(from, to) });
    [registros, from] = [[], to];
  };
  for (const registro of answeredOf(piece)) {
    const last = registros.at(-1);
    if (last && registro.seq !== last.seq + 1n) end();
    registros.push(registro);
    to += registro.xmlLength;
  }
  if (to !== piece.xml.length) throw new Error('The database does not keep its texts in UTF-8.');
  end();
  return pieces;
}

/** `registros/000051-000100.xml`: in the order of the cadena when sorted by name. */
function fileNameOf(registros: Piece['registros'], toSeq: bigint): string {
  const last = registros.at(-1) ?? registros[0];
  return `registros/${place(registros[0].seq, toSeq)}-${place(last.seq, toSeq)}.xml`;
}

/** As wide as the last one of the export, six digits at least. */
export function place(seq: bigint, toSeq: bigint): string {
  return String(seq).padStart(Math.max(6, String(toSeq).length), '0');
}

/** Of the manifest. */
export const COLUMNS = [
  ...['Secuencia', 'Tipo', 'NumSerieFactura', 'FechaExpedicionFactura', 'Huella'],
  ...['HuellaAnterior', 'FechaHoraHusoGenRegistro', 'EstadoRegistro', 'CodigoErrorRegistro'],
  ...['CSV', 'Archivo', 'SHA-256'],
];

/** Of a file that is no registro. */
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
    registro.EstadoRegistro ?? 'En espera',
    String(registro.CodigoErrorRegistro ?? ''),
    registro.CSV ?? '',
    name,
    sha256,
  ]);
}
