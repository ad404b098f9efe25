import type { Certificate } from '../../../contract/company.ts';

export interface CertificateFinding {
  readonly tone: 'bien' | 'aviso' | 'mal';
  readonly text: string;
  /** What it is known from, at the right. */
  readonly evidence: string;
}

/** A certificate's renewal takes days of paperwork: it is asked for from two months before. */
const RENEWAL_DAYS = 60;
const DAY_MS = 86_400_000;

const date = new Intl.DateTimeFormat('es-ES', {
  day: '2-digit',
  month: '2-digit',
  year: 'numeric',
});

export const KINDS: Readonly<Record<NonNullable<Certificate['tipo']>, string>> = {
  persona: 'de persona física',
  representante: 'de representante',
  sello: 'de sello',
};

/** Whole days until that moment, rounded up: what expires this afternoon has one left. */
export function daysUntil(moment: string, now: number): number {
  return Math.ceil((Date.parse(moment) - now) / DAY_MS);
}

export function daysLeft(days: number): string {
  if (days <= 0) return 'caducado';
  return days === 1 ? 'queda 1 día' : `quedan ${days.toLocaleString('es-ES')} días`;
}

/** `20/11/2026`, in the browser's own time zone. */
export function shortDate(moment: string): string {
  return date.format(Date.parse(moment));
}

/**
 * What was checked of the stored certificate, in plain words.
 *
 * @param nif the company's own
 * @param now milliseconds since 1970
 */
export function certificateFindings(
  certificate: Certificate,
  nif: string,
  now: number,
): CertificateFinding[] {
  return [
    {
      tone: 'bien',
      text: 'La contraseña abre el archivo y contiene la clave privada',
      evidence: certificate.FileName ?? '',
    },
    {
      tone: 'bien',
      text: `Certificado ${certificate.tipo ? KINDS[certificate.tipo] : ''}, emitido por`.replace(
        ' ,',
        ',',
      ),
      evidence: certificate.emisor ?? '',
    },
    holder(certificate, nif),
    ...validity(certificate, now),
  ];
}

function holder({ nif = '' }: Certificate, companyNif: string): CertificateFinding {
  return nif === companyNif
    ? { tone: 'bien', text: 'El NIF es el de tu empresa', evidence: nif }
    : {
        tone: 'mal',
        text: `El NIF no es el de tu empresa (${companyNif}). Sube el suyo`,
        evidence: nif,
      };
}

function validity({ validoDesde, validoHasta }: Certificate, now: number): CertificateFinding[] {
  if (!validoHasta) return [];
  const days = daysUntil(validoHasta, now);
  const until = shortDate(validoHasta);
  const evidence = daysLeft(days);
  if (validoDesde && Date.parse(validoDesde) > now) {
    const text = `Todavía no vale: empieza el ${shortDate(validoDesde)}`;
    return [{ tone: 'mal', text, evidence: `hasta el ${until}` }];
  }
  if (days <= 0) {
    return [{ tone: 'mal', text: `Caducó el ${until}. Sube uno en vigor`, evidence }];
  }
  if (days <= RENEWAL_DAYS) {
    return [{ tone: 'aviso', text: `Caduca el ${until}. Renuévalo ya para no parar`, evidence }];
  }
  const since = validoDesde
    ? `Vale del ${shortDate(validoDesde)} al ${until}`
    : `Vale hasta el ${until}`;
  return [{ tone: 'bien', text: since, evidence }];
}
