import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';

/** A SOAP call as it went over the wire. */
export interface LoggedRequest {
  /** ISO instant of the simulated AEAT's clock. */
  readonly fecha: string;
  readonly peticion: string;
  /** Null when nothing was answered. */
  readonly respuesta: string | null;
  readonly estadoHttp: number | null;
  readonly conexionCortada: boolean;
}

/** The same before it is converted to text, which the request may not be. */
export type CallToLog = Omit<LoggedRequest, 'peticion'> & { readonly peticion: Buffer };

const KEPT_PER_NIF = 500;
const compress = promisify(gzip);
const decompress = promisify(gunzip);

/**
 * The last calls of each obligado, one compressed file each: a message of 1,000 registros is 2 MB of text and some
 * 100 KB here. It is only for inspection, so a crash may lose the latest ones.
 */
export class RequestLog {
  readonly #dir: string;
  /** File numbers of each NIF, oldest first. */
  readonly #files = new Map<string, number[]>();
  #writing: Promise<unknown> = Promise.resolve();

  private constructor(dir: string) {
    this.#dir = dir;
  }

  static async open(dir: string): Promise<RequestLog> {
    const log = new RequestLog(join(dir, 'peticiones'));
    await mkdir(log.#dir, { recursive: true });
    for (const nif of await readdir(log.#dir)) {
      const names = await readdir(join(log.#dir, nif));
      const numbers = names.map((name) => Number(/^(\d+)\.gz$/.exec(name)?.[1]));
      log.#files.set(
        nif,
        numbers.filter(Number.isInteger).sort((a, b) => a - b),
      );
    }
    return log;
  }

  /** Returns at once, while the write continues. A failed one is reported and forgotten. */
  add(nif: string | undefined, request: CallToLog): void {
    const folder = folderOf(nif);
    this.#writing = this.#writing
      .then(() => this.#write(folder, request))
      .catch((error) => console.error('No se ha podido anotar una petición', error));
  }

  /** Newest first, one at a time: together they may be a gigabyte. */
  async *newestFirst(nif: string | undefined): AsyncGenerator<LoggedRequest> {
    await this.#writing;
    const folder = folderOf(nif);
    for (const number of [...(this.#files.get(folder) ?? [])].reverse()) {
      const content = await readFile(this.#path(folder, number)).catch(() => undefined);
      if (content) yield decode(await decompress(content));
    }
  }

  async clear(): Promise<void> {
    await this.#writing;
    await rm(this.#dir, { recursive: true, force: true });
    await mkdir(this.#dir, { recursive: true });
    this.#files.clear();
  }

  async close(): Promise<void> {
    await this.#writing;
  }

  async #write(folder: string, request: CallToLog): Promise<void> {
    const numbers = this.#files.get(folder) ?? [];
    if (!this.#files.has(folder)) {
      await mkdir(join(this.#dir, folder), { recursive: true });
      this.#files.set(folder, numbers);
    }
    const number = (numbers.at(-1) ?? 0) + 1;
    const path = this.#path(folder, number);
    const temporary = join(this.#dir, folder, 'nuevo');
    await writeFile(temporary, await compress(encode(request), { level: 1 }));
    await rename(temporary, path);
    numbers.push(number);
    if (numbers.length > KEPT_PER_NIF) {
      await rm(this.#path(folder, numbers.shift() as number), { force: true });
    }
  }

  #path(folder: string, number: number): string {
    return join(this.#dir, folder, `${number}.gz`);
  }
}

/**
 * A line of JSON, the bytes of the request and the answer: two megabytes are not worth escaping.
 */
function encode({ peticion, respuesta, ...facts }: CallToLog): Buffer {
  const head = { ...facts, bytes: peticion.length, isAnswered: respuesta !== null };
  return Buffer.concat([
    Buffer.from(`${JSON.stringify(head)}\n`),
    peticion,
    Buffer.from(respuesta ?? ''),
  ]);
}

function decode(content: Buffer): LoggedRequest {
  const end = content.indexOf(10) + 1;
  const { bytes, isAnswered, ...facts } = JSON.parse(content.toString('utf8', 0, end));
  const peticion = content.toString('utf8', end, end + bytes);
  const respuesta = isAnswered ? content.toString('utf8', end + bytes) : null;
  return { fecha: facts.fecha, peticion, respuesta, ...facts };
}

/** The NIF is untrusted: only one that looks like a NIF becomes the name of a folder. */
function folderOf(nif: string | undefined): string {
  return nif && /^[A-Z0-9]{9}$/.test(nif) ? nif : 'sin-nif';
}
