import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { type BusinessCentralEndpoints, SCOPE } from './endpoints.ts';
import { apiFailure, BusinessCentralFailure, tokenFailure } from './failure.ts';
import { BcCompany, guid } from './shapes.ts';

/** The credentials that a company provides. */
export interface Credentials {
  readonly tenant: string;
  readonly environment: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface Page<T> {
  readonly rows: readonly T[];
  /** How many rows could not be parsed. */
  readonly unread: number;
}

export interface ClientOptions {
  readonly signal?: AbortSignal;
  /** Waits when it is asked to slow down. If a person is watching, they are told instead. */
  readonly isPatient?: boolean;
}

const ANSWER_TIMEOUT_MS = 60_000;
/** A page of thousands of documents with their lines is far smaller; we do not hold more in memory. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
/** A request to wait longer than this ends the synchronisation, which resumes later by itself. */
const MAX_WAIT_SECONDS = 60;
const MAX_TRIES = 5;
const TOKEN_MARGIN_MS = 60_000;

const Token = z.object({ access_token: z.string().min(1), expires_in: z.coerce.number() });
const List = z.object({
  value: z.array(z.unknown()),
  '@odata.nextLink': z.string().optional(),
});
const WithId = z.object({ id: guid });

/**
 * API v2.0 of one environment.
 *
 * The host comes from the configuration, and what a person typed only fills segments of the path, escaped. A next
 * page is followed only at the same host and environment, and redirections are not followed.
 */
export class BusinessCentralClient {
  readonly #endpoints: BusinessCentralEndpoints;
  readonly #credentials: Credentials;
  readonly #signal: AbortSignal;
  readonly #base: string;
  readonly #tries: number;
  #token: { readonly text: string; readonly until: number } | null = null;

  constructor(
    endpoints: BusinessCentralEndpoints,
    credentials: Credentials,
    { signal = new AbortController().signal, isPatient = true }: ClientOptions,
  ) {
    this.#endpoints = endpoints;
    this.#credentials = credentials;
    this.#signal = signal;
    this.#tries = isPatient ? MAX_TRIES : 1;
    const { tenant, environment } = credentials;
    this.#base = `${endpoints.apiUrl}/v2.0/${encodeURIComponent(tenant)}/${encodeURIComponent(environment)}/api/v2.0`;
  }

  /** The companies of the environment. @throws {BusinessCentralFailure} */
  async companies(): Promise<BcCompany[]> {
    const answer = await this.#get(`${this.#base}/companies`);
    return readAs(List, answer).value.map((row) => readAs(BcCompany, row));
  }

  /** All rows of a small entity, or the first page of a large one. */
  async list<T>(
    companyId: string,
    entity: string,
    shape: z.ZodType<T>,
    query: Readonly<Record<string, string>> = {},
  ): Promise<readonly T[]> {
    for await (const { rows } of this.pages(companyId, entity, shape, query)) return rows;
    return [];
  }

  /**
   * An entity page by page; only one page is in memory at a time.
   *
   * @throws {BusinessCentralFailure}
   */
  async *pages<T>(
    companyId: string,
    entity: string,
    shape: z.ZodType<T>,
    query: Readonly<Record<string, string>>,
    pageSize = 1000,
  ): AsyncGenerator<Page<T>> {
    const search = new URLSearchParams(query).toString().replaceAll('+', '%20');
    let url: string | undefined = `${this.#base}/companies(${companyId})/${entity}?${search}`;
    while (url) {
      const list: z.infer<typeof List> = readAs(
        List,
        await this.#get(url, { prefer: `odata.maxpagesize=${pageSize}` }),
      );
      const read = list.value.map((row) => shape.safeParse(row));
      const rows = read.flatMap((row) => (row.success ? [row.data] : []));
      yield { rows, unread: read.length - rows.length };
      url = list['@odata.nextLink'];
      if (url && !url.startsWith(`${this.#base}/`)) throw new BusinessCentralFailure('averia');
    }
  }

  /** The identifier of a document's attachment with that name, or null. */
  async findAttachment(
    companyId: string,
    parentId: string,
    fileName: string,
  ): Promise<string | null> {
    const shape = z.object({ id: guid, fileName: z.string() });
    const filter = `parentId eq ${parentId}`;
    const rows = await this.list(companyId, 'documentAttachments', shape, { $filter: filter });
    return rows.find((row) => row.fileName === fileName)?.id ?? null;
  }

