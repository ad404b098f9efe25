import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

export interface Attachment {
  readonly nombre: string;
  readonly tipo: string;
  readonly base64: string;
}

/** A captured message, in the words of the contract. */
export interface Message {
  readonly de: string;
  readonly para: string;
  readonly asunto: string;
  readonly texto: string;
  readonly html: string;
  readonly adjuntos: readonly Attachment[];
  /** ISO instant of arrival. */
  readonly fecha: string;
}

interface Kept {
  readonly file: string;
  /** Addresses it went to, in lower case. */
  readonly recipients: readonly string[];
}

const MAX_MESSAGES = 5000;

/** Captured messages: a JSON file each, and only their recipients in memory. */
export class Mailbox {
  readonly #dir: string;
  /** Oldest first. */
  readonly #kept: Kept[] = [];
  #next = 1;

  private constructor(dir: string) {
    this.#dir = dir;
  }

  static async open(dir: string): Promise<Mailbox> {
    const mailbox = new Mailbox(dir);
    await mkdir(dir, { recursive: true });
    for (const file of (await readdir(dir)).sort()) {
      const number = Number(/^(\d+)\.json$/.exec(file)?.[1]);
      if (!Number.isInteger(number)) continue;
      const { recipients } = JSON.parse(await readFile(join(dir, file), 'utf8'));
      mailbox.#kept.push({ file, recipients });
      mailbox.#next = number + 1;
    }
    return mailbox;
  }

  /** On disk when it returns, so the sender may forget it. */
  async add(message: Message, recipients: readonly string[]): Promise<void> {
    const file = `${String(this.#next++).padStart(9, '0')}.json`;
    const kept = { file, recipients: recipients.map((address) => address.toLowerCase()) };
    const temporary = join(this.#dir, `${file}.nuevo`);
    const handle = await open(temporary, 'w', 0o600);
    try {
      await handle.writeFile(JSON.stringify({ recipients: kept.recipients, message }));
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, join(this.#dir, file));
    this.#kept.push(kept);
    if (this.#kept.length > MAX_MESSAGES) {
      const oldest = this.#kept.shift() as Kept;
      await rm(join(this.#dir, oldest.file), { force: true });
    }
  }

  /** Newest first; those for one address, or all, each with its id. */
  async list(para?: string): Promise<(Message & { id: string })[]> {
    const address = para?.trim().toLowerCase();
    const wanted = this.#kept.filter(({ recipients }) => !address || recipients.includes(address));
    const messages: (Message & { id: string })[] = [];
    for (const { file } of wanted.reverse()) messages.push(await this.#read(file));
    return messages;
  }

  async find(id: string): Promise<Message | undefined> {
    const kept = this.#kept.find(({ file }) => file === `${id}.json`);
    return kept && this.#read(kept.file);
  }

  async clear(): Promise<void> {
    for (const { file } of this.#kept.splice(0)) await rm(join(this.#dir, file), { force: true });
  }

  async #read(file: string): Promise<Message & { id: string }> {
    const { message } = JSON.parse(await readFile(join(this.#dir, file), 'utf8'));
    return { id: file.replace('.json', ''), ...message };
  }
}
