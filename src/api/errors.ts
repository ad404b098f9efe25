import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import {
  hasZodFastifySchemaValidationErrors,
  isResponseSerializationError,
} from 'fastify-type-provider-zod';
import type { ErrorBody, UnexpectedErrorBody } from '../contract/common.ts';
import { DomainError, type DomainErrorCode } from '../domain/errors.ts';
import { isDatabaseAway, isGivenUp, isOutOfRoom } from '../store/database-away.ts';
import { isBrokenForm, UNREADABLE } from './unreadable.ts';

/** Status of each refusal. The type makes the compiler demand a line for each new code. */
const HTTP_STATUS: Record<DomainErrorCode, number> = {
  BAD_REQUEST: 400,
  NOT_THE_TEMPLATE: 400,
  RULES_BROKEN: 400,
  REAUTHENTICATE: 400,
  CODE_REFUSED: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  NO_SUCH_CUSTOMER: 404,
  CONFLICT: 409,
  IN_PROGRESS: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA: 415,
  TOO_MANY_REQUESTS: 429,
  UNAVAILABLE: 503,
};

const UNEXPECTED = 'Ha ocurrido un error inesperado. Vuelve a intentarlo.';

const AWAY = 'Huella no está disponible ahora mismo. Vuelve a intentarlo en unos segundos.';

export const TOO_LARGE = 'El archivo o el texto es demasiado grande.';

const ONE_FILE = 'Cada petición lleva un solo archivo: envíalos de uno en uno.';

const BY_STATUS: Record<number, string> = {
  400: UNREADABLE,
  404: 'No existe.',
  413: TOO_LARGE,
  415: 'Ese tipo de contenido no se admite.',
  429: 'Demasiados intentos. Inténtalo de nuevo dentro de un rato.',
  503: AWAY,
};

/** For a call that changes something: nobody knows how far it got. */
const CUT =
  'Se ha cortado la conexión con la base de datos. Antes de repetir, mira si quedó hecho.';
const AWAY_SECONDS = 2;

const NO_ROOM =
  'Huella se ha quedado sin sitio y no ha guardado nada. Vuelve a intentarlo dentro de un rato.';
/** Until somebody has made room on the disk. */
const NO_ROOM_SECONDS = 60;

const BUSY =
  'Otra operación de tu empresa está tardando demasiado, y esta no ha guardado nada. Vuelve a intentarlo dentro de un momento.';
const BUSY_SECONDS = 5;

/** Turns any error into an answer for its reader. */
export function handleError(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  if (error instanceof DomainError) {
    if (error.retryAfterSeconds) reply.header('retry-after', String(error.retryAfterSeconds));
    return reply.status(HTTP_STATUS[error.code]).send(bodyOf(error));
  }
  if (hasZodFastifySchemaValidationErrors(error)) {
    // A few calls accept plain text; for the others it has no fields.
    if (isPlainText(request)) return reply.status(415).send({ message: BY_STATUS[415] });
    return reply.status(400).send({ message: sentencesOf(error.validation) } satisfies ErrorBody);
  }
  if (isBrokenForm(error, request)) return reply.status(400).send({ message: UNREADABLE });
  if (hasSeveralFiles(error, request)) return reply.status(400).send({ message: ONE_FILE });
  if (request.raw.readableAborted) {
    // Nobody is there to read the answer.
    request.log.info('the caller went away before the whole call had come');
    return reply.status(400).send({ message: UNREADABLE });
  }
  const status = isResponseSerializationError(error) ? 500 : (error.statusCode ?? 500);
  if (status < 500) {
    return reply.status(status).send({ message: BY_STATUS[status] ?? BY_STATUS[400] });
  }
  request.log.error({ err: error }, 'request failed');
  if (isOutOfRoom(error)) {
    return unavailable(reply, NO_ROOM_SECONDS, { message: NO_ROOM, codigo: 'OUT_OF_ROOM' });
  }
  if (isDatabaseAway(error)) {
    return unavailable(reply, AWAY_SECONDS, { message: request.method === 'GET' ? AWAY : CUT });
  }
  if (isGivenUp(error)) return unavailable(reply, BUSY_SECONDS, { message: BUSY, codigo: 'BUSY' });
  return status === 503
    ? reply.status(503).send({ message: AWAY })
    : reply
        .status(500)
        .send({ message: UNEXPECTED, incidencia: request.id } satisfies UnexpectedErrorBody);
}

/** A form without a session takes no file at all: there, a single one is too many. */
function hasSeveralFiles({ code }: FastifyError, { routeOptions }: FastifyRequest): boolean {
  return code === 'FST_FILES_LIMIT' && routeOptions.schema?.security !== undefined;
}

/** For what ends by itself. */
function unavailable(reply: FastifyReply, retryAfterSeconds: number, body: ErrorBody) {
  reply.header('retry-after', String(retryAfterSeconds));
  return reply.status(503).send(body);
}

interface BrokenRule {
  readonly keyword?: string | undefined;
  readonly instancePath: string;
  readonly message?: string | undefined;
  readonly params?: object;
}

/** Each once: a value may break two rules that say the same. */
function sentencesOf(rules: readonly BrokenRule[]): string[] {
  const sentences = withoutExactLimits(withoutLengths(rules)).map(({ instancePath, message }) =>
    sentence(instancePath, message ?? 'no es válido'),
  );
  return [...new Set(sentences)];
}

/** Of a list in the place of a text, or the reverse, the length says nothing. */
function withoutLengths(rules: readonly BrokenRule[]): readonly BrokenRule[] {
  const ofWrongType = new Set(
    rules.flatMap(({ keyword, instancePath }) =>
      keyword === 'invalid_type' ? [instancePath] : [],
    ),
  );
  return rules.filter(
    ({ keyword, instancePath }) => keyword === 'invalid_type' || !ofWrongType.has(instancePath),
  );
}

/**
 * A number that is too big for its field may also pass the limit of what JavaScript counts exactly, which then says
 * nothing new.
 */
function withoutExactLimits(rules: readonly BrokenRule[]): readonly BrokenRule[] {
  const isExactLimit = ({ params }: BrokenRule) =>
    Object.values(params ?? {}).some(
      (value) => Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER,
    );
  return rules.filter(
    (rule) =>
      !isExactLimit(rule) ||
      rules.every((other) => other.instancePath !== rule.instancePath || isExactLimit(other)),
  );
}

function isPlainText({ headers, body }: FastifyRequest): boolean {
  return typeof body === 'string' && /^text\/plain\b/i.test(headers['content-type'] ?? '');
}

function bodyOf(error: DomainError): ErrorBody {
  return {
    message: typeof error.sentences === 'string' ? error.sentences : [...error.sentences],
    ...(error.errores ? { errores: [...error.errores] } : {}),
    codigo: error.code,
    ...(error.docNo === undefined ? {} : { DocNo: error.docNo }),
  };
}

/** `/invoiceItems/0/price` + «Entrada inválida» → «El campo «invoiceItems.0.price»: entrada inválida.» */
function sentence(instancePath: string, message: string): string {
  const field = instancePath.split('/').filter(Boolean).join('.');
  const text = message.endsWith('.') ? message : `${message}.`;
  if (!field) return text;
  return `El campo «${field}»: ${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}
