import { ALL_DAYS } from '../contract/evidence.ts';
import type { Deps } from '../deps.ts';
import { fechaEs, isoDateIn, nameOfDays, zonaOf } from '../domain/dates.ts';
import { DomainError } from '../domain/errors.ts';
import { CSV_MARK, csvLine } from '../domain/spreadsheet-text.ts';
import type { Company } from '../store/companies.ts';
import { type KeptRespuesta, respuestasBetween } from '../store/envios.ts';
import { unpackMessage } from '../store/packed-message.ts';
import { findSeqRange } from '../store/registros.ts';
import { inScope } from '../store/row-security.ts';
import { companyOf } from './company-of.ts';
import { COLUMNS, manifestLineOf, packCadena, place, type SeqRange } from './pack-registros.ts';
import { recordEvent } from './record-event.ts';
import { Spool } from './spool.ts';
import { inThread } from './thread.ts';
import { type PackedMembers, writeZip, type ZipEntry } from './zip-writer.ts';

/** Up to this many are packed in less time than a thread takes to start. */
const SHORT = 250;
/** Exports that the threads of this process pack at once: each reads through a connection of its own. */
const MAX_THREADS = 4;
const RESPUESTAS_PER_READ = 4;

export interface Exportacion {
  readonly fileName: string;
  /** How many registros it has. */
  readonly registros: bigint;
  /** The ZIP, generated while it is read: none of it is held in memory. */
  readonly zip: AsyncIterable<Buffer>;
}

/**
 * The evidence of what a company registered between two days: the exact XML of each registro in the order of the
 * cadena, the AEAT's answers, and a manifest with the SHA-256 of each (RD 1007/2023 art. 8.2.c). `npm run verificar`
 * checks it anywhere, without us.
 *
 * A caller that does not read it to the end must close it.
 *
 * @throws {DomainError} TOO_MANY_REQUESTS while this process streams another export of the company, or packs as many
 *   long ones as it can at once; BAD_REQUEST when the first day is after the last
 */
export async function exportRegistros(
  deps: Pick<Deps, 'sql' | 'clock' | 'database'>,
  companyId: number,
  days: { readonly desde: string; readonly hasta: string },
): Promise<Exportacion> {
  const { sql } = deps;
  if (days.desde > days.hasta) {
    throw new DomainError('BAD_REQUEST', 'La fecha «desde» es posterior a la fecha «hasta».');
  }
  const place = takePlace(sql, companyId);
  try {
    const [company, range] = await Promise.all([
      companyOf(deps, companyId),
      findSeqRange(sql, companyId, days),
    ]);
    if (range && !isShort(range)) place.takeThread();
    const now = deps.clock();
    const asked = {
      desde: days.desde === ALL_DAYS.desde ? '' : days.desde,
      hasta: days.hasta === ALL_DAYS.hasta ? '' : days.hasta,
    };
    await recordEvent(sql, companyId, {
      kind: 'exportacion',
      now,
      detail: inWords(asked),
    });
    const files = inScope(filesOf(deps, company, range, now));
    const day = isoDateIn(now, zonaOf(company.postCode, company.countryCode));
    return {
      fileName: `registros-${company.nif}-${nameOfDays(asked, day)}.zip`,
      registros: range ? range.toSeq - range.fromSeq + 1n : 0n,
      zip: leavingAtTheEnd(writeZip(files, now), place),
    };
  } catch (error) {
    place.leave();
    throw error;
  }
}

/** @param days either may be empty */
function inWords({ desde, hasta }: { readonly desde: string; readonly hasta: string }): string {
  if (desde && hasta) return `Del ${fechaEs(desde)} al ${fechaEs(hasta)}`;
  if (desde) return `Desde el ${fechaEs(desde)}`;
  return hasta ? `Hasta el ${fechaEs(hasta)}` : 'Todos';
}

/** Companies with an export under way in this process: one at a time for each. */
const underWay = new WeakMap<Deps['sql'], Set<number>>();

/** How many threads of this process are packing now. */
let threads = 0;

/** The slot of an export under way, from the request until it has been read to the end or abandoned. */
interface Place {
  /** @throws {DomainError} TOO_MANY_REQUESTS when all slots are taken */
  takeThread(): void;
  leave(): void;
}

/** @throws {DomainError} TOO_MANY_REQUESTS while the company has an export under way */
function takePlace(sql: Deps['sql'], companyId: number): Place {
  const exporting = underWay.get(sql) ?? new Set<number>();
  underWay.set(sql, exporting);
  if (exporting.has(companyId)) {
    throw new DomainError(
      'TOO_MANY_REQUESTS',
      'Ya se están exportando tus registros. Espera a que termine esa descarga.',
      { retryAfterSeconds: 10 },
    );
  }
  exporting.add(companyId);
  let [hasThread, isLeft] = [false, false];
  return {
    takeThread() {
      if (threads >= MAX_THREADS) {
        throw new DomainError(
          'TOO_MANY_REQUESTS',
          'Ahora mismo se están descargando los registros de otras empresas y no cabe otra descarga. Inténtalo de nuevo dentro de un minuto.',
          { retryAfterSeconds: 60 },
        );
      }
      threads += 1;
      hasThread = true;
    },
    leave() {
      if (isLeft) return;
      isLeft = true;
      exporting.delete(companyId);
      if (hasThread) threads -= 1;
    },
  };
}

