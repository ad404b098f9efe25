import { z } from 'zod';
import type { SimulatedClock } from '../clock.ts';

const MODOS = [
  'normal',
  'cortar-antes',
  'cortar-despues',
  'http-503',
  'fault',
  'xml-roto',
  'silencio',
] as const;
export type Modo = (typeof MODOS)[number];

const codes = z.record(z.string(), z.number().int().min(0).max(99_999));

/** What `POST /desarrollo/aeat/comportamiento` admits; what is not given stays as it was. */
const Change = z.strictObject({
  tiempoEspera: z.number().int().min(0).max(9999).optional(),
  latenciaMs: z.number().int().min(0).max(600_000).optional(),
  fallos: z.number().int().min(0).nullable().optional(),
  modo: z.enum(MODOS).optional(),
  rechazar: codes.optional(),
  aceptarConErrores: codes.optional(),
  nifsNoCensados: z.array(z.string()).optional(),
  acuerdos: z.array(z.string()).optional(),
  registrosPorConsulta: z.number().int().min(1).max(10_000).optional(),
  reloj: z.number().optional(),
  relojMundo: z.number().optional(),
});

/**
 * How the simulated AEAT behaves from now on. Lives in memory: a restart goes back to normal.
 *
 * - `modo` affects the next `fallos` calls (all of them while `fallos` is null), whatever their
 *   operation, and then goes back to `normal`.
 * - `cortar-antes`, `http-503`, `fault`, `xml-roto` and `silencio` store nothing;
 *   `cortar-despues` stores and then cuts the connection.
 * - `latenciaMs` is waited after storing, before answering.
 * - `rechazar` matches NumSerieFactura, or the NIF of the issuer or of a recipient. A code of
 *   2000-2999 accepts with that warning instead; one of 4100-4199 under the issuer's NIF is a
 *   Fault of the whole message.
 */
export class Behaviour {
  tiempoEspera: number;
  latenciaMs = 0;
  fallos: number | null = null;
  modo: Modo = 'normal';
  readonly rechazar = new Map<string, number>();
  readonly aceptarConErrores = new Map<string, number>();
  nifsNoCensados: ReadonlySet<string> = new Set();
  /** Agreements of the AEAT (`NumRegistroAcuerdoFacturacion`…) that exist. */
  acuerdos: ReadonlySet<string> = new Set();
  registrosPorConsulta = 10_000;
  readonly #clock: SimulatedClock;

  constructor(clock: SimulatedClock, tiempoEspera: number) {
    this.#clock = clock;
    this.tiempoEspera = tiempoEspera;
  }

  /** @throws {z.ZodError} */
  change(body: unknown): void {
    const change = Change.parse(body);
    if (change.tiempoEspera !== undefined) this.tiempoEspera = change.tiempoEspera;
    if (change.latenciaMs !== undefined) this.latenciaMs = change.latenciaMs;
    if (change.modo === 'normal') this.fallos = null;
    if (change.modo !== undefined) this.modo = change.modo;
    if (change.fallos !== undefined) this.fallos = change.fallos;
    if (change.nifsNoCensados) this.nifsNoCensados = new Set(change.nifsNoCensados);
    if (change.acuerdos) this.acuerdos = new Set(change.acuerdos);
    if (change.registrosPorConsulta) this.registrosPorConsulta = change.registrosPorConsulta;
    if (change.reloj !== undefined) this.#clock.aeatOffsetSeconds = change.reloj;
    if (change.relojMundo !== undefined) this.#clock.worldOffsetSeconds = change.relojMundo;
    mergeCodes(this.rechazar, change.rechazar);
    mergeCodes(this.aceptarConErrores, change.aceptarConErrores);
  }

  /** The mode of the call that has just come in: it counts as one of the `fallos`. */
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
      nifsNoCensados: [...this.nifsNoCensados],
      acuerdos: [...this.acuerdos],
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
