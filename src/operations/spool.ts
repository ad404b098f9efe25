import { createReadStream } from 'node:fs';
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A text that grows while the files of a ZIP go out and is one of them at the end. It waits on disk: the
 * manifest of a million registros is 300 MB, and its huellas do not compress.
 */
export class Spool {
  readonly #folder: string;
  readonly #file: FileHandle;

  static async open(beginning: string): Promise<Spool> {
    const folder = await mkdtemp(join(tmpdir(), 'huella-texto-'));
    const spool = new Spool(folder, await open(join(folder, 'texto'), 'w'));
    await spool.add(beginning);
    return spool;
  }

  private constructor(folder: string, file: FileHandle) {
    this.#folder = folder;
    this.#file = file;
  }

  async add(text: string): Promise<void> {
    await this.#file.write(text);
  }

  /** What was written. Nothing can be added any more. */
  async read(): Promise<AsyncIterable<Buffer>> {
    await this.#file.close();
    return createReadStream(join(this.#folder, 'texto'));
  }

  async remove(): Promise<void> {
    await this.#file.close().catch(() => undefined); // Closed already when it was read.
    await rm(this.#folder, { recursive: true, force: true });
  }
}
