import { Readable } from 'node:stream';
import type { Agent } from 'undici';
import type { AeatService, Runtime } from '../deps.ts';
import type { ClientCertificate } from '../operations/open-certificate.ts';
import { isRefusedInHandshake, wordsOfError } from './outcome-words.ts';

/**
 * In whose name the AEAT is addressed. Messages of a demo go to its test service (docs/decisions/0211), nobody
 * else's.
 */
export interface Identity {
  readonly certificate: ClientCertificate;
  readonly esDemo: boolean;
}

/** What came back from the AEAT's service, before it is parsed. */
export type HttpOutcome =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly contentType: string;
      /** The `Date` header, which shows the AEAT's clock. */
      readonly date: string;
      readonly body: string;
    }
  | {
      readonly kind: 'no-answer';
      readonly cause: string;
      readonly refusesCertificate: boolean;
      /** Nothing of the message was written: there was no connection. */
      readonly isUnsent: boolean;
    };

const ANSWER_TIMEOUT_MS = 60_000;
/** Time limit for a whole answer, even while it is still arriving. */
const WHOLE_TIMEOUT_MS = 120_000;
const CONNECT_TIMEOUT_MS = 15_000;
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
/** Bytes written at a time: until they are sent, TLS keeps two more copies of what it was given. */
const SLICE_BYTES = 65_536;
/**
 * Each agent holds a third of a megabyte, nearly all of it OpenSSL's. With eight turns at a time these are the
 * companies of the last few seconds. One that comes back after its minute pays a handshake, as it would if the AEAT
 * had closed the connection.
 */
const MAX_AGENTS = 48;

/**
 * Talks to the AEAT's service over mutual TLS with each company's own certificate.
 *
 * Connections are kept per certificate, so a company that sends messages one after another pays for one handshake. A
 * renewed certificate has another key here, and so gets a connection of its own.
 */
export class AeatClient {
  readonly #runtime: Pick<Runtime, 'aeat' | 'aeatOfDemos'>;
  readonly #agents = new Map<string, Agent>();

  readonly #answerTimeoutMs: number;

  /** @param answerTimeoutMs how long to wait for the AEAT to start answering */
  constructor(
    runtime: Pick<Runtime, 'aeat' | 'aeatOfDemos'>,
    answerTimeoutMs: number = ANSWER_TIMEOUT_MS,
  ) {
    this.#runtime = runtime;
    this.#answerTimeoutMs = answerTimeoutMs;
  }

  /** Posts one SOAP message. Never throws for what the other side does: silence is an outcome too. */
  async post(who: Identity, message: Uint8Array, signal: AbortSignal): Promise<HttpOutcome> {
    const deadline = performance.now() + WHOLE_TIMEOUT_MS;
    const service = who.esDemo ? this.#runtime.aeatOfDemos : this.#runtime.aeat;
    // Requests with an entity's seal go to a host of their own (`SistemaFacturacion.wsdl`); the other one answers
    // 401.
    const url = who.certificate.tipo === 'sello' ? service.selloUrl : service.url;
    let isUnsent = true;
    const slices = slicesUntil(deadline, message, () => {
      isUnsent = false;
    });
    try {
      const undici = await import('undici'); // Not loaded at start: a web process may never need it.
      const { statusCode, headers, body } = await undici.request(url, {
        method: 'POST',
        dispatcher: this.#agentFor(who, service, undici.Agent),
        headers: {
          'content-type': 'text/xml; charset=utf-8',
          'content-length': String(message.length),
          'accept-encoding': 'identity', // Without it, any encoding is acceptable (RFC 9110, 12.5.3).
          soapaction: '""',
        },
        body: Readable.from(slices),
        headersTimeout: this.#answerTimeoutMs,
        bodyTimeout: this.#answerTimeoutMs,
        signal: AbortSignal.any([signal, AbortSignal.timeout(WHOLE_TIMEOUT_MS)]),
      });
      return {
        kind: 'answer',
        status: statusCode,
        contentType: String(headers['content-type'] ?? ''),
        date: String(headers.date ?? ''),
        body: await body.text(),
      };
    } catch (error) {
      return {
        kind: 'no-answer',
        cause: wordsOfError(error),
        refusesCertificate: isRefusedInHandshake(error),
        isUnsent,
      };
    }
  }

  async close(): Promise<void> {
    const agents = [...this.#agents.values()];
    this.#agents.clear();
    await Promise.all(agents.map((agent) => agent.destroy()));
  }

  #agentFor(
    { certificate: { huella, keyPem, certPem }, esDemo }: Identity,
    { ca }: AeatService,
    NewAgent: typeof Agent,
  ): Agent {
    const key = `${huella} ${esDemo}`;
    const known = this.#agents.get(key);
    if (known) {
      this.#agents.delete(key); // Move it to the end: the map is in order of last use.
      this.#agents.set(key, known);
      return known;
    }
    const agent = new NewAgent({
      connect: {
        key: keyPem,
        cert: certPem,
        ...(ca ? { ca } : {}),
        timeout: CONNECT_TIMEOUT_MS,
      },
      connections: 1,
      pipelining: 1,
      keepAliveTimeout: 90_000,
      maxResponseSize: MAX_ANSWER_BYTES,
    });
    this.#agents.set(key, agent);
    if (this.#agents.size > MAX_AGENTS) {
      const [oldest] = this.#agents.keys();
      if (oldest) {
        void this.#agents.get(oldest)?.close();
        this.#agents.delete(oldest);
      }
    }
    return agent;
  }
}

/**
 * A process that stood still serves its sockets before its timers: it would finish sending a message whose time is
 * over, and the AEAT would get it after later ones.
 *
 * @param deadline on the monotonic clock
 * @param onBegin called once there is a connection to write to
 */
export function* slicesUntil(
  deadline: number,
  message: Uint8Array,
  onBegin: () => void = () => undefined,
): Generator<Uint8Array> {
  for (let at = 0; at < message.length; at += SLICE_BYTES) {
    if (performance.now() > deadline) throw new DOMException('Too late to send.', 'TimeoutError');
    if (at === 0) onBegin();
    yield message.subarray(at, at + SLICE_BYTES);
  }
}
