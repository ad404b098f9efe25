import type { VerificarCadenaAnswer } from '../contract/evidence.ts';
import {
  CadenaVerifier,
  ILEGIBLE,
  type RegistroLeido,
  verifyRegistro,
} from '../domain/verifactu/verificar.ts';
import {
  type CadenaEnds,
  type KeptRegistros,
  keptColumns,
  keptRegistrosBetween,
  numberInColumns,
} from '../store/registros.ts';
import type { Sql } from '../store/sql.ts';
import { readAhead } from './read-ahead.ts';

/** Whose cadena it is, and in which places, the first apart, an installation of his began. */
export interface OwnerOfCadena {
  readonly nif: string;
  readonly firsts: ReadonlyMap<number, string>;
}

export interface CadenaToCheck {
  readonly companyId: number;
  readonly owner: OwnerOfCadena;
  /** Where it ended when this began. */
  readonly ends: CadenaEnds;
}

export interface CadenaProgress {
  /** Checked so far. */
  readonly registros: number;
  /** At the end. */
  readonly resultado?: VerificarCadenaAnswer;
}

/**
 * Reads a company's whole cadena and checks it (`CadenaCheck`), telling how far it is.
 *
 * Registros are final and the cadena only grows, so it needs no lock: it checks as far as the head
 * stood when it began (Orden HAC/1177/2024 art. 7; RD 1007/2023 art. 8.2.c).
 */
export async function* checkCadena(
  sql: Sql,
  { companyId, owner, ends }: CadenaToCheck,
): AsyncGenerator<CadenaProgress> {
  const check = new CadenaCheck(owner);
  const places = { afterSeq: 0, lastSeq: Number(ends.lastSeq) };
  const read = async (afterSeq: number, toSeq: number) => {
    return keptRegistrosBetween(sql, companyId, afterSeq, toSeq);
  };
  for await (const batch of readAhead(sql, companyId, places, read)) {
    for (const registros of batch) check.add(registros);
    yield { registros: check.registros };
  }
  yield { registros: check.registros, resultado: check.finish(ends) };
}

/**
 * Checks a company's cadena as it is kept, some registros after others: the huella of each from its XML, its
 * link, what is stored beside the XML, and the head that the next registro will be linked to
 * (Orden HAC/1177/2024 art. 7; RD 1007/2023 art. 8.2.c).
 *
 * Most registros are checked as the bytes that they are (`CadenaVerifier.addPlain`); any that is not
 * plainly right is read in full, which also says what is wrong with it.
 */
class CadenaCheck {
  readonly #owner: OwnerOfCadena;
  readonly #verifier = new CadenaVerifier({ fromFirst: true });
  #registros = 0;
  #lastSeq = 0;

  constructor(owner: OwnerOfCadena) {
    this.#owner = owner;
  }

  get registros(): number {
    return this.#registros;
  }

  add({ seqs, columns, columnsLengths, xml, xmlLengths }: KeptRegistros): void {
    if (sum(columnsLengths) !== columns.length || sum(xmlLengths) !== xml.length) {
      throw new Error('The database does not keep its texts in UTF-8.');
    }
    const [columnsBytes, xmlBytes] = [inBuffer(columns), inBuffer(xml)];
    let [columnsAt, xmlAt] = [0, 0];
    for (let i = 0; i < seqs.length; i++) {
      const columnsEnd = columnsAt + (columnsLengths[i] ?? 0);
      const xmlEnd = xmlAt + (xmlLengths[i] ?? 0);
      this.#check(
        seqs[i] ?? 0,
        columnsBytes.toString('utf8', columnsAt, columnsEnd),
        xmlBytes.toString('latin1', xmlAt, xmlEnd),
      );
      [columnsAt, xmlAt] = [columnsEnd, xmlEnd];
    }
    this.#registros += seqs.length;
  }

  finish(ends: CadenaEnds): VerificarCadenaAnswer {
    const verifier = this.#verifier;
    this.#checkHead(ends);
    return {
      registros: this.#registros,
      correcta: verifier.primeraRotura === null,
      ...(verifier.last && { Huella: verifier.last.Huella }),
      ...(verifier.instalaciones > 1 && { instalaciones: verifier.instalaciones }),
      ...(verifier.primeraRotura && { primeraRotura: verifier.primeraRotura }),
    };
  }

  /** @param bytes of the XML, one character each */
  #check(seq: number, columns: string, bytes: string): void {
    const verifier = this.#verifier;
    const breakHere = (motivo: string) => verifier.breakAt(numberInColumns(columns), motivo);
    if (seq !== this.#lastSeq + 1) {
      breakHere(`Falta el registro que iba en el lugar ${this.#lastSeq + 1}.`);
    }
    this.#lastSeq = seq;
    const leido = verifier.addPlain(bytes) ?? this.#addInFull(bytes);
    if (!leido) {
      breakHere(ILEGIBLE);
      return;
    }
    const { nif, firsts } = this.#owner;
    const isFirst = leido.RegistroAnterior === null && seq > 1;
    if (isFirst !== firsts.has(seq) || (isFirst && firsts.get(seq) !== leido.NumeroInstalacion)) {
      breakHere('Empieza una cadena donde no consta que empezara una instalación, o al revés.');
    }
    if (keptColumns(leido, leido.RegistroAnterior?.Huella ?? '') !== columns) {
      breakHere('Lo guardado junto al registro no es lo que dice su XML.');
    }
    if (leido.IDEmisorFactura !== nif) {
      breakHere(`Su emisor (${leido.IDEmisorFactura}) no es tu empresa.`);
    }
  }

  #addInFull(bytes: string): RegistroLeido | null {
    const leido = verifyRegistro(Buffer.from(bytes, 'latin1').toString());
    if (leido) this.#verifier.add(leido);
    return leido;
  }

  /** Registros cut off at the end leave no gap behind them: only the head knows of them. */
  #checkHead(ends: CadenaEnds): void {
    const { last } = this.#verifier;
    const isWhole = ends.headSeq === ends.lastSeq && ends.headHuella === (last?.Huella ?? '');
    if (isWhole) return;
    this.#verifier.breakAt(
      last?.NumSerieFactura ?? '',
      ends.headSeq > ends.lastSeq
        ? `Tras este registro faltan ${ends.headSeq - ends.lastSeq}: la cadena llegaba más lejos.`
        : 'El final de la cadena no es este registro, que es el último que hay.',
    );
  }
}

function sum(lengths: readonly number[]): number {
  return lengths.reduce((total, length) => total + length, 0);
}

/** The same bytes. */
function inBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
