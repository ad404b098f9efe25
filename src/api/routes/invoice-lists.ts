import { Readable } from 'node:stream';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import {
  ConexionAEAT,
  InvoiceListQuery,
  InvoicePage,
  InvoiceRow,
  LibroExpedidasQuery,
  MasUsados,
  PendingListQuery,
  ProximosNumeros,
  Resumen,
  SumasPorTipo,
  SumasPorTipoQuery,
  TrimestrePorTipo,
} from '../../contract/invoices.ts';
import type { Deps } from '../../deps.ts';
import { DomainError } from '../../domain/errors.ts';
import { isSimplified } from '../../domain/invoice.ts';
import { centsToNumber } from '../../domain/money.ts';
import { describeCollected } from '../../operations/describe-cobros.ts';
import { describeConexion } from '../../operations/describe-conexion.ts';
import { describeProximosNumeros } from '../../operations/describe-proximos-numeros.ts';
import { describeResumen } from '../../operations/describe-resumen.ts';
import { describeSums, describeTrimestre } from '../../operations/describe-sums.ts';
import { exportLibro } from '../../operations/export-libro.ts';
import { daysOfList } from '../../operations/invoice-ranges.ts';
import { listOwed, type OwedInvoices } from '../../operations/list-owed.ts';
import { findCountriesAbroad } from '../../store/customers.ts';
import { type InvoiceList, listInvoices } from '../../store/invoice-lists.ts';
import type { ListedInvoice, ListedInvoices } from '../../store/invoice-page.ts';
import { findExchanges, findReplacements } from '../../store/invoice-references.ts';
import { findMostUsed } from '../../store/most-used.ts';
import { findRetenciones } from '../../store/retenciones.ts';
import { inScope } from '../../store/row-security.ts';
import { guardReadings } from '../auth.ts';
import { inTurn } from '../company-turns.ts';
import { FileField } from '../forms.ts';
import { invoiceRow } from '../presenters.ts';
import { errors, privateCall, security } from './schemas.ts';

const tags = ['Facturas'];

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** What is left to collect of all that matches, if the list is of that. */
type Left = Partial<Pick<OwedInvoices, 'pendienteCents'>>;

type ListQuery = typeof InvoiceListQuery | typeof PendingListQuery;

const TOO_MANY_OWED =
  'Hay demasiadas facturas por cobrar para darlas todas: pide las de un periodo (desde, hasta).';

/** Rows read at a time for a whole list: a million invoices are sent in constant memory. */
const WHOLE_LIST_PAGE = 500;

