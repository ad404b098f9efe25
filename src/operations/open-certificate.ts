import { openEnvelope } from '../certificate/seal.ts';
import type { Deps } from '../deps.ts';
import { type CertificateDetails, findCertificate } from '../store/certificates.ts';

/** Name of this secret in its encryption context, which binds it to its company. */
export const CERTIFICATE_SEAL = 'certificado';

/** Key and certificates in the form that TLS needs. Never written to disk, to a log or to an answer. */
export interface ClientCertificate {
  readonly keyPem: string;
  /** The certificate followed by the chain up to its authority. */
  readonly certPem: string;
  readonly tipo: CertificateDetails['tipo'];
  readonly nif: string;
  /** SHA-256 of the certificate: identifies it. */
  readonly huella: string;
  readonly validoHasta: Date;
}

/** The encrypted content of a certificate, as JSON. */
export interface SealedCertificate {
  readonly keyPem: string;
  readonly certPem: string;
}

/**
 * Opens a company's certificate to talk to the AEAT with it; null when it has none.
 *
 * @throws {SealBroken} when the master key is another one, or the row was tampered with
 */
export async function openCertificate(
  { sql, config }: Pick<Deps, 'sql' | 'config'>,
  companyId: number,
): Promise<ClientCertificate | null> {
  const stored = await findCertificate(sql, companyId);
  if (!stored) return null;
  const content = openEnvelope(config.claveMaestra, companyId, CERTIFICATE_SEAL, stored);
  const { keyPem, certPem }: SealedCertificate = JSON.parse(content.toString());
  content.fill(0);
  return {
    keyPem,
    certPem,
    tipo: stored.tipo,
    nif: stored.nif,
    huella: stored.huella,
    validoHasta: stored.validoHasta,
  };
}