/**
 * A generator that is closed before its first piece is read runs none of its code, not even `finally`. This wrapper
 * frees the slot even then.
 */
function leavingAtTheEnd<T>(pieces: AsyncGenerator<T>, place: Place): AsyncIterable<T> {
  const iterator: AsyncIterator<T> = {
    async next() {
      try {
        const piece = await pieces.next();
        if (piece.done) place.leave();
        return piece;
      } catch (error) {
        place.leave();
        throw error;
      }
    },
    async return() {
      try {
        return await pieces.return(undefined);
      } finally {
        place.leave();
      }
    },
  };
  return { [Symbol.asyncIterator]: () => iterator };
}

async function* filesOf(
  deps: Pick<Deps, 'sql' | 'database'>,
  company: Company,
  range: SeqRange | null,
  now: Date,
): AsyncGenerator<ZipEntry | PackedMembers> {
  yield* registroFiles(deps, company, range, now, otherFiles(deps.sql, company, range));
}

/** A whole file that the manifest lists beside the registros. */
export interface ListedFile {
  readonly name: string;
  /** What it is, for the manifest. */
  readonly tipo: 'Envio' | 'Respuesta' | 'Texto';
  readonly content: Uint8Array;
}

/**
 * The registros between two positions of the cadena, further files, and the manifest that lists all of them.
 *
 * @param range null for no registros
 * @param now date given to the files of registros
 */
export async function* registroFiles(
  { sql, database }: Pick<Deps, 'sql' | 'database'>,
  { id: companyId, name: NombreRazon, nif: NIF }: Company,
  range: SeqRange | null,
  now: Date,
  others: AsyncIterable<ListedFile>,
): AsyncGenerator<ZipEntry | PackedMembers> {
  const manifest = await Spool.open(`${CSV_MARK}${csvLine(COLUMNS)}`);
  const obligado = { NombreRazon, NIF };
  const question = { companyId, obligado, modified: now, manifestPath: manifest.path };
  try {
    if (range && isShort(range)) yield* packCadena(sql, { ...question, range });
    else if (range) yield* inThread('packing-worker', { ...question, range, database });
    for await (const { name, tipo, content } of others) {
      await manifest.add(manifestLineOf(tipo, name, content));
      yield { name, content };
    }
    yield { name: 'manifiesto.csv', content: await manifest.read() };
  } finally {
    await manifest.remove();
  }
}

function isShort({ fromSeq, toSeq }: SeqRange): boolean {
  return toSeq - fromSeq < SHORT;
}

async function* otherFiles(
  sql: Deps['sql'],
  company: Company,
  range: SeqRange | null,
): AsyncGenerator<ListedFile> {
  yield { name: 'LEEME.txt', tipo: 'Texto', content: Buffer.from(leeme(company)) };
  if (!range) return;
  let after: Pick<KeptRespuesta, 'fromSeq' | 'id'> | null = null;
  for (;;) {
    const limit = RESPUESTAS_PER_READ;
    const batch = await respuestasBetween(sql, company.id, { ...range, after, limit });
    if (batch.length === 0) return;
    for (const { id, fromSeq, toSeq, respuesta } of batch) {
      const name = `respuestas/${place(fromSeq, range.toSeq)}-${place(toSeq, range.toSeq)}-envio-${id}.xml`;
      yield { name, tipo: 'Respuesta', content: await unpackMessage(respuesta) };
      after = { id, fromSeq };
    }
  }
}

function leeme(company: Company): string {
  return [
    `Registros de facturación de ${company.name} (${company.nif})`,
    '',
    'registros/       Los registros tal como se generaron, en el orden de su cadena. Cada archivo lleva',
    '                 los de los lugares que dice su nombre, en un documento como los que se envían a la',
    '                 AEAT (RegFactuSistemaFacturacion): dentro está el bloque RegistroFactura de cada uno.',
    'respuestas/      Lo que respondió la AEAT a cada envío.',
    'manifiesto.csv   Una línea por registro: su huella, la del anterior, lo que dijo la AEAT, el',
    '                 código seguro de verificación (CSV) y el SHA-256 de su archivo. Detrás, el',
    '                 SHA-256 de cada respuesta y de este texto.',
    '',
    'Cómo comprobarlo sin Huella: la huella de cada registro es el SHA-256 de unos campos suyos y de',
    'la huella del registro anterior (Orden HAC/1177/2024, art. 6 y 7; documento «Huella o hash» de la',
    'AEAT). Si se cambia un dato, o falta un registro, las huellas dejan de coincidir.',
    'Cómo comprobarlo con Huella: npm run verificar -- este-archivo.zip',
    '',
    'En las celdas que empiezan por =, +, - o @ va delante un apóstrofo, para que ninguna hoja de',
    'cálculo las tome por una fórmula.',
    '',
  ].join('\r\n');
}
