import { ApiError } from '../../lib/http.ts';

/** The two messages: for an answer of the server, and for none. */
export function signInError(error: unknown): string {
  if (error instanceof ApiError && error.status > 0) {
    return `Error al iniciar sesión: ${error.messages.join(' ')}`.trim();
  }
  return 'Error de red: no se ha podido llegar a Huella. Comprueba tu conexión y vuelve a intentarlo.';
}
