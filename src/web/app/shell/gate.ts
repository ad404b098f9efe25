import { CERTIFICATE_NEEDED, SUBSCRIPTION_EXPIRED } from '../../../domain/closed-panel.ts';
import { PATHS } from '../../lib/paths.ts';

/** Why most of the panel is closed, in the user's words, and where to solve it. */
export interface Gate {
  readonly sentence: string;
  readonly action: string;
  /** The section of the profile where it is solved. */
  readonly section: 'certificado' | 'suscripcion';
}

/** The address of the section that solves it. */
export function sectionPath({ section }: Gate): string {
  return `${PATHS.profile}#${section}`;
}

/** What a closed panel still shows. */
export const MEANWHILE = 'Mientras tanto tienes el historial, la ayuda y tu perfil.';
/** The same, before a subscription ends. */
export const AFTERWARDS = 'Después tendrás el historial, la ayuda y tu perfil.';

const NO_CERTIFICATE: Gate = {
  sentence: CERTIFICATE_NEEDED,
  action: 'Subir el certificado',
  section: 'certificado',
};
const EXPIRED: Gate = {
  sentence: SUBSCRIPTION_EXPIRED,
  action: 'Ver la suscripción',
  section: 'suscripcion',
};

/** The gate with that sentence, which the server also uses in its refusals. */
export function gateSaying(sentence: string): Gate | undefined {
  return [NO_CERTIFICATE, EXPIRED].find((gate) => gate.sentence === sentence);
}

/** The gate of a company, or null when everything is open. An expired subscription takes precedence. */
export function gateOf(company: {
  readonly hasCertificate: boolean;
  readonly expired: boolean;
}): Gate | null {
  if (company.expired) return EXPIRED;
  return company.hasCertificate ? null : NO_CERTIFICATE;
}

const ALWAYS_OPEN: readonly string[] = [
  PATHS.profile,
  PATHS.history,
  PATHS.help,
  PATHS.faq,
  PATHS.about,
  PATHS.declaration,
  PATHS.evidence, // Registered invoices are their owner's, paid or not.
  PATHS.businessCentral, // A part of the profile.
  '/panel/facturas', // The page of an invoice belongs to the history.
];

/** Whether a closed panel still shows that address. */
export function isAlwaysOpen(pathname: string): boolean {
  return ALWAYS_OPEN.some((path) => pathname === path || pathname.startsWith(`${path}/`));
}
