import type { DatosEmpresa } from '../contract/company.ts';
import type { Deps } from '../deps.ts';
import { formatNoSerie } from '../domain/series.ts';
import { findSeries } from '../store/series.ts';
import { companyOf } from './company-of.ts';

/** The company's data as the profile shows them; `NoSerie` is the next ordinary number. */
export async function readDatosEmpresa(
  deps: Pick<Deps, 'sql'>,
  companyId: number,
): Promise<DatosEmpresa> {
  const [company, series] = await Promise.all([
    companyOf(deps, companyId),
    findSeries(deps.sql, companyId),
  ]);
  const ordinary = series.get('F');
  return {
    Email: company.email,
    Name: company.name,
    VATRegistrationNo: company.nif,
    Address: company.address,
    countryCode: company.countryCode,
    postCode: company.postCode,
    PaymentTerms: company.paymentTerms,
    PaymentMethod: company.paymentMethod,
    CustomerPostingGroup: company.customerPostingGroup,
    Customer: company.defaultCustomerNo,
    NoSerie: ordinary ? formatNoSerie(ordinary) : '',
    IBAN: company.iban,
    Telefono: company.phone,
    Municipio: company.municipio,
    RetencionPorDefecto: company.defaultRetention,
    ImpuestoPorDefecto: company.defaultTax,
    DatosRegistrales: company.registryData,
  };
}
