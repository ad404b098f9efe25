import pino, { type DestinationStream, type Logger } from 'pino';
import type { LogLevel } from '../config.ts';

/** Names of fields that could contain a secret, at the top level and one level down. */
const SECRET_FIELDS = [
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
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: plainError },
    redact: {
      paths: SECRET_FIELDS.flatMap((name) => [name, `*.${name}`, `req.headers.${name}`]),
      censor: '[oculto]',
    },
  };
  return destination ? pino(options, destination) : pino(options);
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
