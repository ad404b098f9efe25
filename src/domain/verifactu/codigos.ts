/**
 * What each answer of the AEAT means for the user: what happened, where, and what to press. The sentences are ours;
 * the AEAT's are kept with the answer, for support.
 */

import { cut, lengthOf } from '../cut.ts';
import { type Codigo, FAMILIAS } from './codigos-tabla.ts';

export interface ContextoCodigo {
  /** DescripcionErrorRegistro or faultstring; empty if not available. */
  readonly descripcion: string;
}

const MAX_QUOTE = 300;

const CODIGOS: ReadonlyMap<number, Codigo> = new Map(
  FAMILIAS.flatMap(({ codigos, ...codigo }) => codigos.map((code) => [code, codigo] as const)),
);

/** Undefined for a code that the AEAT's table of 18-08-2026 does not have. */
export function codigoOf(code: number): Codigo | undefined {
  return CODIGOS.get(code);
}

/**
 * The sentence to show for a code, ending with the code itself; null when the AEAT gave none, which its schema
 * allows.
 */
export function mensajeDeCodigo(code: number | null, { descripcion }: ContextoCodigo): string {
  const codigo = code === null ? undefined : codigoOf(code);
  const quote = `La AEAT dice: «${shorten(descripcion)}».`;
  if (code === null || !codigo) {
    const what =
      code === null
        ? 'La AEAT no lo ha dado por bueno y no dice con qué código.'
        : 'La AEAT ha respondido con un código que Huella no conoce.';
    const way = 'Si no sabes qué hacer, escríbenos desde Ayuda y soporte.';
    const said = descripcion.trim() !== '' && quote;
    return [what, said, way, code !== null && suffix(code)].filter(Boolean).join(' ');
  }
  const isQuoted = codigo.citaDescripcion && descripcion !== '';
  return [codigo.mensaje, isQuoted && quote, suffix(code)].filter(Boolean).join(' ');
}

/** The sentence to show for a message or a query that the AEAT refused as a whole. */
export function mensajeDeFault({
  code,
  faultstring,
}: {
  readonly code?: number;
  readonly faultstring: string;
}): string {
  if (code === undefined && faultstring.trim() !== '') return faultstring;
  return mensajeDeCodigo(code ?? null, { descripcion: faultstring });
}

/** True when the same registro may be sent again unchanged, without any action by a person. */
export function esReintentable(code: number): boolean {
  return codigoOf(code)?.esTecnico ?? false;
}

function suffix(code: number): string {
  return `(AEAT ${code})`;
}

function shorten(text: string): string {
  const clean = text.replace(/\s+/g, ' ').trim().replace(/\.$/, '');
  return lengthOf(clean) > MAX_QUOTE ? `${cut(clean, MAX_QUOTE)}…` : clean;
}
