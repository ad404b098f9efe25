import type { Certificate } from '../../../contract/company.ts';
import { fecha } from '../../lib/format.ts';
import { daysLeft, daysUntil } from './expiry.ts';

export interface CertificateFinding {
  readonly tone: 'bien' | 'aviso' | 'mal';
  readonly text: string;
  /** The evidence, on the right. */
  readonly evidence: string;
}

/** Renewing a certificate takes days of paperwork: it is recommended from two months before on. */
const RENEWAL_DAYS = 60;

export const KINDS: Readonly<Record<NonNullable<Certificate['tipo']>, string>> = {
  persona: 'de persona física',
  representante: 'de representante',
  sello: 'de sello',
};

/**
 * What was checked about the stored certificate, in plain words.
 *
 * @param nif the company's own
 * @param today where the company is, `2026-11-20`
 */
export function certificateFindings(
  certificate: Certificate,
  nif: string,
  today: string,
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
    ...validity(certificate, today),
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

function validity(
  { validoDesde, validoHasta, caducado }: Certificate,
  today: string,
): CertificateFinding[] {
  if (!validoHasta) return [];
  const days = daysUntil(validoHasta, today);
  const until = fecha(validoHasta);
  if (caducado) {
    const text = `Caducó el ${until}. Sube uno en vigor`;
    return [{ tone: 'mal', text, evidence: 'caducado' }];
  }
  const evidence = daysLeft(days);
  if (validoDesde && daysUntil(validoDesde, today) > 0) {
    const text = `Todavía no vale: empieza el ${fecha(validoDesde)}`;
    return [{ tone: 'mal', text, evidence: `hasta el ${until}` }];
  }
  if (days <= RENEWAL_DAYS) {
    return [{ tone: 'aviso', text: `Caduca el ${until}. Renuévalo ya para no parar`, evidence }];
  }
  const since = validoDesde
    ? `Vale del ${fecha(validoDesde)} al ${until}`
    : `Vale hasta el ${until}`;
  return [{ tone: 'bien', text: since, evidence }];
}
