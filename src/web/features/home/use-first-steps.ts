import { useQuery } from '@tanstack/react-query';
import {
  certificateQuery,
  clientesQuery,
  companyPictureQuery,
  datosEmpresaQuery,
  HOME_ROWS,
  invoicesQuery,
  pendingInvoicesQuery,
} from '../../lib/queries.ts';
import { type FirstStep, firstStepsOf } from './first-steps-of.ts';

/** What is left to begin with. Empty until everything is loaded, so that nothing appears and vanishes. */
export function useFirstSteps(): readonly FirstStep[] {
  const { data: company } = useQuery(datosEmpresaQuery);
  const { data: certificate } = useQuery(certificateQuery);
  const { data: picture } = useQuery(companyPictureQuery);
  const { data: customers } = useQuery(clientesQuery);
  const { data: history } = useQuery(invoicesQuery({ pageSize: HOME_ROWS }));
  const { data: pending } = useQuery(pendingInvoicesQuery({ pageSize: HOME_ROWS }));
  if (!company || !certificate || picture === undefined || !customers || !history) return [];
  return firstStepsOf({
    company,
    certificate,
    hasLogo: picture !== '',
    // The default client of simplified invoices is created with the company, so it does not count.
    hasCustomers: customers.some(({ No }) => No !== company.Customer),
    hasInvoices:
      history.total > 0 || (pending?.rows.some(({ Status }) => Status !== 'Borrador') ?? false),
  });
}
