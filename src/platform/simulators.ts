import { type ChildProcess, fork } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { z } from 'zod';
import { findPart } from '../part.ts';
import { type FileLock, lockFile } from './file-lock.ts';
import { StartError } from './start-error.ts';

const Addresses = z.object({
  /** Full address of the AEAT's service. */
  aeatUrl: z.string(),
  /** The same for certificates of kind sello. */
  aeatSelloUrl: z.string(),
  /** PEM. */
  aeatCa: z.string(),
  controlUrl: z.string(),
  /** Origin of the card gateway. */
  redsysUrl: z.string(),
  smtpUrl: z.string(),
  /** Origin of Business Central, including its login. */
  businessCentralUrl: z.string(),
});

/** Where the simulators listen. */
export type SimulatorAddresses = Readonly<z.infer<typeof Addresses>>;

export interface Simulators {
  /** The current addresses; they only change if another program took a port meanwhile. */
  readonly addresses: () => SimulatorAddresses;
  readonly stop: () => Promise<void>;
}

export interface SimulatorsOptions {
  readonly dataDir: string;
  readonly log: Logger;
  /** Called with the addresses each time a simulator process of ours is ready. */
  readonly onReady: (addresses: SimulatorAddresses) => Promise<void>;
}

const START_PATIENCE_MS = 20_000;
const STOP_PATIENCE_MS = 2_000;
const POLL_MS = 250;
const RESTART_PAUSES_MS = [100, 500, 2000, 5000];

/**
 * Runs the simulators (AEAT, card gateway, Business Central, mail server) in a process of their own, and restarts it
 * at the same addresses when it dies.
 *
 * Of several processes on one data folder (`ROLE=web` and `ROLE=dispatcher`), the first one runs them and the others
 * find their addresses in a file; if it ends, another takes over.
 *
 * @throws {StartError} when they do not start
 */
export async function startSimulators(options: SimulatorsOptions): Promise<Simulators> {
  const keeper = new Keeper(options);
  await keeper.start();
  return { addresses: () => keeper.addresses, stop: () => keeper.stop() };
}

class Keeper {
  readonly #options: SimulatorsOptions;
  readonly #folder: string;
  readonly #file: string;
  #addresses: SimulatorAddresses | null = null;
  #lock: FileLock | null = null;
  #child: ChildProcess | null = null;
  #isStopping = false;

  constructor(options: SimulatorsOptions) {
    this.#options = options;
    this.#folder = join(options.dataDir, 'simuladores');
    this.#file = join(this.#folder, 'direcciones.json');
  }

