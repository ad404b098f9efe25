import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Version } from './signature.ts';

/**
 * How the gateway notifies the outcome of a payment. `vuelta`: only in the customer's return address, like terminals
 * with «enviar parámetros en las URL» switched on.
 */
export type Aviso = 'normal' | 'tarde' | 'dos' | 'nunca' | 'firma' | 'vuelta';

/** An order that reached the page. Nothing about its card is kept. */
export interface Operacion {
  readonly Ds_Order: string;
  readonly Ds_Amount: string;
  readonly Ds_Currency: string;
  readonly Ds_MerchantCode: string;
  readonly Ds_Terminal: string;
  readonly Ds_TransactionType: string;
  readonly Ds_MerchantData: string;
  readonly version: Version;
  readonly concepto: string;
  readonly titulo: string;
  readonly urlAviso: string;
  readonly urlOk: string;
  readonly urlKo: string;
  /** ISO instant. */
  readonly fecha: string;
  /** 9998 while the card is being typed, 9999 before the bank's check. */
  Ds_Response: string;
  Ds_AuthorisationCode: string;
  /** How its outcome will be notified, chosen on the page; for the time after the bank's check it is kept here. */
  aviso: Aviso;
  trasReto: '0000' | '0184';
  devueltoCents: number;
}

/** The orders of the simulated bank, in a file, so that they survive the process. */
export class Operaciones {
  readonly #file: string;
  readonly #byOrder: Map<string, Operacion>;

  private constructor(file: string, operaciones: readonly Operacion[]) {
    this.#file = file;
    this.#byOrder = new Map(operaciones.map((operacion) => [operacion.Ds_Order, operacion]));
  }

  static open(file: string): Operaciones {
    mkdirSync(dirname(file), { recursive: true });
    try {
      return new Operaciones(file, JSON.parse(readFileSync(file, 'utf8')));
    } catch {
      return new Operaciones(file, []); // Missing the first time.
    }
  }

  find(pedido: string): Operacion | undefined {
    return this.#byOrder.get(pedido);
  }

  list(): readonly Operacion[] {
    return [...this.#byOrder.values()].reverse();
  }

  /** Saves a new operation or the changes of one. */
  save(operacion: Operacion): void {
    this.#byOrder.set(operacion.Ds_Order, operacion);
    writeFileSync(`${this.#file}.nuevo`, JSON.stringify([...this.#byOrder.values()]));
    renameSync(`${this.#file}.nuevo`, this.#file);
  }
}

export const isFinished = ({ Ds_Response }: Operacion): boolean =>
  Ds_Response !== '9998' && Ds_Response !== '9999';

export const isAuthorised = ({ Ds_Response }: Operacion): boolean => /^00\d\d$/.test(Ds_Response);
