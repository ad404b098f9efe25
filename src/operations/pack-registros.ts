import { hash } from 'node:crypto';
import { csvLine } from '../domain/spreadsheet-text.ts';
import { registroDocument } from '../domain/verifactu/xml.ts';
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
  readonly range: SeqRange;
  /** What every file says as its date. */
  readonly modified: Date;
}

export interface PackedRegistros extends PackedMembers {
  /** Their lines of the manifest. */
  readonly lines: string;
}

/** For files of a few kilobytes: what zlib sets up for big ones costs more than they do. */
const DEFLATING = { level: 3, windowBits: 12, memLevel: 5, chunkSize: 4096 };

/** The file of each registro, and what the manifest says of it, some after others. */
export async function* packCadena(
  sql: Sql,
  { companyId, range: { fromSeq, toSeq }, modified }: RegistrosToPack,
): AsyncGenerator<PackedRegistros> {
  const places = { afterSeq: Number(fromSeq - 1n), lastSeq: Number(toSeq) };
  const read = async (afterSeq: number, last: number) => {
    const registros = await answeredRegistrosBetween(sql, companyId, afterSeq, last);
    return { isEmpty: registros.rows.length === 0, registros };
  };
  for await (const { registros } of readAhead(sql, companyId, places, read)) {
    yield packRegistros(registros, toSeq, modified);
  }
}

/** @param toSeq of the last one of the export: as wide as it are the places of all in their names */
export function packRegistros(
  batch: AnsweredRegistros,
  toSeq: bigint,
  modified: Date,
): PackedRegistros {
  const { xml } = batch;
  const bytes = Buffer.from(xml.buffer, xml.byteOffset, xml.byteLength);
  const lines: string[] = [];
  const files = function* () {
    let at = 0;
    for (const registro of answeredOf(batch)) {
      // As bytes, one character each: what is put before them is of ASCII.
      const fragment = bytes.toString('latin1', at, at + registro.xmlLength);
      const content = Buffer.from(registroDocument(fragment), 'latin1');
      at += registro.xmlLength;
      const name = fileNameOf(registro, toSeq);
      lines.push(manifestLine(registro, name, hash('sha256', content, 'hex')));
      yield { name, content };
    }
    if (at !== xml.length) throw new Error('The database does not keep its texts in UTF-8.');
  };
  return { ...packMembers(files(), modified, DEFLATING), lines: lines.join('') };
}

/** `registros/000001-00001-26-alta.xml`: in the order of the cadena when sorted by name. */
function fileNameOf(registro: AnsweredRegistro, toSeq: bigint): string {
  const numero = registro.NumSerieFactura.replace(/[^A-Za-z0-9._-]+/g, '-');
  return `registros/${place(registro.seq, toSeq)}-${numero}-${registro.TipoRegistro.toLowerCase()}.xml`;
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
