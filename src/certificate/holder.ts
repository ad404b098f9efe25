import type { X509Certificate } from 'node:crypto';
import { cut } from '../domain/cut.ts';
import type { CertificateDetails } from '../store/certificates.ts';
import { Asn1Error, childrenOf, oidOf, textOf } from './asn1.ts';
import { TBS, tbsFieldsOf } from './tbs.ts';

/** Whom a certificate identifies to the AEAT. */
export type Holder = Pick<CertificateDetails, 'titular' | 'nif' | 'tipo' | 'emisor'>;

const OID = {
  commonName: '2.5.4.3',
  surname: '2.5.4.4',
  serialNumber: '2.5.4.5',
  organization: '2.5.4.10',
  givenName: '2.5.4.42',
  organizationIdentifier: '2.5.4.97',
} as const;

/** Longer than any name of an authority (X.520 allows 64 characters). */
const MAX_NAME = 300;

const PERSON_NIF = /^(\d{8}[A-Z]|[XYZKLM]\d{7}[A-Z])$/;
const ENTITY_NIF = /^[ABCDEFGHJNPQRSUVW]\d{7}[0-9A-J]$/;

/**
 * Reads the holder from the subject, in the form used by Spanish authorities (ETSI EN 319 412-1 §5.1.3): persons have
 * `IDCES-` and their NIF in serialNumber, entities `VATES-` and theirs in organizationIdentifier. With both it is a
 * representative of an entity; with only the entity's, its seal. Older ones contain the bare NIF.
 *
 * @returns null when the certificate contains no recognisable Spanish NIF
 */
export function holderOf(certificate: X509Certificate): Holder | null {
  try {
    return holderNamed(namesOf(certificate, 'subject'), namesOf(certificate, 'issuer'));
  } catch (error) {
    if (error instanceof Asn1Error) return null;
    throw error;
  }
}

function holderNamed(
  subject: ReadonlyMap<string, string>,
  issuer: ReadonlyMap<string, string>,
): Holder | null {
  const ids = [subject.get(OID.organizationIdentifier), subject.get(OID.serialNumber)].map(bareNif);
  const entity = ids.find((id) => ENTITY_NIF.test(id));
  const person = ids.find((id) => PERSON_NIF.test(id));
  const emisor =
    issuer.get(OID.commonName) ?? issuer.get(OID.organization) ?? 'Autoridad desconocida';
  const name = [subject.get(OID.givenName), subject.get(OID.surname)].filter(Boolean).join(' ');
  const commonName = subject.get(OID.commonName) ?? '';

  if (entity) {
    return {
      nif: entity,
      titular: subject.get(OID.organization) ?? commonName,
      tipo: person || name ? 'representante' : 'sello',
      emisor,
    };
  }
  return person ? { nif: person, titular: name || commonName, tipo: 'persona', emisor } : null;
}

function bareNif(id: string | undefined): string {
  return (id ?? '').toUpperCase().replace(/^(IDCES|VATES|NTRES|IDES|ES)-?/, '');
}

/**
 * The attributes of subject or issuer by OID, the first of each. Read from the DER, because node's text uses
 * OpenSSL's names and does not escape line ends.
 */
function namesOf(certificate: X509Certificate, which: keyof typeof TBS): Map<string, string> {
  const names = new Map<string, string>();
  for (const set of childrenOf(tbsFieldsOf(certificate)[TBS[which]])) {
    for (const attribute of childrenOf(set)) {
      const [type, value] = childrenOf(attribute);
      const oid = oidOf(type);
      if (!names.has(oid)) names.set(oid, oneLine(textOf(value)));
    }
  }
  return names;
}

/** Whoever made the certificate may have written anything: lines, controls, even U+0000, which PostgreSQL refuses. */
function oneLine(text: string): string {
  return cut(text.replace(/[\p{C}\s]+/gu, ' ').trim(), MAX_NAME);
}
