import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Where a line is in the file, in bytes. */
export interface Position {
  readonly offset: number;
  readonly length: number;
}

export interface JournalLine {
  readonly text: string;
  readonly position: Position;
}

/**
 * File of JSON lines that only grows, in groups: a head line (`{"lineas":N,"cabecera":…}`) and
 * its N lines. A group is all or nothing: one that a crash left unfinished at the end of the
 * file is cut off when the file is opened, and one for which the disk has no room is written with the next.
 */
export class Journal {
  readonly #file: FileHandle;
  /** With what is pending. */
  #size: number;
  #written: number;
  #pending: Buffer[] = [];
  #flushing: Promise<void> | undefined;

  private constructor(file: FileHandle, size: number) {
    this.#file = file;
    this.#size = size;
    this.#written = size;
  }

  /**
   * @param onGroup receives every whole group, in order.
   * @throws {Error} when something other than an unfinished end is wrong with the file.
   */
  static async open(
    path: string,
    onGroup: (cabecera: unknown, lines: readonly JournalLine[]) => void,
  ): Promise<Journal> {
    await mkdir(dirname(path), { recursive: true });
    const file = await open(path, 'a+', 0o600);
    try {
      const end = await replay(path, onGroup);
      await file.truncate(end);
      return new Journal(file, end);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** @returns where each line goes, known at once; `durable` settles when they are on the disk. */
  append(
    cabecera: unknown,
    lines: readonly string[],
  ): {
    positions: Position[];
    durable: Promise<void>;
  } {
    const head = `${JSON.stringify({ lineas: lines.length, cabecera })}\n`;
    const buffer = Buffer.from(`${head}${lines.join('\n')}\n`);
    let offset = this.#size + Buffer.byteLength(head);
    const positions = lines.map((line) => {
      const position = { offset, length: Buffer.byteLength(line) };
      offset += position.length + 1;
      return position;
    });
    this.#size += buffer.length;
    this.#pending.push(buffer);
    return { positions, durable: this.#flush() };
  }

  async read({ offset, length }: Position): Promise<string> {
    await this.#flush();
    const buffer = Buffer.alloc(length);
    await this.#file.read(buffer, 0, length, offset);
    return buffer.toString();
  }

  async clear(): Promise<void> {
    await this.#flushing?.catch(() => undefined);
    await this.#file.truncate(0);
    this.#pending = [];
    this.#size = 0;
    this.#written = 0;
  }

  async close(): Promise<void> {
    await this.#flushing?.catch(() => undefined);
    await this.#file.close();
  }

  /** Whatever is appended while the disk is busy is written together next. */
  #flush(): Promise<void> {
    const previous = this.#flushing?.catch(() => undefined) ?? Promise.resolve();
    const own = previous.then(async () => {
      if (this.#pending.length === 0) return;
      const buffer = Buffer.concat(this.#pending);
      this.#pending = [];
      try {
        await this.#file.appendFile(buffer);
        await this.#file.datasync();
      } catch (error) {
        this.#pending.unshift(buffer);
        await this.#file.truncate(this.#written);
        throw error;
      }
      this.#written += buffer.length;
    });
    this.#flushing = own;
    return own;
  }
}

/** @returns the offset at which the last whole group ends. */
async function replay(
  path: string,
  onGroup: (cabecera: unknown, lines: readonly JournalLine[]) => void,
): Promise<number> {
  let end = 0;
  let head: { lineas: number; cabecera: unknown } | undefined;
  let group: JournalLine[] = [];
  for await (const line of linesOf(path)) {
    if (head) group.push(line);
    else head = parseHead(line);
    if (head.lineas === group.length) {
      onGroup(head.cabecera, group);
      end = line.position.offset + line.position.length + 1;
      head = undefined;
      group = [];
    }
  }
  return end;
}

function parseHead({ text, position }: JournalLine): { lineas: number; cabecera: unknown } {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error(`El diario está dañado en el byte ${position.offset}.`, { cause });
  }
}

/** Lines that end in a line feed; an unfinished last one is left out. */
async function* linesOf(path: string): AsyncGenerator<JournalLine> {
  let rest = Buffer.alloc(0);
  let offset = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
    const data = Buffer.concat([rest, chunk as Buffer]);
    let start = 0;
    for (let feed = data.indexOf(10); feed !== -1; feed = data.indexOf(10, start)) {
      const length = feed - start;
      yield { text: data.toString('utf8', start, feed), position: { offset, length } };
      offset += length + 1;
      start = feed + 1;
    }
    rest = data.subarray(start);
  }
}
