import type { Certificate, DatosEmpresa } from '../../../contract/company.ts';
import { companyFieldPath, PATHS } from '../../lib/paths.ts';
import { missingDatum } from './missing-datum.ts';

export interface FirstStep {
  readonly name: string;
  /** What is still missing, when part of it is done. */
  readonly note?: string;
  readonly done: boolean;
  readonly action: string;
  readonly to: string;
  /** Another way to do it. */
  readonly other?: { readonly action: string; readonly to: string };
}

export interface Begun {
  readonly company: DatosEmpresa;
  readonly certificate: Pick<Certificate, 'hasValue' | 'caducado'>;
  readonly hasLogo: boolean;
  readonly hasCustomers: boolean;
  readonly hasInvoices: boolean;
}

/** What a new company does first. Empty when nothing is missing. */
export function firstStepsOf(begun: Begun): readonly FirstStep[] {
  const { company, certificate, hasLogo, hasCustomers, hasInvoices } = begun;
  const missing = missingDatum(company);
  const isExpired = certificate.hasValue && certificate.caducado === true;
  const steps: readonly FirstStep[] = [
    {
      name: 'Datos de la empresa',
      ...(missing && { note: missing.note }),
      done: missing === null,
      action: 'Completar datos',
      to: companyFieldPath(missing?.field ?? 'Name'),
    },
    {
      name: 'Certificado digital',
      ...(isExpired && { note: 'Ha caducado' }),
      done: certificate.hasValue && !isExpired,
      action: isExpired ? 'Renovar' : 'Subir certificado',
      to: `${PATHS.profile}#certificado`,
    },
    {
      name: 'Logotipo',
      done: hasLogo,
      action: 'Subir logotipo',
      to: `${PATHS.profile}#cuenta`,
    },
    {
      name: 'Primer cliente',
      done: hasCustomers,
      action: 'Crear cliente',
      to: PATHS.customers,
      other: { action: 'Importar los que tienes', to: PATHS.import },
    },
    { name: 'Primera factura', done: hasInvoices, action: 'Crear factura', to: PATHS.create },
  ];
  const left = steps.filter(({ done }) => !done);
  // A company that had done them all does not begin again when its certificate expires: the banner above says so.
  return left.length === 0 || (isExpired && left.length === 1) ? [] : steps;
}
