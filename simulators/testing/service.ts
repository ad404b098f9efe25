import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Behaviour } from '../aeat/behaviour.ts';
import { Fault } from '../aeat/fault.ts';
import { regFactu } from '../aeat/reg-factu.ts';
import { readEnvelope } from '../aeat/soap.ts';
import { Store } from '../aeat/store.ts';
import { simulatedClock } from '../clock.ts';
import { EMISOR, NOW } from './messages.ts';

/** The result of one line, as short as a table of cases needs: `Correcto`, `Incorrecto 3000`. */
export type Outcome = string;

/** The operations on a store of their own, without the network. */
export interface TestService {
  readonly store: Store;
  readonly behaviour: Behaviour;
  /** Sends and returns the result of each line, or `Fault 4102`. */
  send(xml: string, options?: { nif?: string }): Promise<Outcome[]>;
  /**
   * Sends and returns the whole answer.
   *
   * @throws {Fault}
   */
  answer(xml: string, nif?: string): Promise<string>;
  /** Sets the AEAT's clock. */
  setNow(now: Date): void;
  /** Closes the store and opens it again from disk. */
  reopen(): Promise<void>;
  close(): Promise<void>;
}

export async function testService(): Promise<TestService> {
  const dir = await mkdtemp(join(tmpdir(), 'simulador-'));
  let now = NOW;
  let store = await Store.open(dir);
  const behaviour = new Behaviour(simulatedClock(), 60);

  const answer = (xml: string, nif = EMISOR) =>
    regFactu(
      readEnvelope(Buffer.from(xml)),
      { nif, tipo: 'persona' },
      {
        store,
        behaviour,
        now: () => now,
      },
    );

  return {
    get store() {
      return store;
    },
    behaviour,
    answer,
    async send(xml, { nif } = {}) {
      try {
        return outcomesOf(await answer(xml, nif));
      } catch (error) {
        if (error instanceof Fault) return [`Fault ${error.code}`];
        throw error;
      }
    },
    setNow(instant) {
      now = instant;
    },
    async reopen() {
      await store.close();
      store = await Store.open(dir);
    },
    async close() {
      await store.close();
      await rm(dir, { recursive: true });
    },
  };
}

export function outcomesOf(xml: string): Outcome[] {
  return [...xml.matchAll(/<tikR:RespuestaLinea>.*?<\/tikR:RespuestaLinea>/gs)].map(([linea]) => {
    const estado = /<tikR:EstadoRegistro>(\w+)</.exec(linea)?.[1];
    const code = /<tikR:CodigoErrorRegistro>(\d+)</.exec(linea)?.[1];
    return code ? `${estado} ${code}` : `${estado}`;
  });
}