/** The two lists of the panel, and the figures shown beside them. */
export const invoiceListRoutes: FastifyPluginAsyncZod<Deps> = async (app, deps) => {
  guardReadings(app, deps);
  app.addHook('preHandler', inTurn);

  const lists: readonly [path: string, list: InvoiceList, query: ListQuery, summary: string][] = [
    ['/api/GetData/GetInvoices', 'history', InvoiceListQuery, 'Historial de facturas registradas'],
    ['/api/GetData/GetPendingInvoices', 'pending', PendingListQuery, 'Facturas pendientes'],
  ];
  for (const [path, list, querystring, summary] of lists) {
    app.get(
      path,
      {
        schema: {
          tags,
          security,
          summary,
          querystring,
          response: { 200: z.union([InvoicePage, z.array(InvoiceRow)]), ...errors(400, 401) },
        },
      },
      async ({ session, query }, reply) => {
        const days = await daysOfList(deps, session.companyId, list, query);
        const { cobro } = query as z.infer<typeof InvoiceListQuery>;
        const pageOf = (page: number, pageSize: number): Promise<ListedInvoices & Left> => {
          const asked = { ...query, ...days, page, pageSize };
          if (cobro) return listOwed(deps, session.companyId, asked, cobro);
          return listInvoices(deps.sql, session.companyId, list, asked);
        };
        const present = async (rows: readonly ListedInvoice[]) => {
          if (!query.sumas) return rows.map((row) => invoiceRow(row));
          const docNos = rows.map(({ docNo }) => docNo);
          const [replacements, retenciones, countries] = await Promise.all([
            findReplacements(deps.sql, session.companyId, docNos),
            findRetenciones(deps.sql, session.companyId, docNos),
            findCountriesAbroad(deps.sql, session.companyId, docNos),
          ]);
          return rows.map((row) =>
            invoiceRow(row, {
              replacement: replacements.get(row.docNo),
              retencion: retenciones.get(row.docNo),
              country: countries.get(row.docNo),
            }),
          );
        };
        if (query.page) {
          const { rows, total, isMore, pendienteCents } = await pageOf(query.page, query.pageSize);
          const tickets = rows.filter(({ tipoFactura }) => isSimplified(tipoFactura));
          const [exchanges, collected] = await Promise.all([
            findExchanges(
              deps.sql,
              session.companyId,
              tickets.map(({ docNo }) => docNo),
            ),
            describeCollected(
              deps,
              session.companyId,
              list === 'history'
                ? rows.filter(({ hasCobros }) => hasCobros).map(({ docNo }) => docNo)
                : [],
            ),
          ]);
          return {
            rows: (await present(rows)).map((row) => {
              const CanjeadaPor = exchanges.get(row.DocNo);
              const Cobro = collected.get(row.DocNo);
              return { ...row, ...(CanjeadaPor && { CanjeadaPor }), ...(Cobro && { Cobro }) };
            }),
            total,
            ...(isMore && { totalAlMenos: true }),
            ...(pendienteCents != null && { pendiente: centsToNumber(pendienteCents) }),
            page: query.page,
            pageSize: query.pageSize,
          };
        }
        const { rows, isMore } = await pageOf(1, WHOLE_LIST_PAGE);
        if (cobro && isMore) throw new DomainError('BAD_REQUEST', TOO_MANY_OWED);
        if (rows.length < WHOLE_LIST_PAGE) return present(rows);
        // Generated while it is read: unlike others, this answer is never in memory to be validated.
        reply.type('application/json; charset=utf-8');
        return reply.send(
          Readable.from(inScope(wholeList(rows, pageOf, present)), { objectMode: false }) as never,
        );
      },
    );
  }

  app.get(
    '/api/GetData/GetConexionAEAT',
    privateCall(tags, 'Estado de los envíos a la AEAT', ConexionAEAT),
    ({ session }) => describeConexion(deps, session.companyId),
  );

  app.get(
    '/api/GetData/GetResumen',
    privateCall(tags, 'Cifras de Inicio', Resumen),
    ({ session }) => describeResumen(deps, session.companyId),
  );

  app.get(
    '/api/GetData/GetTrimestrePorTipo',
    privateCall(tags, 'Impuestos de este trimestre por tipos', TrimestrePorTipo),
    ({ session }) => describeTrimestre(deps, session.companyId),
  );

  app.get(
    '/api/GetData/GetSumasPorTipo',
    {
      schema: {
        tags,
        security,
        summary: 'Bases y cuotas por trimestres y tipos',
        description:
          'Lo que pide de tus ventas el modelo 303 (el 420 en Canarias), por fecha de expedición: las facturas registradas y no anuladas, también las que esperan a la AEAT; una rectificativa por sustitución o una F3, solo lo que cambia. De muchas facturas responde una parte; pide la siguiente con `despues` y suma.',
        querystring: SumasPorTipoQuery,
        response: { 200: SumasPorTipo, ...errors(400, 401) },
      },
    },
    ({ session, query }) => describeSums(deps, session.companyId, query),
  );

  app.get(
    '/api/GetData/GetLibroExpedidas',
    {
      schema: {
        tags,
        security,
        summary: 'Libro registro de facturas expedidas, en Excel',
        description:
          'El libro del artículo 63 del Reglamento del IVA en el formato de la AEAT («Formatos de los Libros Registro de IVA e IRPF», V.18.02.2026): hoja EXPEDIDAS, una fila por cada tipo de cada factura, por fecha de expedición. Lleva las facturas registradas y no anuladas, también las que esperan a la AEAT; las que una rectificativa sustituye van otra vez en negativo delante de ella. La cabecera `X-Facturas` dice cuántas facturas lleva.',
        querystring: LibroExpedidasQuery,
        response: {
          200: { description: 'El libro', content: { [XLSX]: { schema: FileField } } },
          ...errors(400, 401),
        },
      },
    },
    async ({ session, query }, reply) => {
      const { fileName, facturas, xlsx } = await exportLibro(deps, session.companyId, query);
      return reply
        .type(XLSX)
        .header('x-facturas', String(facturas))
        .header('content-disposition', `attachment; filename="${fileName}"`)
        .send(Readable.from(inScope(xlsx), { objectMode: false }));
    },
  );

  app.get(
    '/api/GetData/GetProximosNumeros',
    privateCall(tags, 'Números que tomarían las próximas facturas', ProximosNumeros),
    ({ session }) => describeProximosNumeros(deps, session.companyId),
  );

  app.get(
    '/api/GetData/GetMasUsados',
    privateCall(tags, 'Clientes y productos más usados en las últimas facturas', MasUsados),
    ({ session }) => findMostUsed(deps.sql, session.companyId),
  );
};

/** A whole list as the text of one JSON array. */
async function* wholeList(
  first: readonly ListedInvoice[],
  pageOf: (page: number, pageSize: number) => Promise<{ readonly rows: readonly ListedInvoice[] }>,
  present: (rows: readonly ListedInvoice[]) => Promise<readonly InvoiceRow[]>,
): AsyncGenerator<string> {
  let rows = first;
  for (let page = 1; rows.length > 0; page++) {
    const text = (await present(rows)).map((row) => JSON.stringify(row)).join(',');
    yield `${page === 1 ? '[' : ','}${text}`;
    if (rows.length < WHOLE_LIST_PAGE) break;
    rows = (await pageOf(page + 1, WHOLE_LIST_PAGE)).rows;
  }
  yield ']';
}
