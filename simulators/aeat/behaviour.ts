import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { SimulatedClock } from '../clock.ts';

const MODOS = [
  'normal',
  'cortar-antes',
  'cortar-despues',
  'http-403',
  'http-503',
  'fault',
  'xml-roto',
  'comprimir',
  'silencio',
] as const;
export type Modo = (typeof MODOS)[number];

const codes = z.record(z.string(), z.number().int().min(0).max(99_999));

/** The body of `POST /desarrollo/aeat/comportamiento`; omitted values stay as they were. */
const Change = z.strictObject({
  tiempoEspera: z.number().int().min(0).max(9999).optional(),
  tiemposEspera: z.array(z.number().int().min(0).max(9999)).optional(),
  latenciaMs: z.number().int().min(0).max(600_000).optional(),
  fallos: z.number().int().min(0).nullable().optional(),
  modo: z.enum(MODOS).optional(),
  rechazar: codes.optional(),
  aceptarConErrores: codes.optional(),
  nifsNoCensados: z.array(z.string()).optional(),
  censo: z.record(z.string(), z.string()).optional(),
  apoderados: z.record(z.string(), z.array(z.string())).optional(),
  vies: z.array(z.string()).nullable().optional(),
  noContrastables: z.array(z.string()).optional(),
  reglas2027: z.boolean().nullable().optional(),
  acuerdos: z.array(z.string()).optional(),
  defectuosos: z.array(z.string()).optional(),
  sinRegistroDuplicado: z.boolean().optional(),
  registrosPorConsulta: z.number().int().min(1).max(10_000).optional(),
  reloj: z.number().optional(),
  relojMundo: z.number().optional(),
});

/**
 * How the simulated AEAT behaves from now on. Lives in memory: a restart goes back to normal.
 *
 * - `modo` affects the next `fallos` calls (all of them while `fallos` is null), whatever their
 *   operation, and then goes back to `normal`.
 * - `cortar-antes`, `http-403` (as for a certificate that was revoked), `http-503`, `fault`, `xml-roto` and `silencio` store nothing;
 *   `cortar-despues` stores and then cuts the connection. `comprimir` stores and answers with gzip, as whoever does not
 *   say how it may come can be answered (RFC 9110, 12.5.3).
 * - `latenciaMs` is waited after storing, before answering; whoever waits is answered at once when it changes.
 * - `rechazar` matches NumSerieFactura, or the NIF of the issuer or of a recipient. A code of
 *   2000-2999 accepts with that warning instead; one of 4100-4199 under the issuer's NIF is a
 *   Fault of the whole message.
 * - `tiemposEspera` are given by the next answers in turn, and then `tiempoEspera` again.
 * - `censo` gives names to NIFs: a natural person is identified by both together. Whoever is not in it
 *   is known by any name. `vies` is all that VIES knows; null, everything.
 * - `apoderados` are, by the NIF of an obligado, those who may present for it and ask in its name with a
 *   certificate of their own: attorneys, colaboradores sociales, successors. Without it, only itself.
 * - `noContrastables` are numbers of invoices of programs that do not send (NO VERI*FACTU).
 * - `defectuosos` are numbers of invoices whose registros do not fit the schema, so that each message with one of them
 *   is refused whole (Fault 4102).
 * - `sinRegistroDuplicado` leaves out of a duplicate's answer the block, optional by its schema, that tells its state.
 * - `reglas2027` has the rules of 2027 in force, or not yet, whatever the clock says.
 */
export class Behaviour {
  tiempoEspera: number;
  latenciaMs = 0;
  fallos: number | null = null;
  modo: Modo = 'normal';
  readonly rechazar = new Map<string, number>();
  readonly aceptarConErrores = new Map<string, number>();
  tiemposEspera: number[] = [];
  nifsNoCensados: ReadonlySet<string> = new Set();
  censo: ReadonlyMap<string, string> = new Map();
  apoderados: ReadonlyMap<string, readonly string[]> = new Map();
  vies: ReadonlySet<string> | null = null;
  noContrastables: ReadonlySet<string> = new Set();
  reglas2027: boolean | null = null;
  /** Agreements known to the AEAT (`NumRegistroAcuerdoFacturacion`…). */
  acuerdos: ReadonlySet<string> = new Set();
  defectuosos: ReadonlySet<string> = new Set();
  sinRegistroDuplicado = false;
  registrosPorConsulta = 10_000;
  readonly #clock: SimulatedClock;
  #latencyChanged = new AbortController();

