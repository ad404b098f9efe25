import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Option } from '../../contract/common.ts';
import type { Certificate, DatosEmpresa, DatosSubscripcion } from '../../contract/company.ts';
import type {
  ConexionAEAT,
  InvoiceDetail,
  InvoicePage,
  MasUsados,
  ProximosNumeros,
  Resumen,
  SumasPorTipo,
  TrimestrePorTipo,
} from '../../contract/invoices.ts';
import type { Novedades } from '../../contract/novedades.ts';
import type { Cliente, Producto } from '../../contract/parties.ts';
import type { VatGroup } from '../../domain/vat.ts';
import { http, httpList } from './http.ts';

const MINUTE = 60_000;

function getData<T>(call: string, staleTime = MINUTE) {
  return queryOptions({
    queryKey: [call],
    queryFn: ({ signal }) => http<T>(`/api/GetData/${call}`, { signal }),
    staleTime,
  });
}

/** Lists that may be long: a loaded one is not sent again as long as it is unchanged. */
function getList<T extends object>(call: string) {
  return queryOptions({
    queryKey: [call],
    queryFn: ({ client, queryKey, signal }) =>
      httpList<T>(`/api/GetData/${call}`, client.getQueryData<T>(queryKey), { signal }),
    staleTime: MINUTE,
    structuralSharing: false, // A copy would have no ETag.
  });
}

/** A loaded list with the saved record: in its place, or at the end if it is new. */
export function withSaved<T extends { readonly No: string }>(
  list: readonly T[] | undefined,
  saved: T,
): T[] {
  const loaded = list ?? [];
  return loaded.some(({ No }) => No === saved.No)
    ? loaded.map((one) => (one.No === saved.No ? saved : one))
    : [...loaded, saved];
}

/** Stale time of data that only changes with a new version of the product. */
const CATALOG = Number.POSITIVE_INFINITY;

export const companyPictureQuery = getData<string>('GetCompanyPicture');
export const datosEmpresaQuery = getData<DatosEmpresa>('GetDatosEmpresa');
export const productosQuery = getList<Producto[]>('GetProductos');
export const masUsadosQuery = getData<MasUsados>('GetMasUsados');
export const clientesQuery = getList<Cliente[]>('GetClientes');
export const terminosPagoQuery = getData<Option[]>('GetTerminosPago', CATALOG);
export const formasPagoQuery = getData<Option[]>('GetFormasPago', CATALOG);
export const grupoContableQuery = getData<Option[]>('GetGrupoContable', CATALOG);
export const grupoIvaQuery = getData<VatGroup[]>('GetGrupoIVA', CATALOG);
export const unitOfMeasureQuery = getData<Option[]>('GetUnitOfMeasure', CATALOG);
export const clavesRegimenQuery = getData<Option[]>('GetClavesRegimen', CATALOG);
export const templateExcelQuery = getData<string>('GetTemplateExcel', CATALOG);
export const certificateQuery = getData<Certificate>('GetCertificate');
export const dataBaseDemoQuery = getData<boolean>('GetDataBaseDemo');
export const datosSubscripcionQuery = getData<DatosSubscripcion>('GetDatosSubscripcion');
export const subscriptionExpiredQuery = getData<boolean>('GetSubscriptionExpired');
export const enableMantenimientoQuery = getData<boolean>('GetEnableMantenimiento', MINUTE / 2);
export const textMantenimientoQuery = getData<string>('GetTextMantenimiento', MINUTE / 2);
/** Public: the sign-up asks for it too. */
export const paisesQuery = getData<Option[]>('GetPaises', CATALOG);

export interface InvoiceListParams {
  /** From 1. */
  readonly page?: number;
  readonly pageSize?: number;
  /** A column of the row, with `-` for descending, or `none`: the server's own order. */
  readonly sort?: string;
  readonly search?: string;
  readonly range?: 'day' | 'week' | 'month' | 'year' | 'all';
  /** First and last day, or empty. */
  readonly desde?: string;
  readonly hasta?: string;
  /** Each row also says what it replaces. */
  readonly sumas?: boolean;
  /** Of the history, only what is left to collect or overdue; empty for all. */
  readonly cobro?: '' | 'pendiente' | 'vencida';
}

