import {
  type Authority,
  type CertificateRequest,
  type Identity,
  issue,
  newKey,
  OID,
  type SubjectField,
} from './authority.ts';

/** A request for a test certificate. */
export interface HolderRequest {
  readonly nif: string;
  readonly nombre: string;
  /** `sello`: entity seal. `persona`: natural person, or representative of the entity. */
  readonly tipo: 'persona' | 'sello';
  readonly isExpired: boolean;
}

const DAY = 24 * 3600 * 1000;
/** The representative of every entity here: the first DNI there is. */
const REPRESENTANTE = { nif: '00000000T', nombre: 'MARTA', apellidos: 'EJEMPLO PRUEBA' };

/** Letters of natural persons' NIFs: digits, foreigners, and K, L, M. */
export function isPersona(nif: string): boolean {
  return /^[0-9XYZKLM]/.test(nif);
}

/** Made once per process: it takes longer than all the rest of a certificate, and no holder is identified by it. */
let keyOfHolders: Promise<string> | undefined;

/** Issues the certificate with the subject that Spanish authorities use for each kind. */
export async function issueHolderCertificate(
  authority: Authority,
  request: HolderRequest,
): Promise<Identity> {
  keyOfHolders ??= newKey();
  const certificate = {
    subject: [{ type: OID.country, value: 'ES' }, ...subjectOf(request)],
    extensions: [
      {
        name: 'keyUsage',
        digitalSignature: true,
        nonRepudiation: true,
        keyEncipherment: true,
        critical: true,
      },
      { name: 'extKeyUsage', clientAuth: true, emailProtection: true },
      { name: 'subjectKeyIdentifier' },
    ],
    ...validity(request),
  };
  return issue(authority.ca, certificate, await keyOfHolders);
}

function subjectOf({ nif, nombre, tipo }: HolderRequest): SubjectField[] {
  const name = nombre.trim().toUpperCase();
  if (tipo === 'sello') {
    return [
      { type: OID.organization, value: name },
      { type: OID.organizationIdentifier, value: `VATES-${nif}` },
      { type: OID.serialNumber, value: nif },
      { type: OID.commonName, value: name },
    ];
  }
  if (isPersona(nif)) {
    const { nombre: givenName, apellidos } = splitName(name);
    return [
      { type: OID.serialNumber, value: `IDCES-${nif}` },
      { type: OID.givenName, value: givenName },
      { type: OID.surname, value: apellidos },
      { type: OID.commonName, value: `${apellidos} ${givenName} - ${nif}` },
    ];
  }
  const { nif: own, nombre: givenName, apellidos } = REPRESENTANTE;
  return [
    { type: OID.serialNumber, value: `IDCES-${own}` },
    { type: OID.givenName, value: givenName },
    { type: OID.surname, value: apellidos },
    { type: OID.commonName, value: `${own} ${givenName} ${apellidos} (R: ${nif})` },
    { type: OID.organizationIdentifier, value: `VATES-${nif}` },
    { type: OID.organization, value: name },
  ];
}

/** «ANA PÉREZ GIL» → ANA / PÉREZ GIL. A single word serves for both. */
function splitName(name: string): { nombre: string; apellidos: string } {
  const [first = name, ...rest] = name.split(/\s+/);
  return { nombre: first, apellidos: rest.join(' ') || first };
}

function validity({ isExpired }: HolderRequest): Pick<CertificateRequest, 'validFrom' | 'validTo'> {
  const now = Date.now();
  return isExpired
    ? { validFrom: new Date(now - 760 * DAY), validTo: new Date(now - 30 * DAY) }
    : { validFrom: new Date(now - DAY), validTo: new Date(now + 1460 * DAY) };
}
