import type { PeerCertificate } from 'node:tls';

/** Who presents: the entity of the seal or of the representative, or the person. */
export interface Holder {
  readonly nif: string;
  readonly tipo: 'persona' | 'representante' | 'sello';
}

/** Reads the holder from the subject; undefined without a Spanish identifier. */
export function holderOf(certificate: PeerCertificate): Holder | undefined {
  const subject = certificate.subject as unknown as Record<string, string | string[] | undefined>;
  const entidad = /^VATES-(\w{9})$/.exec(first(subject.organizationIdentifier))?.[1];
  const persona = /^IDCES-(\w{9})$/.exec(first(subject.serialNumber))?.[1];
  if (entidad) return { nif: entidad, tipo: persona ? 'representante' : 'sello' };
  if (persona) return { nif: persona, tipo: 'persona' };
  return undefined;
}

/** A repeated attribute comes as a list. */
function first(value: string | string[] | undefined): string {
  return (Array.isArray(value) ? value[0] : value) ?? '';
}
