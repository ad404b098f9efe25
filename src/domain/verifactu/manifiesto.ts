/** Compares the list of files in an export (`manifiesto.csv`) with the files themselves. */

import { csvText } from '../spreadsheet-text.ts';
import { trim } from './huella.ts';
import { DUPLICADO, type RespuestaLinea, type RespuestaSuministro } from './respuesta.ts';
import type { RegistroLeido } from './verificar.ts';

/** The content of a line, by the names of the columns. */
type Fila = ReadonlyMap<string, string>;

export class Manifiesto {
  /** Lines without a file and SHA-256, or that repeat a file of another line. */
  readonly malas: readonly string[];
  readonly #columns: readonly string[];
  /** By file, the lines of its registros as text: a million of them split into cells would not fit in memory. */
  readonly #files = new Map<string, { readonly sha256: string; readonly registros: string[] }>();
  /** The same lines by their `Secuencia`. */
  readonly #bySeq = new Map<string, string>();
  /** For each line that an answer concerns, how the two differ; null when they agree. */
  readonly #answered = new Map<string, string | null>();

  constructor(text: string) {
    const [head = '', ...lines] = text.split('\r\n');
    this.#columns = cellsOf(head);
    const malas: string[] = [];
    for (const line of lines) {
      if (line === '') continue;
      if (!this.#add(line)) malas.push(line);
    }
    this.malas = malas;
  }

  /** @returns whether the line makes sense */
  #add(line: string): boolean {
    const [, file = '', sha256 = ''] = FILE_AND_SHA.exec(line) ?? [];
    const isOfRegistro = file.startsWith('registros/');
    const known = this.#files.get(file);
    const seq = line.slice(0, line.indexOf(';'));
    if (file === '' || (isOfRegistro && this.#bySeq.has(seq))) return false;
    // Only registros share a file.
    if (known && !(isOfRegistro && known.sha256 === sha256)) return false;
    if (isOfRegistro) this.#bySeq.set(seq, line);
    if (known) known.registros.push(line);
    else this.#files.set(file, { sha256, registros: isOfRegistro ? [line] : [] });
    return true;
  }

  has(file: string): boolean {
    return this.#files.has(file);
  }

  /** Listed files that are missing. */
  missingFrom(files: ReadonlySet<string>): string[] {
    return [...this.#files.keys()].filter((file) => !files.has(file));
  }

  /** What is wrong with the bytes of a file, or null. */
  problemOfFile(file: string, sha256: string): string | null {
    const known = this.#files.get(file);
    if (!known) return 'No está en el manifiesto.';
    return known.sha256 === sha256 ? null : 'No es el archivo del manifiesto: su SHA-256 es otro.';
  }

  /**
   * Where the manifest disagrees with the registros of a file: first the listed ones, then their number. Nothing for
   * a file without registros, or one that is not listed.
   *
   * @param leidos null for one that cannot be read
   */
  problemsOfRegistros(file: string, leidos: readonly (RegistroLeido | null)[]): string[] {
    const listed = this.#files.get(file)?.registros ?? [];
    if (listed.length === 0 || leidos.length === 0) return [];
    const problems = leidos
      .slice(0, listed.length)
      .map((leido, index) => leido && this.#problemOfRegistro(file, index, leido))
      .filter((problem) => problem !== null);
    if (leidos.length === listed.length) return problems;
    return [
      ...problems,
      `El manifiesto dice que los registros que hay en él son ${listed.length}, y son ${leidos.length}.`,
    ];
  }

  /**
   * Where the line of a registro disagrees with its XML, or null.
   *
   * @param index of the registro in its file
   */
  #problemOfRegistro(file: string, index: number, leido: RegistroLeido): string | null {
    const fila = this.#filaOf(this.#files.get(file)?.registros[index] ?? '');
    const Secuencia = seqOf(file, index);
    const said: Readonly<Record<string, string>> = {
      Secuencia,
      Tipo: leido.TipoRegistro,
      NumSerieFactura: leido.NumSerieFactura,
      FechaExpedicionFactura: leido.FechaExpedicionFactura,
      Huella: leido.Huella,
      HuellaAnterior: leido.RegistroAnterior?.Huella ?? '',
      FechaHoraHusoGenRegistro: leido.FechaHoraHusoGenRegistro,
    };
    const wrong = Object.keys(said).find((name) => !says(fila, name, said[name] ?? ''));
    return wrong === undefined
      ? null
      : `El manifiesto dice otra cosa del registro ${Secuencia}: ${wrong} es «${fila.get(wrong) ?? ''}», y en el archivo «${said[wrong]}».`;
  }

  /**
   * Adds an answer of the AEAT, to be reported at the end by `respuestasProblems`.
   *
   * @param file its name says which registros its message held: `respuestas/000001-000003-envio-7.xml`
   */
  addRespuesta(file: string, { CSV, lineas }: RespuestaSuministro): void {
    const from = /^respuestas\/(\d+)-/.exec(file)?.[1];
    if (from === undefined) return;
    for (const [i, linea] of lineas.entries()) {
      const seq = String(Number(from) + i);
      const line = this.#bySeq.get(seq);
      // A registro that was sent again has several answers: one of them matches the line.
      if (line === undefined || this.#answered.get(seq) === null) continue;
      const fila = this.#filaOf(line);
      this.#answered.set(seq, agrees(fila, linea, CSV ?? '') ? null : problemOf(fila, file));
    }
  }

  /** Where a line disagrees with the answer to its registro. */
  respuestasProblems(): string[] {
    return [...this.#answered.values()].filter((problem) => problem !== null);
  }

  #filaOf(line: string): Fila {
    const cells = cellsOf(line);
    return new Map(this.#columns.map((name, i) => [name, cells[i] ?? '']));
  }
}

/** The position in the cadena of a registro of a file, whose name begins with that of its first one. */
export function seqOf(file: string, index: number): string {
  const first = /^registros\/(\d+)-/.exec(file)?.[1];
  return first === undefined ? '' : String(Number(first) + index);
}

/** The columns that are never escaped for spreadsheets. */
const FILE_AND_SHA = /;([^;"]+);([0-9a-f]{64})$/;

function cellsOf(line: string): string[] {
  const found = `;${line}`.matchAll(/;(?:"((?:[^"]|"")*)"|([^;]*))/g);
  return [...found].map(([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain);
}

function says(fila: Fila, name: string, value: string): boolean {
  return trim(fila.get(name) ?? '') === csvText(value);
}

/** Also true when the AEAT had not answered yet when the line was written. */
function agrees(fila: Fila, linea: RespuestaLinea, CSV: string): boolean {
  const { EstadoRegistro, CodigoErrorRegistro } = linea;
  if (fila.get('EstadoRegistro') === 'En espera') return true;
  const isOfIt =
    says(fila, 'Tipo', linea.TipoOperacion) &&
    says(fila, 'NumSerieFactura', linea.NumSerieFactura) &&
    says(fila, 'FechaExpedicionFactura', linea.FechaExpedicionFactura);
  if (!isOfIt) return false;
  // Whether the duplicate is this very registro was found out with a query, which the answer does not contain.
  if (CodigoErrorRegistro === DUPLICADO) return says(fila, 'CSV', '');
  return (
    says(fila, 'EstadoRegistro', EstadoRegistro) &&
    says(fila, 'CodigoErrorRegistro', String(CodigoErrorRegistro ?? '')) &&
    says(fila, 'CSV', EstadoRegistro === 'Incorrecto' ? '' : CSV)
  );
}

function problemOf(fila: Fila, file: string): string {
  const value = (name: string) => fila.get(name) ?? '';
  const words = [
    value('EstadoRegistro'),
    value('CodigoErrorRegistro') && `código ${value('CodigoErrorRegistro')}`,
    value('CSV') && `CSV ${value('CSV')}`,
  ];
  return `De la factura ${value('NumSerieFactura')} dice «${words.filter(Boolean).join(', ')}», y la respuesta de la AEAT no dice eso (${file}).`;
}
