import type { VerificarCadenaAnswer } from '../contract/evidence.ts';
import { areTextos, BETWEEN, type TextosLlanos, textosAt } from '../domain/verifactu/leer-llano.ts';
import { CadenaVerifier, ILEGIBLE, verifyRegistro } from '../domain/verifactu/verificar.ts';
import {
  type CadenaEnds,
  eachKeptBetween,
  type KeptRegistro,
  keptColumns,
  nextSeqAfter,
  numberInColumns,
} from '../store/registros.ts';
import type { Sql } from '../store/sql.ts';

/** The owner of the cadena, and the positions at which each of its installations after the first began. */
export interface OwnerOfCadena {
  readonly nif: string;
  readonly firsts: ReadonlyMap<number, string>;
}

export interface CadenaToCheck {
  readonly companyId: number;
  readonly owner: OwnerOfCadena;
  /** Where the cadena ended when this check began. */
  readonly ends: CadenaEnds;
}

export interface CadenaProgress {
  /** Checked so far. */
  readonly registros: number;
  /** Only at the end. */
  readonly resultado?: VerificarCadenaAnswer;
}

/**
 * Positions read at a time: some tenths of a second of work. After each stretch, reader and checker wait for each
 * other.
 */
const PLACES = 32_000;

/**
 * Reads and checks a company's whole cadena (`CadenaCheck`), reporting progress.
 *
 * Registros are final and the cadena only grows, so no lock is needed: it checks up to where the head was when it
 * began (Orden HAC/1177/2024 art. 7; RD 1007/2023 art. 8.2.c).
 */
export async function* checkCadena(
  sql: Sql,
  { companyId, owner, ends }: CadenaToCheck,
): AsyncGenerator<CadenaProgress> {
  const check = new CadenaCheck(owner);
  const lastSeq = Number(ends.lastSeq);
  for (let afterSeq = 0; afterSeq < lastSeq; ) {
    const before = check.registros;
    const toSeq = Math.min(afterSeq + PLACES, lastSeq);
    await sql.begin((tx) =>
      eachKeptBetween(tx, companyId, afterSeq, toSeq, (registro) => check.add(registro)),
    );
    afterSeq = toSeq;
    if (check.registros > before) yield { registros: check.registros };
    // A gap of any length is jumped over, not walked through: one that long was not left in good faith.
    else afterSeq = ((await nextSeqAfter(sql, companyId, toSeq)) ?? lastSeq + 1) - 1;
  }
  yield { registros: check.registros, resultado: check.finish(ends) };
}

/**
 * Checks the stored cadena of a company, some registros at a time: the huella of each from its XML, its link, what is
 * stored beside the XML, and the head that the next registro will be linked to (Orden HAC/1177/2024 art. 7; RD
 * 1007/2023 art. 8.2.c).
 *
 * Most registros are checked directly as bytes (`CadenaVerifier.addPlain`). Any that is not evidently right is parsed
 * in full, which also shows what is wrong with it.
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

  add(registro: KeptRegistro): void {
    const { seq, bytes, xmlStart, xmlEnd } = registro;
    this.#registros += 1;
    if (seq !== this.#lastSeq + 1) {
      this.#breakAt(registro, `Falta el registro que iba en el lugar ${this.#lastSeq + 1}.`);
    }
    this.#lastSeq = seq;
    const read = this.#verifier.addPlain(bytes, xmlStart, xmlEnd);
    if (read) this.#checkPlain(registro, read);
    else this.#checkInFull(registro);
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

  /** Its issuer is the same as that of the one before it, which has been checked. */
  #checkPlain(registro: KeptRegistro, read: TextosLlanos): void {
    if (this.#owner.firsts.has(registro.seq)) this.#breakAt(registro, OTHER_START);
    if (!isKeptBeside(registro, read)) this.#breakAt(registro, OTHER_COLUMNS);
  }

  #checkInFull(registro: KeptRegistro): void {
    const { seq, bytes, columnsStart, columnsEnd, xmlStart, xmlEnd } = registro;
    const leido = verifyRegistro(bytes.toString('utf8', xmlStart, xmlEnd));
    if (!leido) {
      this.#breakAt(registro, ILEGIBLE);
      return;
    }
    this.#verifier.add(leido);
    const { nif, firsts } = this.#owner;
    const isFirst = leido.RegistroAnterior === null && seq > 1;
    if (isFirst !== firsts.has(seq) || (isFirst && firsts.get(seq) !== leido.NumeroInstalacion)) {
      this.#breakAt(registro, OTHER_START);
    }
    const columns = bytes.toString('utf8', columnsStart, columnsEnd);
    if (keptColumns(leido, leido.RegistroAnterior?.Huella ?? '') !== columns) {
      this.#breakAt(registro, OTHER_COLUMNS);
    }
    if (leido.IDEmisorFactura !== nif) {
      this.#breakAt(registro, `Su emisor (${leido.IDEmisorFactura}) no es tu empresa.`);
    }
  }

  #breakAt({ bytes, columnsStart, columnsEnd }: KeptRegistro, motivo: string): void {
    const columns = bytes.toString('utf8', columnsStart, columnsEnd);
    this.#verifier.breakAt(numberInColumns(columns), motivo);
  }

  /** Registros cut off at the end leave no gap: only the head of the cadena reveals them. */
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

const OTHER_START = 'Empieza una cadena donde no consta que empezara una instalación, o al revés.';
const OTHER_COLUMNS = 'Lo guardado junto al registro no es lo que dice su XML.';

/** The columns that `keptColumns` joins after the kind of registro. */
const COLUMNS = [
  ...['FechaHoraHusoGenRegistro', 'Huella', 'Encadenamiento/RegistroAnterior/Huella'],
];
const TEXTOS_OF_COLUMNS = {
  Alta: textosAt('Alta', [
    ...['IDFactura/NumSerieFactura', 'IDFactura/FechaExpedicionFactura', ...COLUMNS],
  ]),
  Anulacion: textosAt('Anulacion', [
    ...['IDFactura/NumSerieFacturaAnulada', 'IDFactura/FechaExpedicionFacturaAnulada', ...COLUMNS],
  ]),
};

/** Compares the bytes with `keptColumns`. */
function isKeptBeside(
  { bytes, columnsStart, columnsEnd }: KeptRegistro,
  read: TextosLlanos,
): boolean {
  const { TipoRegistro } = read;
  let at = columnsStart;
  for (let i = 0; i < TipoRegistro.length; i++) {
    if (bytes[at++] !== TipoRegistro.charCodeAt(i)) return false;
  }
  if (bytes[at++] !== BETWEEN.charCodeAt(0)) return false;
  return areTextos(read, TEXTOS_OF_COLUMNS[TipoRegistro], bytes, at, columnsEnd);
}
