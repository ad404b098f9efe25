import { EMPRESAS } from '../business-central/company.ts';
import { ACCESO } from '../business-central/world.ts';
import { sendJson } from '../http.ts';
import { readJson } from './aeat-routes.ts';
import type { Routes } from './server.ts';

export const businessCentralRoutes: Routes = {
  /** The credentials to try the connection with. */
  'GET /desarrollo/business-central/acceso': async ({ response }) => {
    sendJson(response, 200, { ...ACCESO, empresas: EMPRESAS });
  },

  'GET /desarrollo/business-central/estado': async ({ response }, { businessCentral }) => {
    const { tables, modo, fallos, attachments, requests } = businessCentral;
    sendJson(response, 200, {
      modo,
      fallos,
      clientes: tables.customers.length,
      productos: tables.items.length,
      facturas: tables.salesInvoices.length,
      abonos: tables.salesCreditMemos.length,
      adjuntos: attachments,
      peticiones: requests.slice(-200),
    });
  },

  'POST /desarrollo/business-central/comportamiento': async (
    { request, response },
    { businessCentral },
  ) => {
    businessCentral.change(await readJson(request));
    sendJson(response, 200, {});
  },

  /** Another company of the given sizes, from its first day. */
  'POST /desarrollo/business-central/datos': async ({ request, response }, { businessCentral }) => {
    businessCentral.fill(await readJson(request));
    sendJson(response, 200, {});
  },

  /** Changes or adds a client, an item or a document, as a user there would. */
  'POST /desarrollo/business-central/cambiar': async (
    { request, response },
    { businessCentral },
  ) => {
    sendJson(response, 200, businessCentral.edit(await readJson(request)));
  },
};
