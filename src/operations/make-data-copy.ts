import type { Deps } from '../deps.ts';
import { findCompany } from '../store/companies.ts';
import {
  addPiece,
  type DataCopy,
  endDataCopy,
  findDueDataCopies,
  leaveDataCopy,
  takeDataCopy,
} from '../store/data-copies.ts';
import { enqueueMail } from '../store/mail-jobs.ts';
import { dataFiles } from './data-copy-files.ts';
import { writeZip } from './zip-writer.ts';

/** A process that has kept no piece for this long is taken for dead: another one starts its copy again. */
const LEASE_SECONDS = 120;
const RETRY_SECONDS = 30;
const MAX_ATTEMPTS = 3;
const PIECE_BYTES = 1024 * 1024;
/** For how long a copy can be downloaded; then it is destroyed. */
const DATA_COPY_DAYS = 7;
const DAY_MS = 24 * 3_600_000;

/** Makes the requested copies, one after another, until the signal is aborted or none is left. */
export async function makeDataCopies(deps: Deps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const [companyId] = await findDueDataCopies(deps.sql, 1);
    if (companyId === undefined) return;
    const copy = await deps.sql.begin((tx) => takeDataCopy(tx, companyId, LEASE_SECONDS));
    if (copy) await makeDataCopy(deps, copy, signal);
  }
}

/** Another process took the copy over, or its account is gone: the work is discarded. */
class CopyLost extends Error {}

async function makeDataCopy(deps: Deps, copy: DataCopy, signal: AbortSignal): Promise<void> {
  const about = { companyId: copy.companyId };
  // Started more often than we retry: it brought down the processes that made it.
  if (copy.attempts > MAX_ATTEMPTS) {
    await giveUp(deps, copy);
    return deps.log.error(about, 'a copy of a company was begun too often');
  }
  try {
    await write(deps, copy, signal);
  } catch (error) {
    if (error instanceof CopyLost) return;
    if (!signal.aborted && copy.attempts === MAX_ATTEMPTS) await giveUp(deps, copy);
    else {
      await leaveDataCopy(deps.sql, copy, {
        countsAsAttempt: !signal.aborted,
        retryInSeconds: signal.aborted ? 0 : RETRY_SECONDS * copy.attempts,
      });
    }
    if (!signal.aborted) deps.log.error({ ...about, err: error }, 'a copy could not be made');
  }
}

/** @throws {CopyLost} */
async function write(deps: Deps, copy: DataCopy, signal: AbortSignal): Promise<void> {
  const company = await findCompany(deps.sql, copy.companyId);
  if (!company) throw new CopyLost();
  let done = 0;
  let piece = 0;
  let waiting: Buffer[] = [];
  let size = 0;
  const keep = async () => {
    const content = Buffer.concat(waiting);
    const isOurs = await addPiece(deps.sql, copy, { piece, content, done }, LEASE_SECONDS);
    if (!isOurs) throw new CopyLost();
    piece += 1;
    waiting = [];
    size = 0;
  };
  const onInvoice = () => {
    done += 1;
    signal.throwIfAborted();
  };
  for await (const stretch of writeZip(dataFiles(deps, company, onInvoice), deps.clock())) {
    signal.throwIfAborted();
    waiting.push(stretch);
    size += stretch.length;
    if (size >= PIECE_BYTES) await keep();
  }
  await keep();
  await deps.sql.begin(async (tx) => {
    const now = deps.clock();
    const expiresAt = new Date(now.getTime() + DATA_COPY_DAYS * DAY_MS);
    if (!(await endDataCopy(tx, copy, { status: 'lista', done, now, expiresAt }))) {
      throw new CopyLost();
    }
    // The company's e-mail may have changed since the copy was started.
    const current = await findCompany(tx, copy.companyId);
    if (!current) throw new CopyLost();
    await enqueueMail(tx, copy.companyId, {
      content: { kind: 'copia-lista', copyId: copy.id, companyName: company.name },
      recipient: current.email,
      now,
    });
  });
  deps.wakeMail();
}

async function giveUp({ sql, clock }: Deps, copy: DataCopy): Promise<void> {
  const now = clock();
  const expiresAt = new Date(now.getTime() + DATA_COPY_DAYS * DAY_MS);
  await sql.begin((tx) => endDataCopy(tx, copy, { status: 'fallida', done: 0, now, expiresAt }));
}
