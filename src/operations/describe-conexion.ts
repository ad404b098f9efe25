import type { ConexionAEAT } from '../contract/invoices.ts';
import type { Deps } from '../deps.ts';
import { avisoDeCaducidad } from '../domain/certificate-expiry.ts';
import { avisoDeReloj, DESFASE_GRAVE_SEGUNDOS } from '../domain/verifactu/reloj.ts';
import { findReconcile } from '../store/cadenas.ts';
import { findCertificateDetails } from '../store/certificates.ts';
import { shared } from '../store/coalesced.ts';
import { findDespacho } from '../store/despachos.ts';
import { countByStatus } from '../store/invoice-lists.ts';
import { readTogether } from '../store/sql.ts';
import { reconcileNeeded } from './assert-can-invoice.ts';

/**
 * The details of a company's certificate that may be shown. Shared, because a panel asks for them twice as it opens.
 */
export const certificateOf = shared(findCertificateDetails);

/** How things stand with the AEAT: what waits, since when, why, and when the next try is. */
export async function describeConexion(
  { sql, clock }: Deps,
  companyId: number,
): Promise<ConexionAEAT> {
  const [certificate, [despacho, counts, reconcile]] = await Promise.all([
    certificateOf(sql, companyId),
    readTogether(sql, (tx) => [
      findDespacho(tx, companyId),
      countByStatus(tx, companyId),
      findReconcile(tx, companyId),
    ]),
  ]);
  const mensaje =
    reconcile.reconcilePeriodos.length > 0 ? reconcileNeeded(reconcile) : despacho?.lastError;
  const isUnchecked =
    reconcile.reconcilePeriodos.length > 0 && reconcile.reconcileReason !== 'falta';
  const count = (status: Parameters<typeof counts.get>[0]) => counts.get(status) ?? 0;
  const isWaiting = count('En espera') > 0;
  const isStopped = count('Rechazado') > 0 && isWaiting;
  const estado = estadoOf({
    hasCertificate: certificate !== null && certificate.validoHasta > clock(),
    isDetenido: Boolean(despacho?.detenidoAt),
    isStopped,
    hasFailed: (despacho?.failures ?? 0) > 0 && !isUnchecked,
    isWaiting,
  });
  return {
    estado,
    enEspera: count('En espera'),
    aceptadas: count('historial') + count('Aceptado con errores'),
    teNecesitan: count('Rechazado') + count('Aceptado con errores'),
    borradores: count('Borrador'),
    ...(isWaiting &&
      despacho?.waitingSince && { esperandoDesde: despacho.waitingSince.toISOString() }),
    ...(isWaiting &&
      !isStopped &&
      despacho &&
      !despacho.detenidoAt &&
      !isUnchecked && { proximoEnvio: despacho.nextEnvioAt.toISOString() }),
    ...(mensaje && { mensaje }),
    ...(typeof despacho?.desfaseSegundos === 'number' && {
      desfaseSegundos: despacho.desfaseSegundos,
    }),
    avisos: avisosOf(despacho?.desfaseSegundos ?? null, certificate?.validoHasta, clock()),
  };
}

interface Standing {
  /** A certificate that is valid now. */
  readonly hasCertificate: boolean;
  /** The AEAT refuses every message until a person fixes the cause. */
  readonly isDetenido: boolean;
  /** A rejected registro holds back those that wait behind it. */
  readonly isStopped: boolean;
  readonly hasFailed: boolean;
  readonly isWaiting: boolean;
}

/** The first state that applies: the one that most needs the owner's attention comes first. */
function estadoOf(standing: Standing): ConexionAEAT['estado'] {
  if (!standing.hasCertificate) return 'sin-certificado';
  if (standing.isDetenido) return 'detenido';
  if (standing.isStopped) return 'parado';
  if (standing.hasFailed) return 'sin-conexion';
  return standing.isWaiting ? 'enviando' : 'al-dia';
}

function avisosOf(
  desfase: number | null,
  validoHasta: Date | undefined,
  now: Date,
): ConexionAEAT['avisos'] {
  const avisos: ConexionAEAT['avisos'][number][] = [];
  const certificado = validoHasta && avisoDeCaducidad(validoHasta, now);
  if (certificado) avisos.push({ tipo: 'certificado', ...certificado });
  const reloj = avisoDeReloj(desfase);
  if (reloj) {
    const gravedad = Math.abs(desfase ?? 0) >= DESFASE_GRAVE_SEGUNDOS ? 'grave' : 'aviso';
    avisos.push({ tipo: 'reloj', gravedad, mensaje: reloj });
  }
  return avisos;
}
