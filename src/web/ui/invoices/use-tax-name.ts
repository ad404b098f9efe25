import { useQuery } from '@tanstack/react-query';
import { impuestoOf } from '../../../domain/impuestos.ts';
import { territoryOf } from '../../../domain/postal-code.ts';
import { datosEmpresaQuery } from '../../lib/queries.ts';

/** The tax that the company charges: `IVA`, `IGIC` or `IPSI`. */
export function useTaxName(): string {
  const { data: company } = useQuery(datosEmpresaQuery);
  return impuestoOf(company ? territoryOf(company.postCode, company.countryCode) : 'peninsula');
}
