/**
 * A Node server that writes the rows of an invoice and does nothing else: the reference for one client of ours. Run
 * directly, it serves in a process of its own, like ours.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { openDatabase } from '../src/platform/database.ts';
import { quickestTransaction, type SampleRows } from './bare-rows.ts';

interface Task {
  readonly url: string;
  readonly companyId: number;
  readonly rows: SampleRows;
}

export interface PlainServer {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

export async function startPlainServer(
  url: string,
  companyId: number,
  rows: SampleRows,
): Promise<PlainServer> {
  const child: ChildProcess = fork('scripts/run.mjs', [fileURLToPath(import.meta.url)]);
  child.send({ url, companyId, rows } satisfies Task);
  const [port] = (await once(child, 'message')) as [number];
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

async function serve({ url, companyId, rows }: Task): Promise<void> {
  const sql = openDatabase({ url });
  const server = createServer(async (request, response) => {
    await json(request);
    const DocNo = await quickestTransaction(sql, rows, companyId);
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ DocNo }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.send?.((server.address() as AddressInfo).port);
}

if (process.send && process.argv[1] === fileURLToPath(import.meta.url)) {
  const [task] = (await once(process, 'message')) as [Task];
  await serve(task);
}