function invoicePage(call: 'GetInvoices' | 'GetPendingInvoices', params: InvoiceListParams) {
  const { page = 1, pageSize = 8, search = '', range = 'all', sumas = false } = params;
  const { desde = '', hasta = '', cobro = '' } = params;
  // Unsorted, the order is the server's own.
  const sort = params.sort && params.sort !== 'none' ? params.sort : '-PostingDate';
  const query = new URLSearchParams({ page: `${page}`, pageSize: `${pageSize}`, range });
  if (sort !== 'none') query.set('sort', sort);
  if (search) query.set('search', search);
  if (desde) query.set('desde', desde);
  if (hasta) query.set('hasta', hasta);
  if (sumas) query.set('sumas', 'true');
  if (cobro) query.set('cobro', cobro);
  return queryOptions({
    queryKey: [
      'invoices',
      call,
      { page, pageSize, sort, search, range, desde, hasta, sumas, cobro },
    ],
    queryFn: ({ signal }) => http<InvoicePage>(`/api/GetData/${call}?${query}`, { signal }),
    staleTime: 5_000,
    placeholderData: keepPreviousData,
  });
}

/** Rows of each block of invoices in Inicio, which are loaded when the panel opens. */
export const HOME_ROWS = 3;

/** Everything under the key `['invoices']` is stale after an invoice is saved, sent or answered. */
export const invoicesQuery = (params: InvoiceListParams) => invoicePage('GetInvoices', params);
export const pendingInvoicesQuery = (params: InvoiceListParams) =>
  invoicePage('GetPendingInvoices', params);

/**
 * A part of the sums by rate of some dates.
 *
 * @param despues where the part before ended
 */
export function sumasPorTipoQuery(
  { range = 'all', desde = '', hasta = '' }: InvoiceListParams,
  despues = '',
) {
  const query = new URLSearchParams({ range });
  if (desde) query.set('desde', desde);
  if (hasta) query.set('hasta', hasta);
  if (despues) query.set('despues', despues);
  return queryOptions({
    queryKey: ['invoices', 'GetSumasPorTipo', { range, desde, hasta, despues }],
    queryFn: ({ signal }) =>
      http<SumasPorTipo>(`/api/GetData/GetSumasPorTipo?${query}`, { signal }),
  });
}

const invoiceFigures = <T>(call: string) =>
  queryOptions({
    queryKey: ['invoices', call],
    queryFn: ({ signal }) => http<T>(`/api/GetData/${call}`, { signal }),
    staleTime: 5_000,
  });

/** Changes that only time brings, such as the expiry of a certificate, are not announced (`use-news.ts`). */
export const conexionQuery = queryOptions({
  ...invoiceFigures<ConexionAEAT>('GetConexionAEAT'),
  refetchInterval: MINUTE,
});
export const resumenQuery = invoiceFigures<Resumen>('GetResumen');

/**
 * The quarter's tax by rates, asked for again when its figures are others: nothing else changes it. Late, and not among
 * the calls with which a panel opens.
 */
export const trimestrePorTipoQuery = ({ base, iva, facturas }: Resumen['trimestre']) =>
  queryOptions({
    queryKey: ['GetTrimestrePorTipo', base, iva, facturas],
    queryFn: ({ signal }) => http<TrimestrePorTipo>('/api/GetData/GetTrimestrePorTipo', { signal }),
    staleTime: MINUTE,
    enabled: facturas > 0,
    placeholderData: keepPreviousData,
  });

export const proximosNumerosQuery = invoiceFigures<ProximosNumeros>('GetProximosNumeros');

export const invoiceDetailQuery = (No: string) =>
  queryOptions({
    queryKey: ['invoices', 'GetInvoiceDetail', No],
    queryFn: ({ signal }) =>
      http<InvoiceDetail>('/api/PostData/GetInvoiceDetail', { json: { No }, signal }),
    staleTime: 5_000,
  });

/**
 * The version of the company's screens, or `known` if it is unchanged.
 *
 * @param options.waitSeconds how long the server may hold the answer while it is
 */
export const askNovedades = (
  known: Novedades | undefined,
  options: { readonly signal: AbortSignal; readonly waitSeconds?: number },
) => httpList<Novedades>('/api/GetData/GetNovedades', known, options);

/** The version before anything was loaded, with which `use-news.ts` begins. */
export const novedadesQuery = queryOptions({
  queryKey: ['GetNovedades'],
  queryFn: ({ signal }) => askNovedades(undefined, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
  structuralSharing: false, // A copy would have no ETag.
});
