import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { Option } from '../../contract/common.ts';
import { GrupoIva } from '../../contract/parties.ts';
import type { Deps } from '../../deps.ts';
import { byCode, paises } from '../../domain/catalogs/catalogs.ts';
import { type CompanyCatalogs, findCatalogs } from '../../store/catalogs.ts';
import { guardReadings } from '../auth.ts';
import { privateCall } from './schemas.ts';

const tags = ['Catálogos'];
const options = z.array(Option);

/** The countries do not change while the server runs: browsers may cache them for an hour. */
const PAISES = JSON.stringify(options.parse(paises));

export const catalogRoutes: FastifyPluginAsyncZod<Deps> = async (app, deps) => {
  app.get(
    '/api/GetData/GetPaises',
    { schema: { tags, summary: 'Países (pública)', response: { 200: options } } },
    async (_request, reply) => {
      reply.header('cache-control', 'public, max-age=3600');
      return reply.type('application/json; charset=utf-8').send(PAISES as never);
    },
  );

  await app.register(async (own) => {
    guardReadings(own, deps);

    /** A call for one catalog, whose answer is serialized once for all companies that share it. */
    const catalog = <Name extends keyof CompanyCatalogs>(
      path: string,
      summary: string,
      name: Name,
      answer: z.ZodType,
      bodyOf: (entries: CompanyCatalogs[Name]) => unknown,
    ) => {
      const texts = new WeakMap<object, string>();
      own.get(path, privateCall(tags, summary, answer), async ({ session }, reply) => {
        const { [name]: entries } = await findCatalogs(deps.sql, session.companyId, [name]);
        const text = texts.get(entries) ?? JSON.stringify(answer.parse(bodyOf(entries)));
        texts.set(entries, text);
        return reply.type('application/json; charset=utf-8').send(text as never);
      });
    };

    catalog(
      '/api/GetData/GetTerminosPago',
      'Términos de pago',
      'terminosPago',
      options,
      (entries) => entries.map(byCode),
    );
    catalog('/api/GetData/GetFormasPago', 'Formas de pago', 'formasPago', options, (entries) =>
      entries.map(byCode),
    );
    catalog(
      '/api/GetData/GetGrupoContable',
      'Grupos contables de los clientes',
      'gruposContables',
      options,
      (entries) => entries,
    );
    catalog('/api/GetData/GetUnitOfMeasure', 'Unidades de medida', 'unidades', options, (entries) =>
      entries.map(byCode),
    );
    catalog(
      '/api/GetData/GetClavesRegimen',
      'Claves de régimen del impuesto de la empresa',
      'clavesRegimen',
      options,
      (entries) => entries,
    );
    catalog(
      '/api/GetData/GetGrupoIVA',
      'Impuestos por grupo de producto y de cliente',
      'gruposIva',
      z.array(GrupoIva),
      (entries) => entries,
    );
  });
};
