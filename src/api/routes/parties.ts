import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { ByNo, Empty, Unchanged } from '../../contract/common.ts';
import {
  Cliente,
  ClienteBody,
  ClienteCambiado,
  DeleteClienteAnswer,
  Producto,
  ProductoBody,
  ProductoCambiado,
} from '../../contract/parties.ts';
import type { Deps } from '../../deps.ts';
import { removeCustomer } from '../../operations/delete-customer.ts';
import { removeProduct } from '../../operations/delete-product.ts';
import { changeCustomer, createCustomer } from '../../operations/save-customer.ts';
import { changeProduct, createProduct } from '../../operations/save-product.ts';
import { customersVersion, versionedCustomers } from '../../store/customers.ts';
import { type Product, productsVersion, versionedProducts } from '../../store/products.ts';
import { guardReadings, sessionGuard } from '../auth.ts';
import { inTurn } from '../company-turns.ts';
import { FORM_OR_JSON } from '../forms.ts';
import { acceptIdempotencyKeys, keeperOf } from '../idempotency.ts';
import { unlessKnown } from '../versioned-lists.ts';
import { errors, security } from './schemas.ts';

export const partyRoutes: FastifyPluginAsyncZod<Deps> = async (app, deps) => {
  await app.register(registerReads, deps);
  await app.register(registerWrites, deps);
};

const registerReads: FastifyPluginAsyncZod<Deps> = async (app, deps) => {
  guardReadings(app, deps);
  app.addHook('preHandler', inTurn);

  app.get(
    '/api/GetData/GetClientes',
    {
      schema: {
        tags: ['Clientes'],
        summary: 'Clientes de la empresa',
        security,
        response: { 200: z.array(Cliente), 304: Unchanged, ...errors(401) },
      },
    },
    async (request, reply) => {
      const { companyId } = request.session;
      const items = await unlessKnown(request, reply, {
        version: () => customersVersion(deps.sql, companyId),
        read: () => versionedCustomers(deps.sql, companyId),
      });
      return items ? [...items] : reply;
    },
  );

  app.get(
    '/api/GetData/GetProductos',
    {
      schema: {
        tags: ['Productos'],
        summary: 'Productos y servicios de la empresa',
        security,
        response: { 200: z.array(Producto), 304: Unchanged, ...errors(401) },
      },
    },
    async (request, reply) => {
      const { companyId } = request.session;
      const items = await unlessKnown(request, reply, {
        version: () => productsVersion(deps.sql, companyId),
        read: () => versionedProducts(deps.sql, companyId),
      });
      return items ? items.map(productBody) : reply;
    },
  );
};

const registerWrites: FastifyPluginAsyncZod<Deps> = async (app, deps) => {
  app.addHook('onRequest', sessionGuard(deps));
  acceptIdempotencyKeys(app, deps);

  app.post(
    '/api/PostData/SetClientes',
    {
      schema: {
        tags: ['Clientes'],
        summary: 'Crea un cliente; sin No, con el código siguiente',
        security,
        consumes: FORM_OR_JSON,
        body: ClienteBody,
        response: { 200: Cliente, ...errors(400, 401, 409) },
      },
    },
    async (request) =>
      createCustomer(deps, request.session.companyId, request.body, keeperOf(request)),
  );

  app.post(
    '/api/PostData/UpdateClientes',
    {
      schema: {
        tags: ['Clientes'],
        summary: 'Cambia un cliente',
        security,
        consumes: FORM_OR_JSON,
        body: ClienteCambiado,
        response: { 200: Cliente, ...errors(400, 401, 404) },
      },
    },
    async ({ session, body }) => changeCustomer(deps, session.companyId, body),
  );

  app.post(
    '/api/PostData/DeleteCliente',
    {
      schema: {
        tags: ['Clientes'],
        summary: 'Elimina un cliente; el que tiene facturas sale de la lista y queda con ellas',
        security,
        body: ByNo,
        response: { 200: DeleteClienteAnswer, ...errors(400, 401, 404, 409) },
      },
    },
    async ({ session, body }) => {
      const result = await removeCustomer(deps, session.companyId, body.No);
      return result === 'archived'
        ? {
            message:
              'El cliente tiene facturas: no se elimina, queda archivado. Ya no saldrá en tus listas y sus facturas lo conservan.',
          }
        : {};
    },
  );

  app.post(
    '/api/PostData/SetProductos',
    {
      schema: {
        tags: ['Productos'],
        summary: 'Crea un producto; sin No, con el código siguiente',
        security,
        consumes: FORM_OR_JSON,
        body: ProductoBody,
        response: { 200: Producto, ...errors(400, 401, 409) },
      },
    },
    async (request) => {
      const keep = keeperOf(request, productBody);
      return productBody(await createProduct(deps, request.session.companyId, request.body, keep));
    },
  );

  app.post(
    '/api/PostData/UpdateProductos',
    {
      schema: {
        tags: ['Productos'],
        summary: 'Cambia un producto',
        security,
        consumes: FORM_OR_JSON,
        body: ProductoCambiado,
        response: { 200: Producto, ...errors(400, 401, 404) },
      },
    },
    async ({ session, body }) => productBody(await changeProduct(deps, session.companyId, body)),
  );

  app.post(
    '/api/PostData/DeleteProducto',
    {
      schema: {
        tags: ['Productos'],
        summary: 'Elimina un producto',
        security,
        body: ByNo,
        response: { 200: Empty, ...errors(400, 401, 404) },
      },
    },
    async ({ session, body }) => {
      await removeProduct(deps, session.companyId, body.No);
      return {};
    },
  );
};

/** The price is sent as a number for display: six decimals print exactly. */
function productBody(product: Product): z.infer<typeof Producto> {
  return {
    No: product.no,
    Name: product.name,
    UnitOfMeasure: product.unitOfMeasure,
    UnitPrice: Number(product.unitPrice),
    ...(product.tax && { VATProdPostingGroup: product.tax }),
  };
}
