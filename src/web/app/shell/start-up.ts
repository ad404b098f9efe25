import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { diasHasta, FIRST_WARNING_DAYS } from '../../../domain/certificate-expiry.ts';
import {
  certificateQuery,
  clavesRegimenQuery,
  clientesQuery,
  companyPictureQuery,
  conexionQuery,
  dataBaseDemoQuery,
  datosEmpresaQuery,
  datosSubscripcionQuery,
  enableMantenimientoQuery,
  formasPagoQuery,
  grupoContableQuery,
  grupoIvaQuery,
  HOME_ROWS,
  invoicesQuery,
  novedadesQuery,
  paisesQuery,
  pendingInvoicesQuery,
  productosQuery,
  subscriptionExpiredQuery,
  templateExcelQuery,
  terminosPagoQuery,
  textMantenimientoQuery,
  unitOfMeasureQuery,
} from '../../lib/queries.ts';
import { decodeToken, storedToken } from '../../lib/session.ts';

type Load = (client: QueryClient) => Promise<unknown>;

/** The twenty calls with which the panel starts, sent together. */
const LOADS: readonly Load[] = [
  (client) => client.ensureQueryData(companyPictureQuery),
  (client) => client.ensureQueryData(datosEmpresaQuery),
  (client) => client.ensureQueryData(productosQuery),
  (client) => client.ensureQueryData(invoicesQuery({ pageSize: HOME_ROWS })),
  (client) => client.ensureQueryData(pendingInvoicesQuery({ pageSize: HOME_ROWS })),
  (client) => client.ensureQueryData(clientesQuery),
  (client) => client.ensureQueryData(terminosPagoQuery),
  (client) => client.ensureQueryData(formasPagoQuery),
  (client) => client.ensureQueryData(grupoContableQuery),
  (client) => client.ensureQueryData(grupoIvaQuery),
  (client) => client.ensureQueryData(certificateQuery),
  (client) => client.ensureQueryData(unitOfMeasureQuery),
  (client) => client.ensureQueryData(dataBaseDemoQuery),
  (client) => client.ensureQueryData(subscriptionExpiredQuery),
  (client) => client.ensureQueryData(datosSubscripcionQuery),
  (client) => client.ensureQueryData(paisesQuery),
  (client) => client.ensureQueryData(templateExcelQuery),
  (client) => client.ensureQueryData(clavesRegimenQuery),
  (client) => client.ensureQueryData(enableMantenimientoQuery),
  (client) => client.ensureQueryData(textMantenimientoQuery),
];

/** How long the panel waits for what it can open without. */
const PATIENCE_MS = 5_000;

/** A certificate about to expire is warned of above every screen: known before, the warning pushes nothing down. */
async function loadWarning(client: QueryClient): Promise<void> {
  const { validoHasta } = await client.ensureQueryData(certificateQuery);
  if (!validoHasta || diasHasta(new Date(validoHasta), new Date()) > FIRST_WARNING_DAYS) return;
  const patience = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
  await Promise.race([client.prefetchQuery(conexionQuery), patience]);
}

const PROGRESS = ['start-up', 'progress'];

/** How much of the start-up has arrived, from 0 to 1. */
export const startUpProgressQuery = queryOptions({
  queryKey: PROGRESS,
  queryFn: () => 0,
  initialData: 0,
  enabled: false,
});

/** Everything the panel needs before its first screen, once per session. */
export const startUpQuery = () =>
  queryOptions({
    queryKey: ['start-up', decodeToken(storedToken() ?? '')?.sub],
    queryFn: async ({ client }) => {
      // Sent first, so that changes made while the others load are noticed afterwards (`use-news.ts`).
      const novedades = client.prefetchQuery(novedadesQuery);
      const warning = loadWarning(client).catch(() => undefined); // Without it, the panel opens as well.
      let arrived = 0;
      await Promise.all(
        LOADS.map(async (load) => {
          await load(client);
          arrived += 1;
          client.setQueryData(PROGRESS, arrived / LOADS.length);
        }),
      );
      await Promise.all([novedades, warning]);
      return true;
    },
    // Each call retries by itself.
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
