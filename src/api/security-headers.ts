import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';
import type { Config } from '../config.ts';

/**
 * The security headers of every answer, except its content policy (content-policy.ts).
 *
 * They depend on the installation and not on the call, so the library is run once, on a dummy answer, instead of for
 * each call.
 */
export function securityHeaders({ publicUrl }: Config): Record<string, string> {
  const answer = new ServerResponse(new IncomingMessage(new Socket()));
  helmet({
    contentSecurityPolicy: false,
    // Only if the product is reached over TLS: a browser would remember it for loopback too.
    strictTransportSecurity: publicUrl.startsWith('https:'),
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
  })(answer.req, answer, () => undefined);
  return Object.fromEntries(
    Object.entries(answer.getHeaders()).map(([name, value]) => [name, String(value)]),
  );
}