  get addresses(): SimulatorAddresses {
    if (!this.#addresses) throw new Error('the simulators have not started');
    return this.#addresses;
  }

  async start(): Promise<void> {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const deadline = Date.now() + START_PATIENCE_MS;
    for (;;) {
      if (await this.#tryToOwn()) return;
      // Another process's simulators are running, or still ending: a child holds the lock as long as it lives.
      if (await this.#findOthers()) break;
      if (Date.now() > deadline) throw new StartError('Los simuladores no arrancan.');
      await sleep(50);
    }
    this.#standBy();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    const child = this.#child;
    if (child) {
      const ended = endOf(child);
      child.kill('SIGTERM');
      const isSlow = await Promise.race([ended, sleep(STOP_PATIENCE_MS, true, { ref: false })]);
      if (isSlow === true) child.kill('SIGKILL');
    }
    this.#lock?.release();
  }

  async #tryToOwn(): Promise<boolean> {
    this.#lock = lockFile(join(this.#folder, 'cerrojo'), 'exclusive');
    if (!this.#lock) return false;
    await this.#run();
    return true;
  }

  async #findOthers(): Promise<boolean> {
    const addresses = this.#readFile();
    if (!addresses || !(await answers(addresses.controlUrl))) return false;
    this.#addresses = addresses;
    return true;
  }

  /** Follows the owner's addresses, and takes over when it ends. */
  async #standBy(): Promise<void> {
    while (!this.#isStopping) {
      await sleep(POLL_MS, null, { ref: false });
      try {
        // Trying the lock starts a process and waits for it, so it is not done while they answer.
        if (await this.#findOthers()) continue;
        if (!this.#isStopping && (await this.#tryToOwn())) return;
      } catch (error) {
        this.#options.log.error({ err: error }, 'the simulators could not be taken over');
      }
    }
  }

  /** Starts the process on the ports of the last one, or on any if those are taken. */
  async #run(): Promise<void> {
    const ports = portsOf(this.#readFile());
    const ready = (await this.#fork(ports)) ?? (await this.#fork({}));
    if (!ready) throw new StartError('Los simuladores no arrancan: mira los mensajes anteriores.');
    this.#addresses = ready;
    const note = JSON.stringify({ pid: this.#child?.pid, ...ready });
    writeFileSync(`${this.#file}.nuevo`, note, { mode: 0o600 });
    renameSync(`${this.#file}.nuevo`, this.#file);
    await this.#options.onReady(ready);
  }

  /** Null when the process ends before it is ready. */
  async #fork(ports: Readonly<Record<string, number>>): Promise<SimulatorAddresses | null> {
    const { file, argv } = findPart('simulators');
    const child = fork(file, argv, {
      execArgv: [],
      // Protected from the terminal's Ctrl+C: the app closes it, last of all.
      detached: true,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc', this.#lock?.fd ?? 'ignore'],
      env: {
        ...plainEnvironment(),
        SIMULADORES_DIR: this.#folder,
        SIMULADORES_PUERTOS: JSON.stringify(ports),
      },
    });
    const end = endOf(child);
    const ready = new Promise<SimulatorAddresses>((resolve, reject) => {
      child.on('message', (message: { tipo?: string }) => {
        if (message.tipo === 'listo') Addresses.parseAsync(message).then(resolve, reject);
      });
    });
    const addresses = await Promise.race([ready, end.then(() => null)]);
    if (!addresses) return null;
    this.#child = child;
    end.then(() => this.#restart());
    return addresses;
  }

  async #restart(): Promise<void> {
    const { log } = this.#options;
    this.#child = null;
    for (let attempt = 0; !this.#isStopping; attempt++) {
      log.error({ attempt }, 'the simulators have ended: starting them again');
      try {
        await this.#run();
        return;
      } catch (error) {
        log.error({ err: error }, 'the simulators do not start');
        await sleep(RESTART_PAUSES_MS[attempt] ?? 5000, null, { ref: false });
      }
    }
  }

  #readFile(): SimulatorAddresses | null {
    if (!existsSync(this.#file)) return null;
    // The file of another version may have another shape: then it counts as missing.
    return Addresses.safeParse(JSON.parse(readFileSync(this.#file, 'utf8'))).data ?? null;
  }
}

/** The simulators get none of our secrets: only what a process needs, and their own settings. */
function plainEnvironment(): NodeJS.ProcessEnv {
  const isTheirs = (name: string) => /^(PATH|HOME|TMPDIR|TZ|SIMULADOR.*)$/.test(name);
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => isTheirs(name)));
}

/** The ports of those addresses, by the names used to request them. */
function portsOf(addresses: SimulatorAddresses | null): Readonly<Record<string, number>> {
  if (!addresses) return {};
  const urls = {
    aeat: addresses.aeatUrl,
    sello: addresses.aeatSelloUrl,
    control: addresses.controlUrl,
    redsys: addresses.redsysUrl,
    smtp: addresses.smtpUrl,
    bc: addresses.businessCentralUrl,
  };
  return Object.fromEntries(
    Object.entries(urls).map(([name, url]) => [name, Number(new URL(url).port)]),
  );
}

async function answers(controlUrl: string): Promise<boolean> {
  try {
    const answer = await fetch(controlUrl, { signal: AbortSignal.timeout(1000) });
    await answer.arrayBuffer(); // Frees its connection for reuse.
    return true;
  } catch {
    return false;
  }
}

function endOf(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
}
