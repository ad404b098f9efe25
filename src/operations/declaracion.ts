import type { DeclaracionAnswer } from '../contract/evidence.ts';
import type { Deps } from '../deps.ts';
import { DomainError } from '../domain/errors.ts';
import {
  type DeclaracionResponsable,
  declaracionResponsable,
  VERSIONES_DECLARADAS,
} from '../domain/verifactu/declaracion.ts';

/**
 * The declaración responsable of a version, by default that of this program, and the list of versions.
 *
 * @throws {DomainError} NOT_FOUND for a version that was never declared
 */
export function describeDeclaracion(
  { config }: Pick<Deps, 'config'>,
  version?: string,
): DeclaracionAnswer {
  const { titulo, apartados, anexo, ...one } = find(config, version);
  const versiones = VERSIONES_DECLARADAS.map((declarada) => declarada.version);
  const mutable = (parts: DeclaracionResponsable['apartados']) =>
    parts.map((part) => ({ ...part, parrafos: [...part.parrafos] }));
  return {
    ...one,
    titulo,
    apartados: mutable(apartados),
    anexo: mutable(anexo),
    versiones,
  };
}

/** Each version as a PDF, drawn once: anybody may ask for it, and drawing takes a hundred times as long as asking. */
const drawn = new WeakMap<Deps['config'], Map<string, Promise<Uint8Array>>>();

/**
 * The same as a PDF. Its date is the day on which the version was declared, so the file is always identical.
 *
 * @throws {DomainError} NOT_FOUND, as {@link describeDeclaracion}
 */
export async function drawDeclaracion(
  { config }: Pick<Deps, 'config'>,
  version?: string,
): Promise<{ readonly fileName: string; readonly pdf: Uint8Array }> {
  const declaracion = find(config, version);
  const known = drawn.get(config) ?? new Map<string, Promise<Uint8Array>>();
  drawn.set(config, known);
  const drawing = known.get(declaracion.version) ?? draw(config, declaracion);
  known.set(declaracion.version, drawing);
  drawing.catch(() => known.delete(declaracion.version));
  return {
    fileName: `declaracion-responsable-huella-${declaracion.version}.pdf`,
    pdf: await drawing,
  };
}

async function draw(
  config: Deps['config'],
  declaracion: DeclaracionResponsable,
): Promise<Uint8Array> {
  const declarada = VERSIONES_DECLARADAS.find((one) => one.version === declaracion.version);
  const { declaracionPdf } = await import('../pdf/declaracion-pdf.ts');
  return declaracionPdf(declaracion, {
    author: config.empresa.razonSocial,
    day: declarada?.fecha ?? '2026-11-20',
  });
}

function find(config: Deps['config'], version = config.version): DeclaracionResponsable {
  const productor = { ...config.empresa, web: config.publicUrl };
  const found = declaracionResponsable(productor, version);
  if (!found) {
    throw new DomainError(
      'NOT_FOUND',
      `No hay declaración responsable de la versión «${version}».`,
    );
  }
  return found;
}
