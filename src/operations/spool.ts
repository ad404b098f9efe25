import { createReadStream } from 'node:fs';
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Collects on disk what is written to a ZIP last and grows while its files go out: the manifest of a million
 * registros is 300 MB, and its huellas do not compress.
 */
export class Spool {
  /** Path of the file. Other writers append to it (`a`). */
  readonly path: string;
  readonly #folder: string;
  readonly #file: FileHandle;

  static async open(beginning: string | Uint8Array): Promise<Spool> {
    const folder = await mkdtemp(join(tmpdir(), 'huella-espera-'));
    const path = join(folder, 'espera');
    const spool = new Spool(folder, path, await open(path, 'a'));
    await spool.add(beginning);
    return spool;
  }

  private constructor(folder: string, path: string, file: FileHandle) {
    this.#folder = folder;
    this.path = path;
    this.#file = file;
  }

  async add(more: string | Uint8Array): Promise<void> {
    await this.#file.writeFile(more); // All of it, behind what there is.
  }

  /** Reads back what was written. Nothing can be added afterwards. */
  async read(): Promise<AsyncIterable<Buffer>> {
    await this.#file.close();
    return createReadStream(this.path);
  }

  async remove(): Promise<void> {
    await this.#file.close().catch(() => undefined); // Already closed if it was read.
    await rm(this.#folder, { recursive: true, force: true });
  }
}
