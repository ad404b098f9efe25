import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type {
  EditInvoice,
  FacturaEmitida,
  SetFacturasAnswer,
  ValidarFacturaAnswer,
} from '../../../contract/invoices.ts';
import type { Producto } from '../../../contract/parties.ts';
import { centsToText, numberToCents } from '../../../domain/money.ts';
import type { PagadoAntes } from '../../../domain/paid-before.ts';
import { http } from '../../lib/http.ts';
import { makeOnce } from '../../lib/make-once.ts';
import { productosQuery, withSaved } from '../../lib/queries.ts';
import { requireToken } from '../../lib/require-token.ts';

type InvoiceFields = Readonly<Record<string, string>>;

/** Saves, registers, or registers and sends, depending on `accionFactura`. */
export async function setFacturas(form: InvoiceFields, idempotencyKey: string) {
  requireToken('No hay token de autenticación');
  return http<SetFacturasAnswer>('/api/PostData/SetFacturas', { form, idempotencyKey });
}

/** The rules that registering applies, without saving anything. */
export function validarFactura(
  form: InvoiceFields,
  signal: AbortSignal,
): Promise<ValidarFacturaAnswer> {
  return http<ValidarFacturaAnswer>('/api/PostData/ValidarFactura', { form, signal });
}

/** What the client has paid already, as the server computes it for an F3 that is not registered. */
export function pagadoOf({ pagado }: ValidarFacturaAnswer): PagadoAntes | null {
  return pagado ? { ...pagado, importe: centsToText(numberToCents(pagado.importe)) } : null;
}

/** The fields of a saved draft, or of a registered invoice. */
export async function getEditInvoice(No: string): Promise<EditInvoice> {
  requireToken('El token ha caducado');
  return http<EditInvoice>('/api/PostData/GetEditInvoice', { json: { No } });
}

/** Registered invoices that may be rectified or exchanged, with their amounts: by number, or matching a text. */
export function facturasEmitidasQuery(query: {
  readonly search?: string;
  readonly numeros?: readonly string[];
  readonly canjeables?: boolean;
  readonly completas?: boolean;
}) {
  const params = new URLSearchParams();
  if (query.numeros) params.set('numeros', query.numeros.join(','));
  if (query.search) params.set('search', query.search);
  if (query.canjeables) params.set('canjeables', 'true');
  if (query.completas) params.set('completas', 'true');
  return queryOptions({
    queryKey: ['invoices', 'GetFacturasEmitidas', params.toString()],
    queryFn: ({ signal }) =>
      http<FacturaEmitida[]>(`/api/GetData/GetFacturasEmitidas?${params}`, { signal }),
    staleTime: 5_000,
  });
}

/** Creates a product and adds it to the loaded list. */
export function useCreateProduct() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (product: {
      Name: string;
      UnitOfMeasure: string;
      UnitPrice: string;
      VATProdPostingGroup?: string;
    }) => makeOnce<Producto>('SetProductos', { No: '', ...product }),
    onSuccess: (saved) => {
      queryClient.setQueryData(productosQuery.queryKey, (list) => withSaved(list, saved));
    },
  });
}
