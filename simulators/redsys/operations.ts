import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Version } from './signature.ts';

/**
 * How the gateway tells of a payment. `vuelta`: only in the address that the customer goes back to,
 * as terminals do that have «enviar parámetros en las URL» on.
 */
export type Aviso = 'normal' | 'tarde' | 'dos' | 'nunca' | 'firma' | 'vuelta';

/** One order that came to the page. Of its card nothing is kept. */
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
  /** How it will be told, chosen on the page; what comes after the bank's check waits here too. */
  aviso: Aviso;
  trasReto: '0000' | '0184';
  devueltoCents: number;
}

/** The orders of the simulated bank, kept in a file so that they outlive the process. */
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
      return new Operaciones(file, []); // The first time there is none.
    }
  }

  find(pedido: string): Operacion | undefined {
    return this.#byOrder.get(pedido);
  }

  list(): readonly Operacion[] {
    return [...this.#byOrder.values()].reverse();
  }

  /** Keeps what has changed of an operation, or a new one. */
  save(operacion: Operacion): void {
    this.#byOrder.set(operacion.Ds_Order, operacion);
    writeFileSync(`${this.#file}.nuevo`, JSON.stringify([...this.#byOrder.values()]));
    renameSync(`${this.#file}.nuevo`, this.#file);
  }
}

export const isFinished = ({ Ds_Response }: Operacion): boolean =>
  Ds_Response !== '9998' && Ds_Response !== '9999';

export const isAuthorised = ({ Ds_Response }: Operacion): boolean => /^00\d\d$/.test(Ds_Response);
