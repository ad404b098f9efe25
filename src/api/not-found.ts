import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorBody } from '../contract/common.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
const ONLY_READ = ['GET', 'HEAD'];

/**
 * Answers a request for which there is no route: 405 if its path has other methods, which `Allow` names, and 404 if it
 * has none (RFC 9110 §15.5.6). `OPTIONS` asks for just that.
 *
 * @param app once its routes are there
 * @param isRead whether the path, which has no route of its own, is a file or a screen of the web
 */
export function refuseUnknown(
  app: Pick<FastifyInstance, 'hasRoute'>,
  { method, url }: FastifyRequest,
  reply: FastifyReply,
  { isRead }: { readonly isRead: boolean },
) {
  const [path = ''] = url.split('?');
  const methods = isRead ? ONLY_READ : methodsOf(app, path);
  if (methods.length === 0 || methods.includes(method)) {
    return reply.status(404).send({ message: 'Lo que buscas no existe.' } satisfies ErrorBody);
  }
  reply.header('allow', [...methods, 'OPTIONS'].join(', '));
  if (method === 'OPTIONS') return reply.status(204).send();
  // HEAD and OPTIONS are of use to programs: whoever took the wrong method wants another one.
  const instead = methods.filter((one) => one !== 'HEAD').join(' o ');
  return reply
    .status(405)
    .send({ message: `Esta dirección no admite ${method}: usa ${instead}.` } satisfies ErrorBody);
}

function methodsOf(app: Pick<FastifyInstance, 'hasRoute'>, path: string): readonly string[] {
  // `hasRoute` takes patterns, with regular expressions in them, and what somebody sends must not be read as one. No
  // path of ours has their marks.
  if (/[:*]/.test(path)) return [];
  return METHODS.filter((method) => app.hasRoute({ method, url: path }));
}