  constructor(clock: SimulatedClock, tiempoEspera: number) {
    this.#clock = clock;
    this.tiempoEspera = tiempoEspera;
  }

  /** @throws {z.ZodError} */
  change(body: unknown): void {
    const change = Change.parse(body);
    if (change.tiempoEspera !== undefined) this.tiempoEspera = change.tiempoEspera;
    if (change.latenciaMs !== undefined) {
      this.latenciaMs = change.latenciaMs;
      this.#latencyChanged.abort();
      this.#latencyChanged = new AbortController();
    }
    if (change.modo === 'normal') this.fallos = null;
    if (change.modo !== undefined) this.modo = change.modo;
    if (change.fallos !== undefined) this.fallos = change.fallos;
    if (change.nifsNoCensados) this.nifsNoCensados = new Set(change.nifsNoCensados);
    if (change.tiemposEspera) this.tiemposEspera = change.tiemposEspera;
    if (change.censo) this.censo = new Map(Object.entries(change.censo));
    if (change.apoderados) this.apoderados = new Map(Object.entries(change.apoderados));
    if (change.vies !== undefined) this.vies = change.vies && new Set(change.vies);
    if (change.noContrastables) this.noContrastables = new Set(change.noContrastables);
    if (change.reglas2027 !== undefined) this.reglas2027 = change.reglas2027;
    if (change.acuerdos) this.acuerdos = new Set(change.acuerdos);
    if (change.defectuosos) this.defectuosos = new Set(change.defectuosos);
    if (change.sinRegistroDuplicado !== undefined) {
      this.sinRegistroDuplicado = change.sinRegistroDuplicado;
    }
    if (change.registrosPorConsulta) this.registrosPorConsulta = change.registrosPorConsulta;
    if (change.reloj !== undefined) this.#clock.aeatOffsetSeconds = change.reloj;
    if (change.relojMundo !== undefined) this.#clock.worldOffsetSeconds = change.relojMundo;
    mergeCodes(this.rechazar, change.rechazar);
    mergeCodes(this.aceptarConErrores, change.aceptarConErrores);
  }

  /** Whether the holder of a certificate may act for an obligado: for itself, or as one of its `apoderados`. */
  mayActFor(obligado: string, holder: string): boolean {
    return holder === obligado || (this.apoderados.get(obligado)?.includes(holder) ?? false);
  }

  /** Waits for `latenciaMs`. */
  async lag(): Promise<void> {
    if (this.latenciaMs === 0) return;
    const { signal } = this.#latencyChanged;
    await sleep(this.latenciaMs, undefined, { signal }).catch(() => undefined);
  }

  /** The wait that this answer asks for. */
  takeTiempoEspera(): number {
    return this.tiemposEspera.shift() ?? this.tiempoEspera;
  }

  /** The mode for the call that has just come in, which counts as one of the `fallos`. */
  takeModo(): Modo {
    const { modo, fallos } = this;
    if (modo === 'normal' || fallos === null) return modo;
    this.fallos = fallos - 1;
    if (this.fallos <= 0) {
      this.modo = 'normal';
      this.fallos = null;
    }
    return fallos > 0 ? modo : 'normal';
  }

  toJSON() {
    return {
      tiempoEspera: this.tiempoEspera,
      latenciaMs: this.latenciaMs,
      fallos: this.fallos,
      modo: this.modo,
      rechazar: Object.fromEntries(this.rechazar),
      aceptarConErrores: Object.fromEntries(this.aceptarConErrores),
      tiemposEspera: this.tiemposEspera,
      nifsNoCensados: [...this.nifsNoCensados],
      censo: Object.fromEntries(this.censo),
      apoderados: Object.fromEntries(this.apoderados),
      vies: this.vies && [...this.vies],
      noContrastables: [...this.noContrastables],
      reglas2027: this.reglas2027,
      acuerdos: [...this.acuerdos],
      defectuosos: [...this.defectuosos],
      registrosPorConsulta: this.registrosPorConsulta,
      reloj: this.#clock.aeatOffsetSeconds,
      relojMundo: this.#clock.worldOffsetSeconds,
    };
  }
}

function mergeCodes(target: Map<string, number>, change: Record<string, number> = {}): void {
  for (const [key, code] of Object.entries(change)) {
    if (code === 0) target.delete(key);
    else target.set(key, code);
  }
}
