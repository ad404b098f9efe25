import { useQuery } from '@tanstack/react-query';
import { impuestoOf } from '../../../domain/impuestos.ts';
import { territoryOf } from '../../../domain/postal-code.ts';
import { datosEmpresaQuery } from '../../lib/queries.ts';

/** The form on which a tax is declared; the cities that charge IPSI have one each. */
export const MODELO: Readonly<Record<string, string>> = { IVA: '303', IGIC: '420' };

/** The tax that the company charges: `IVA`, `IGIC` or `IPSI`. */
export function useTaxName(): string {
  const { data: company } = useQuery(datosEmpresaQuery);
  return impuestoOf(company ? territoryOf(company.postCode, company.countryCode) : 'peninsula');
}
