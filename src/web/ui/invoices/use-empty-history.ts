import { useQuery } from '@tanstack/react-query';
import { conexionQuery } from '../../lib/queries.ts';

/** The text of an empty history: what the AEAT has not accepted yet is registered, but listed elsewhere. */
export function useEmptyHistory(): string {
  const { data } = useQuery(conexionQuery);
  const isElsewhere = data !== undefined && data.enEspera + data.teNecesitan > 0;
  return isElsewhere
    ? 'Lo que has registrado está en Facturas pendientes hasta que la AEAT lo acepte'
    : 'Todavía no has registrado ninguna factura';
}
