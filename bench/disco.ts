/**
 * B19: what one registered and answered invoice of five lines takes on disk, indexes and messages with it,
 * against its bare rows: sharing messages of a thousand, and each in a message of its own.
 *
 *   npm run bench -- B19 [-- --json] [-- --facturas=20000]
 */
import { parseArgs } from 'node:util';
import { openSending } from './sending.ts';
import { openBench, printTable, seedCompanies } from './support.ts';

const { values } = parseArgs({
  options: { facturas: { type: 'string', default: '20000' }, json: { type: 'boolean' } },
});
const COMPANIES = 10;
const LINES = 5;
/** For each this many that share messages, one has a message of its own. */
const SHARE_ALONE = 5;
const total = Number(values.facturas);
/** What a bare transaction writes for one: invoice, draft and registro, with their keys. */
const BARE_BYTES = 3_000;

const bench = await openBench();
const { sql } = bench;
const sending = await openSending(bench);
try {
  const companies = await seedCompanies(bench, COMPANIES, sending.readCertificate);
  const together = await grownBy(async () => {
    for (let left = total; left > 0; left -= 1000 * COMPANIES) {
      const each = Math.min(1000, Math.ceil(left / COMPANIES));
      for (const company of companies) await sending.register(company, each, LINES);
      await sending.drain();
    }
  });
  // As for most companies: each invoice has a message, an attempt and an answer of its own.
  const alone = await grownBy(async () => {
    for (let left = total / SHARE_ALONE; left > 0; left -= COMPANIES) {
      for (const company of companies) await sending.register(company, 1, LINES);
      await sending.drain();
    }
  });
  printTable(
    [
      { ...together, how: 'en mensajes llenos' },
      { ...alone, how: 'cada una en su mensaje' },
    ].map(({ bytes, invoices, how }) => ({
      id: 'B19',
      what: `disco por factura de ${LINES} líneas, ${invoices} registradas y respondidas, ${how}`,
      figure: bytes,
      unit: 'bytes',
      limit: BARE_BYTES,
      goal: 2.5,
      isCost: true,
    })),
  );
} finally {
  await sending.stop();
  await bench.close();
}

/** Disk space per registered invoice; lists the tables and indexes. */
async function grownBy(
  register: () => Promise<void>,
): Promise<{ bytes: number; invoices: number }> {
  const [before, count] = [await sizes(), await countRegistered()];
  await register();
  await sql`vacuum (analyze)`;
  const [after, invoices] = [await sizes(), (await countRegistered()) - count];
  const grown = [...after]
    .map(([name, bytes]) => ({ name, bytes: (bytes - (before.get(name) ?? 0)) / invoices }))
    .filter(({ bytes }) => Math.abs(bytes) >= 1)
    .sort((a, b) => b.bytes - a.bytes);
  for (const { name, bytes } of grown) console.log(`${bytes.toFixed(0).padStart(6)} B  ${name}`);
  return { bytes: grown.reduce((sum, { bytes }) => sum + bytes, 0), invoices };
}

async function countRegistered(): Promise<number> {
  const [row] = await sql<{ invoices: number }[]>`
    select count(*)::int as invoices from invoices where status = 'Registrada'`;
  return row?.invoices ?? 0;
}

/** Bytes of each table (with its TOAST data) and of each index. */
async function sizes(): Promise<Map<string, number>> {
  const rows = await sql<{ name: string; bytes: number }[]>`
    select case when c.relkind = 'i' then i.indrelid::regclass || ', índice ' || c.relname
                else c.relname end as name,
           (case when c.relkind = 'i' then pg_relation_size(c.oid)
                 else pg_table_size(c.oid) end)::float8 as bytes
      from pg_class c
      left join pg_index i on i.indexrelid = c.oid
     where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'i')`;
  return new Map(rows.map(({ name, bytes }) => [name, bytes]));
}