  async createAttachment(
    companyId: string,
    body: { readonly parentId: string; readonly parentType: string; readonly fileName: string },
  ): Promise<string> {
    const answer = await this.#send(`${this.#base}/companies(${companyId})/documentAttachments`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return readAs(WithId, answer).id;
  }

  /** @returns false when the attachment no longer exists */
  async writeAttachment(companyId: string, id: string, content: string): Promise<boolean> {
    try {
      await this.#send(
        `${this.#base}/companies(${companyId})/documentAttachments(${id})/attachmentContent`,
        {
          method: 'PATCH',
          // Only our program writes it: whatever is there is ours.
          headers: { 'content-type': 'application/octet-stream', 'if-match': '*' },
          body: content,
        },
      );
      return true;
    } catch (error) {
      if (error instanceof BusinessCentralFailure && error.kind === 'empresa') return false;
      throw error;
    }
  }

  #get(url: string, headers: Readonly<Record<string, string>> = {}): Promise<unknown> {
    return this.#send(url, { headers });
  }

  /** Waits as the service asks; a token that expired half-way is requested again, once. */
  async #send(url: string, init: RequestInit): Promise<unknown> {
    let hasRenewed = false;
    for (let attempt = 1; ; attempt++) {
      const token = await this.#tokenText();
      const headers = {
        ...init.headers,
        accept: 'application/json',
        authorization: `Bearer ${token}`,
      };
      const { status, retryAfter, body } = await this.#exchange(url, { ...init, headers });
      if (status >= 200 && status < 300) return body;
      if (status === 401 && !hasRenewed) {
        hasRenewed = true;
        this.#token = null;
      } else if (status === 429 || status === 503 || status === 504) {
        const seconds = retryAfter ?? 2 ** attempt;
        if (attempt >= this.#tries || seconds > MAX_WAIT_SECONDS) {
          throw new BusinessCentralFailure(status === 429 ? 'limite' : 'sin-conexion', {
            retryAfterSeconds: seconds,
          });
        }
        await sleep(seconds * 1000, undefined, { signal: this.#signal });
      } else {
        throw apiFailure(status, codeOf(body));
      }
    }
  }

  async #tokenText(): Promise<string> {
    if (this.#token && this.#token.until > performance.now()) return this.#token.text;
    const { tenant, clientId, clientSecret } = this.#credentials;
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
      scope: SCOPE,
    });
    const { status, body } = await this.#exchange(
      `${this.#endpoints.loginUrl}/${encodeURIComponent(tenant)}/oauth2/v2.0/token`,
      { method: 'POST', body: form },
    );
    if (status !== 200) {
      const { error_description } = (body ?? {}) as { error_description?: unknown };
      throw tokenFailure(status, String(error_description ?? ''));
    }
    const token = readAs(Token, body);
    this.#token = {
      text: token.access_token,
      until: performance.now() + token.expires_in * 1000 - TOKEN_MARGIN_MS,
    };
    return token.access_token;
  }

  async #exchange(url: string, init: RequestInit) {
    const signal = AbortSignal.any([this.#signal, AbortSignal.timeout(ANSWER_TIMEOUT_MS)]);
    let response: Response;
    let text: string;
    try {
      response = await fetch(url, { ...init, signal, redirect: 'error' });
      text = await textOf(response);
    } catch (cause) {
      this.#signal.throwIfAborted();
      if (cause instanceof BusinessCentralFailure) throw cause;
      throw new BusinessCentralFailure('sin-conexion', { cause });
    }
    const wait = Number(response.headers.get('retry-after') ?? Number.NaN);
    return {
      status: response.status,
      retryAfter: Number.isFinite(wait) && wait >= 0 ? wait : null,
      body: jsonOf(text),
    };
  }
}

async function textOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) throw new BusinessCentralFailure('averia');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function jsonOf(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text);
  } catch {
    return null; // An HTML page from something in between: its status says what happened.
  }
}

function codeOf(body: unknown): string {
  const { error } = (body ?? {}) as { error?: { code?: unknown } };
  return String(error?.code ?? '');
}

function readAs<T>(shape: z.ZodType<T>, body: unknown): T {
  const read = shape.safeParse(body);
  if (read.success) return read.data;
  throw new BusinessCentralFailure('averia', { cause: read.error });
}
