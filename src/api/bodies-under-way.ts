import type { FastifyRequest } from 'fastify';
import { DomainError } from '../domain/errors.ts';
import { TOO_LARGE } from './errors.ts';

const KILOBYTE = 1024;
const MEGABYTE = 1024 * KILOBYTE;

/** Bodies up to this size are not counted: they take no more memory than their connection. */
export const SMALL_BODY_BYTES = 64 * KILOBYTE;
/** A file of ten megabytes and the fields beside it. */
const MOST_OF_FORM = 12 * MEGABYTE;
/** Two of the largest bodies. */
const MOST_OF_COMPANY = 72 * MEGABYTE;
const MOST_IN_ALL = 256 * MEGABYTE;

const RETRY_SECONDS = 5;

/**
 * Limits the bodies that a process receives or holds at the same time, by the sizes that they declare. Each may take
 * five minutes to arrive and is in memory until its call is answered: without a limit, one client that sends many of
 * them slowly would use all the memory.
 */
export function createBodiesUnderWay() {
  const ofCompanies = new Map<number, number>();
  let all = 0;

  return {
    /**
     * Counts the body of a private call.
     *
     * @returns what to call when the request is over
     * @throws {DomainError} PAYLOAD_TOO_LARGE, TOO_MANY_REQUESTS, UNAVAILABLE
     */
    take(request: FastifyRequest): () => void {
      const bytes = bytesOf(request);
      const { companyId } = request.scope;
      if (bytes <= SMALL_BODY_BYTES || companyId === null) return () => undefined;
      const own = (ofCompanies.get(companyId) ?? 0) + bytes;
      if (own > MOST_OF_COMPANY) {
        throw new DomainError(
          'TOO_MANY_REQUESTS',
          'Tu empresa ya está enviando demasiados datos a la vez. Espera a que terminen de llegar y vuelve a intentarlo.',
          { retryAfterSeconds: RETRY_SECONDS },
        );
      }
      if (all + bytes > MOST_IN_ALL) {
        throw new DomainError(
          'UNAVAILABLE',
          'Ahora mismo están llegando demasiados datos a la vez. Vuelve a intentarlo en unos segundos.',
          { retryAfterSeconds: RETRY_SECONDS },
        );
      }
      all += bytes;
      ofCompanies.set(companyId, own);
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        all -= bytes;
        const left = (ofCompanies.get(companyId) ?? 0) - bytes;
        if (left > 0) ofCompanies.set(companyId, left);
        else ofCompanies.delete(companyId);
      };
    },
  };
}

/**
 * The size that a body declares or, in pieces of unknown number, the most that it may have. Zero for one that its
 * route is going to refuse unread.
 *
 * @throws {DomainError} PAYLOAD_TOO_LARGE for a form with more than any has
 */
function bytesOf({ headers, routeOptions: { bodyLimit = 0 } }: FastifyRequest): number {
  const isForm = /^multipart\//i.test(headers['content-type'] ?? '');
  if (headers['transfer-encoding'] !== undefined) return isForm ? MOST_OF_COMPANY : bodyLimit;
  const bytes = Number(headers['content-length'] ?? 0);
  if (!isForm) return bytes > bodyLimit ? 0 : bytes;
  if (bytes <= MOST_OF_FORM) return bytes;
  throw new DomainError('PAYLOAD_TOO_LARGE', TOO_LARGE);
}
