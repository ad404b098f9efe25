import { type QueryClient, useQueries } from '@tanstack/react-query';
import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react';
import type { Option } from '../../../../contract/common.ts';
import type { DatosEmpresa } from '../../../../contract/company.ts';
import type { Cliente, Producto } from '../../../../contract/parties.ts';
import { withUsualTax } from '../../../../domain/usual-tax.ts';
import type { VatGroup } from '../../../../domain/vat.ts';
import {
  clavesRegimenQuery,
  clientesQuery,
  companyPictureQuery,
  datosEmpresaQuery,
  datosSubscripcionQuery,
  formasPagoQuery,
  grupoContableQuery,
  grupoIvaQuery,
  masUsadosQuery,
  paisesQuery,
  productosQuery,
  terminosPagoQuery,
} from '../../../lib/queries.ts';
import { codigoOf } from './draft-saver.ts';
import { mostUsedFirst } from './most-used-first.ts';

/** Reloads the list of clients if the server does not know the one that was chosen from it. */
export function lookAgain(queryClient: QueryClient, refusal: unknown): void {
  if (codigoOf(refusal) !== 'NO_SUCH_CUSTOMER') return;
  void queryClient.invalidateQueries({ queryKey: clientesQuery.queryKey });
}

/** What the form offers to choose from, loaded with the panel. */
export interface Catalogs {
  readonly company: DatosEmpresa;
  /** The most used first, as with the products; the rest by name. */
  readonly clients: readonly Cliente[];
  /** Also deleted ones that an open invoice names. */
  readonly clientByNo: ReadonlyMap<string, Cliente>;
  readonly products: readonly Producto[];
  /** With the company's usual tax marked. */
  readonly groups: readonly VatGroup[];
  readonly clavesRegimen: readonly Option[];
  readonly paises: readonly Option[];
  readonly terminosPago: readonly Option[];
  readonly formasPago: readonly Option[];
  readonly gruposContables: readonly Option[];
  /** Base64 PNG, or empty. */
  readonly logo: string;
  readonly isDemo: boolean;
  /** Keeps the client that an invoice names, in case it is not among the others any more. */
  readonly keepClient: (client: Cliente | undefined) => void;
}

type LoadedCatalogs = Omit<Catalogs, 'keepClient'>;

export type CatalogsState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly error: unknown; readonly retry: () => void }
  | { readonly kind: 'ready'; readonly catalogs: LoadedCatalogs };

export function useLoadCatalogs(): CatalogsState {
  const queries = useQueries({
    queries: [
      datosEmpresaQuery,
      clientesQuery,
      productosQuery,
      grupoIvaQuery,
      clavesRegimenQuery,
      paisesQuery,
      terminosPagoQuery,
      formasPagoQuery,
      grupoContableQuery,
      companyPictureQuery,
      datosSubscripcionQuery,
      masUsadosQuery,
    ],
  });
  const [company, allClients, allProducts, taxes, claves, ...others] = queries;
  const [paises, terminos, formas, contables, picture, subscription, used] = others;
  // Memoised separately: there may be ten thousand, and the fields that offer them compare the list by identity.
  const clients = useMemo(
    () => allClients.data && mostUsedFirst(allClients.data, used.data?.clientes),
    [allClients.data, used.data?.clientes],
  );
  const products = useMemo(
    () => allProducts.data && mostUsedFirst(allProducts.data, used.data?.productos),
    [allProducts.data, used.data?.productos],
  );
  const usualTax = company.data?.ImpuestoPorDefecto ?? '';
  const groups = useMemo(
    () => taxes.data && withUsualTax(taxes.data, usualTax),
    [taxes.data, usualTax],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: the answers are what it is made of.
  const catalogs = useMemo<LoadedCatalogs | null>(() => {
    if (!company.data || !clients || !products || !groups || !claves.data) return null;
    return {
      company: company.data,
      clients,
      clientByNo: new Map(clients.map((client) => [client.No, client])),
      products,
      groups,
      clavesRegimen: claves.data,
      paises: paises.data ?? [],
      terminosPago: terminos.data ?? [],
      formasPago: formas.data ?? [],
      gruposContables: contables.data ?? [],
      logo: picture.data ?? '',
      isDemo: subscription.data?.type === 'Demo',
    };
  }, [...queries.map(({ data }) => data), clients, products, groups]);
  if (catalogs) return { kind: 'ready', catalogs };
  const failed = queries.find((query) => query.isError);
  if (!failed) return { kind: 'loading' };
  const retry = () => {
    for (const query of queries) if (query.isError) query.refetch();
  };
  return { kind: 'failed', error: failed.error, retry };
}

/** The catalogs with those deleted clients that are named by the invoices opened so far. */
export function useWithDeleted(loaded: LoadedCatalogs | null): Catalogs | null {
  const [deleted, setDeleted] = useState<readonly Cliente[]>([]);
  const keepClient = useCallback((client: Cliente | undefined) => {
    if (client) setDeleted((now) => [...now.filter(({ No }) => No !== client.No), client]);
  }, []);
  return useMemo(() => {
    if (!loaded) return null;
    if (deleted.length === 0) return { ...loaded, keepClient };
    const clients = [...deleted, ...loaded.clients];
    const clientByNo = new Map(clients.map((client) => [client.No, client]));
    return { ...loaded, clientByNo, keepClient };
  }, [loaded, deleted, keepClient]);
}

/** Whether invoices still name it, although it cannot be chosen any more. */
export function isDeleted({ clients }: Catalogs, client: Cliente | undefined): boolean {
  return client !== undefined && !clients.some(({ No }) => No === client.No);
}

const CatalogsContext = createContext<Catalogs | null>(null);

export function CatalogsProvider({
  catalogs,
  children,
}: {
  readonly catalogs: Catalogs;
  readonly children: ReactNode;
}) {
  return <CatalogsContext value={catalogs}>{children}</CatalogsContext>;
}

export function useCatalogs(): Catalogs {
  const catalogs = useContext(CatalogsContext);
  if (!catalogs) throw new Error('useCatalogs needs a CatalogsProvider above it');
  return catalogs;
}
