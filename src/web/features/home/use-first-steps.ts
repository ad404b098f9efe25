import { useQuery } from '@tanstack/react-query';
import { companyFieldPath, PATHS } from '../../lib/paths.ts';
import {
  certificateQuery,
  clientesQuery,
  companyPictureQuery,
  datosEmpresaQuery,
  invoicesQuery,
  pendingInvoicesQuery,
} from '../../lib/queries.ts';
import { missingDatum } from './missing-datum.ts';

/** Rows of each block of invoices. */
export const BLOCK_ROWS = 3;

export interface FirstStep {
  readonly name: string;
  /** What is still missing, when part of it is done. */
  readonly note?: string;
  readonly done: boolean;
  readonly action: string;
  readonly to: string;
}

/** What a new company does first. Empty until everything is loaded, so that nothing appears and vanishes. */
export function useFirstSteps(): readonly FirstStep[] {
  const { data: company } = useQuery(datosEmpresaQuery);
  const { data: certificate } = useQuery(certificateQuery);
  const { data: picture } = useQuery(companyPictureQuery);
  const { data: customers } = useQuery(clientesQuery);
  const { data: history } = useQuery(invoicesQuery({ pageSize: BLOCK_ROWS }));
  const { data: pending } = useQuery(pendingInvoicesQuery({ pageSize: BLOCK_ROWS }));
  if (!company || !certificate || picture === undefined || !customers || !history) return [];

  const missing = missingDatum(company);
  return [
    {
      name: 'Datos de la empresa',
      ...(missing && { note: missing.note }),
      done: missing === null,
      action: 'Completar datos',
      to: companyFieldPath(missing?.field ?? 'Name'),
    },
    {
      name: 'Certificado digital',
      done: certificate.hasValue,
      action: 'Subir certificado',
      to: `${PATHS.profile}#certificado`,
    },
    {
      name: 'Logotipo',
      done: picture !== '',
      action: 'Subir logotipo',
      to: `${PATHS.profile}#cuenta`,
    },
    {
      name: 'Primer cliente',
      // The default client of simplified invoices is created with the company, so it does not count.
      done: customers.some(({ No }) => No !== company.Customer),
      action: 'Crear cliente',
      to: PATHS.customers,
    },
    {
      name: 'Primera factura',
      done:
        history.total > 0 || (pending?.rows.some(({ Status }) => Status !== 'Borrador') ?? false),
      action: 'Crear factura',
      to: PATHS.create,
    },
  ];
}
