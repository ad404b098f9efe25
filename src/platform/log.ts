import pino, { type DestinationStream, type Logger } from 'pino';
import type { LogLevel } from '../config.ts';

/** Names of fields that could contain a secret, at the top level and one level down. */
const SECRET_FIELDS: readonly string[] = [
  'password',
  'Password',
  'PasswordActual',
  'contraseña',
  'token',
  'tokenJWT',
  'authorization',
  'cookie',
  'NewPassword',
  'Code',
  'claveMaestra',
  'jwtSecret',
  'clave',
  'pem',
  'key',
  'pfx',
  'passphrase',
];
const SECRETS = new Set(SECRET_FIELDS);
const CENSOR = '[oculto]';

/**
 * The process's log: one JSON line each, on standard output by default.
 *
 * For an error, only type, text, code and stack are logged, and those of its causes. Other fields that libraries
 * attach to errors (statements, parameters, requests) may contain personal data.
 */
export function createLogger(level: LogLevel, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }), log: hideOneDown },
    serializers: { err: plainError },
    redact: {
      paths: [
        ...SECRET_FIELDS.flatMap((name) => [name, `req.headers.${name}`]),
        // The reader of forms logs what it is given, with the headers of the request.
        'busboyOptions.headers',
      ],
      censor: CENSOR,
    },
  };
  return pino(options, destination ?? standardOutput());
}

/**
 * Output that outlives its disk: a line that cannot be written, in a file on a full disk, is lost, and the next one is
 * tried again. With pino's own stream, the process would stop serving and not end either. Once nobody reads any more
 * (EPIPE), it stops writing by itself.
 */
function standardOutput(): DestinationStream {
  const open = () => {
    const opened = pino.destination(1);
    opened.on('error', ({ code }: NodeJS.ErrnoException) => {
      if (code === 'EPIPE' || stream !== opened) return;
      opened.destroy();
      stream = open();
    });
    return opened;
  };
  let stream = open();
  return { write: (line) => stream.write(line) };
}

/**
 * Hides secrets one level down. pino would do it with paths like `*.token`, but parses each of them again for each value
 * of a line, texts and numbers included. `err` is written by `plainError`, which leaves out such fields. The fields of a
 * child logger are not looked into: only Fastify makes one, for the id of each request.
 */
function hideOneDown(line: Record<string, unknown>): Record<string, unknown> {
  let safe = line;
  for (const [field, value] of Object.entries(line)) {
    if (field === 'err' || typeof value !== 'object' || value === null) continue;
    if (Object.keys(value).some((name) => SECRETS.has(name))) {
      safe = { ...safe, [field]: hideIn(value) };
    }
  }
  return safe;
}

function hideIn(fields: object): object {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, SECRETS.has(name) ? CENSOR : value]),
  );
}

interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly stack?: string;
  readonly cause?: LoggedError;
}

function plainError(error: unknown): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) };
  const { code } = error as { code?: unknown };
  return {
    type: error.name,
    message: error.message,
    ...(typeof code === 'string' && { code }),
    ...(error.stack && { stack: error.stack }),
    ...(error.cause !== undefined && { cause: plainError(error.cause) }),
  };
}
