import type { Deps } from '../deps.ts';
import { fechaEs } from '../domain/dates.ts';
import { NIL_UUID } from '../domain/nil-uuid.ts';
import { CSV_MARK, csvLine } from '../domain/spreadsheet-text.ts';
import {
  nextOriginRows,
  nextToWriteBack,
  noteWrittenBack,
  type OriginRow,
  type WriteBack,
} from '../store/business-central-origins.ts';
import { inScope } from '../store/row-security.ts';
import { count, enter, type Sync } from './business-central-sync.ts';

const BATCH = 40;
/** Business Central accepts few calls at once from each application. */
const AT_ONCE = 4;
/** The rest is left for the next synchronisation: a first one must not use up the customer's quota. */
const MOST = 1000;

const PARENT = { factura: 'Sales Invoice', abono: 'Sales Credit Memo' } as const;

/**
 * Writes back to each document in Business Central how the AEAT answered: state, huella, CSV and address of the QR,
 * in an attachment that is overwritten when it changes.
 *
 * Each one is recorded when it is done. An attachment that was written but not recorded is found again by its name.
 */
export async function writeBack(sync: Sync): Promise<void> {
  const { deps, connection } = sync;
  if (!connection.writesBack) return;
  let after = NIL_UUID;
  for (let done = 0; done < MOST; ) {
    const batch = await nextToWriteBack(deps.sql, connection, after, BATCH);
    const last = batch.at(-1);
    if (!last) return;
    await enter(sync, 'devolviendo');
    for (let from = 0; from < batch.length; from += AT_ONCE) {
      await Promise.all(batch.slice(from, from + AT_ONCE).map((one) => writeOne(sync, one)));
    }
    done += batch.length;
    after = last.bcId;
    count(sync, 'devueltas', batch.length);
  }
}

async function writeOne({ deps, connection, client }: Sync, told: WriteBack): Promise<void> {
  const { bcCompany } = connection;
  const fileName = `Huella-${told.number.replace(/[^\p{L}\p{N}-]+/gu, '-')}.csv`;
  const content = csvOf([told]);
  const create = async () =>
    (await client.findAttachment(bcCompany, told.bcId, fileName)) ??
    (await client.createAttachment(bcCompany, {
      parentId: told.bcId,
      parentType: PARENT[told.kind],
      fileName,
    }));
  let attachmentId = told.attachmentId ?? (await create());
  if (!(await client.writeAttachment(bcCompany, attachmentId, content))) {
    attachmentId = await create(); // Somebody deleted it there.
    await client.writeAttachment(bcCompany, attachmentId, content);
  }
  const { bcId, stamp } = told;
  await noteWrittenBack(deps.sql, connection, { bcId, attachmentId, stamp });
}

const HEAD = [
  'Documento en Business Central',
  'Fecha',
  'Número de factura',
  'Estado en la AEAT',
  'Huella',
  'CSV',
  'Dirección del QR',
];

function csvOf(rows: readonly WriteBack[]): string {
  const lines = rows.map((row) => [
    row.number,
    fechaEs(row.issuedOn),
    row.docNo,
    row.status,
    row.Huella,
    row.CSV,
    row.qr,
  ]);
  return `${CSV_MARK}${[HEAD, ...lines].map(csvLine).join('')}`;
}

const LIST_HEAD = [
  ...['Tipo', 'Documento en Business Central', 'Fecha', 'Cliente', 'Total'],
  ...['Número de factura', 'Estado', 'Huella', 'CSV', 'Dirección del QR', 'Observaciones'],
];
const PAGE = 1000;

/** Everything imported from Business Central and what became of it, line by line. */
export function businessCentralCsv(deps: Pick<Deps, 'sql'>, companyId: number) {
  return inScope(linesOf(deps, companyId));
}

async function* linesOf({ sql }: Pick<Deps, 'sql'>, companyId: number): AsyncGenerator<string> {
  yield `${CSV_MARK}${csvLine(LIST_HEAD)}`;
  let after = { issuedOn: '0001-01-01', bcId: NIL_UUID };
  for (;;) {
    const rows = await nextOriginRows(sql, companyId, after, PAGE);
    const last = rows.at(-1);
    if (!last) return;
    yield rows.map((row) => csvLine(cellsOf(row))).join('');
    after = last;
  }
}

function cellsOf(row: OriginRow): string[] {
  const state = row.status ?? (row.state === 'retenida' ? 'Retenida' : 'Borrador eliminado');
  return [
    row.kind === 'factura' ? 'Factura' : 'Abono',
    row.number,
    fechaEs(row.issuedOn),
    row.customerName,
    row.total.replace('.', ','),
    row.status === 'Borrador' ? '' : (row.docNo ?? ''),
    state,
    row.Huella ?? '',
    row.CSV ?? '',
    row.qr ?? '',
    row.reasons.join(' '),
  ];
}
