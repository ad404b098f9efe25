import type { Certificate } from '../contract/company.ts';
import type { Tx } from './sql.ts';

/** The details of a certificate that may be shown. Key and chain are stored apart, encrypted. */
export interface CertificateDetails {
  readonly fileName: string;
  readonly titular: string;
  /** NIF of whom it identifies to the AEAT; in a certificate of an entity's representative, that of the entity. */
  readonly nif: string;
  readonly tipo: NonNullable<Certificate['tipo']>;
  readonly emisor: string;
  /** Serial number, upper-case hexadecimal. */
  readonly serie: string;
  /** SHA-256 of the certificate, upper-case hexadecimal. */
  readonly huella: string;
  readonly validoDesde: Date;
  readonly validoHasta: Date;
}

/** Encrypted content, as `certificate/seal.ts` makes it. */
export interface Sealed {
  readonly kekId: string;
  readonly sealedKey: Buffer;
  readonly sealed: Buffer;
}

export interface StoredCertificate extends CertificateDetails, Sealed {}

/** The part of a row that may be shown. */
export interface DetailsRow {
  file_name: string;
  titular: string;
  nif: string;
  tipo: NonNullable<Certificate['tipo']>;
  emisor: string;
  serie: string;
  huella_certificado: string;
  valido_desde: Date;
  valido_hasta: Date;
}

interface CertificateRow extends DetailsRow {
  kek_id: string;
  sealed_key: Buffer;
  sealed: Buffer;
}

/** The details of a company's certificate, without its encrypted content. */
export async function findCertificateDetails(
  tx: Tx,
  companyId: number,
): Promise<CertificateDetails | null> {
  const [row] = await tx<DetailsRow[]>`
    select file_name, titular, nif, tipo, emisor, serie, huella_certificado, valido_desde,
           valido_hasta
      from certificates
     where company_id = ${companyId}`;
  return row ? detailsFromRow(row) : null;
}

/** The whole certificate, to be decrypted. */
export async function findCertificate(
  tx: Tx,
  companyId: number,
): Promise<StoredCertificate | null> {
  const [row] = await tx<CertificateRow[]>`
    select kek_id, sealed_key, sealed, file_name, titular, nif, tipo, emisor, serie,
           huella_certificado, valido_desde, valido_hasta
      from certificates
     where company_id = ${companyId}`;
  return row ? fromRow(row) : null;
}

/** Saves a company's certificate in place of the previous one, of which nothing remains. */
export async function saveCertificate(
  tx: Tx,
  companyId: number,
  certificate: StoredCertificate,
  now: Date,
): Promise<void> {
  await tx`
    insert into certificates (company_id, kek_id, sealed_key, sealed, file_name, titular, nif, tipo,
           emisor, serie, huella_certificado, valido_desde, valido_hasta, updated_at)
    values (${companyId}, ${certificate.kekId}, ${certificate.sealedKey}, ${certificate.sealed},
            ${certificate.fileName}, ${certificate.titular}, ${certificate.nif},
            ${certificate.tipo}, ${certificate.emisor}, ${certificate.serie},
            ${certificate.huella}, ${certificate.validoDesde}, ${certificate.validoHasta}, ${now})
        on conflict (company_id) do update
       set kek_id = excluded.kek_id, sealed_key = excluded.sealed_key, sealed = excluded.sealed,
           file_name = excluded.file_name, titular = excluded.titular, nif = excluded.nif,
           tipo = excluded.tipo, emisor = excluded.emisor, serie = excluded.serie,
           huella_certificado = excluded.huella_certificado, valido_desde = excluded.valido_desde,
           valido_hasta = excluded.valido_hasta, updated_at = excluded.updated_at`;
}

export async function deleteCertificate(tx: Tx, companyId: number): Promise<void> {
  await tx`delete from certificates where company_id = ${companyId}`;
}

/** A certificate about whose expiry its owner has to be warned. */
export interface ExpiringCertificate {
  readonly companyId: number;
  readonly huella: string;
  readonly validoHasta: Date;
}

/**
 * Certificates of open accounts that expire in a span and whose owner has not had the warning of that many days,
 * soonest first.
 */
export async function findCertificatesToWarn(
  tx: Tx,
  dias: number,
  { after, until, limit }: { readonly after: Date; readonly until: Date; readonly limit: number },
): Promise<ExpiringCertificate[]> {
  return tx<ExpiringCertificate[]>`
    select c.company_id as "companyId", c.huella_certificado as huella,
           c.valido_hasta as "validoHasta"
      from certificates c
      join companies k on k.id = c.company_id
     where c.valido_hasta > ${after} and c.valido_hasta <= ${until} and k.deleted_at is null
       and not exists (select 1 from certificate_warnings w
                        where w.company_id = c.company_id
                          and w.huella_certificado = c.huella_certificado and w.days = ${dias})
     order by c.valido_hasta
     limit ${limit}`;
}

/** In the place of the days of a warning: the AEAT has refused the certificate time and again. */
export const REFUSED = -1;

/** @returns false when that warning was already sent */
export async function keepWarning(
  tx: Tx,
  companyId: number,
  { huella, dias, now }: { readonly huella: string; readonly dias: number; readonly now: Date },
): Promise<boolean> {
  const { count } = await tx`
    insert into certificate_warnings (company_id, huella_certificado, days, warned_at)
    values (${companyId}, ${huella}, ${dias}, ${now})
        on conflict do nothing`;
  return count > 0;
}

function fromRow(row: CertificateRow): StoredCertificate {
  return {
    ...detailsFromRow(row),
    kekId: row.kek_id,
    sealedKey: row.sealed_key,
    sealed: row.sealed,
  };
}

export function detailsFromRow(row: DetailsRow): CertificateDetails {
  return {
    fileName: row.file_name,
    titular: row.titular,
    nif: row.nif,
    tipo: row.tipo,
    emisor: row.emisor,
    serie: row.serie,
    huella: row.huella_certificado,
    validoDesde: row.valido_desde,
    validoHasta: row.valido_hasta,
  };
}
