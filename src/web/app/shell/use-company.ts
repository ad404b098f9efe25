import { useQuery } from '@tanstack/react-query';
import {
  certificateQuery,
  companyPictureQuery,
  datosEmpresaQuery,
  datosSubscripcionQuery,
  subscriptionExpiredQuery,
} from '../../lib/queries.ts';
import { type Gate, gateOf } from './gate.ts';

/** The company data that the frame shows, already loaded by the start-up. */
export function useCompany() {
  const { data: company } = useQuery(datosEmpresaQuery);
  const { data: picture } = useQuery(companyPictureQuery);
  const { data: subscription } = useQuery(datosSubscripcionQuery);
  return {
    name: company?.Name ?? '',
    picture: picture ? `data:image/png;base64,${picture}` : null,
    isDemo: subscription?.type === 'Demo',
  };
}

export function useGate(): Gate | null {
  const { data: certificate } = useQuery(certificateQuery);
  const { data: expired } = useQuery(subscriptionExpiredQuery);
  return gateOf({ hasCertificate: certificate?.hasValue ?? true, expired: expired ?? false });
}
