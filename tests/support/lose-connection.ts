// Run by connections.test.ts as a separate process: a reserved connection is cut while two statements wait on it.
import { openDatabase } from '../../src/platform/database.ts';

const sql = openDatabase({ url: process.argv[2] ?? '' });
const codeOf = (asked: Promise<unknown>) =>
  asked.then(
    () => 'answered',
    (error: { code: string }) => error.code,
  );
const own = await sql.reserve();
const asked = [20, 0].map((seconds) => codeOf(own`select pg_sleep(${seconds})`));
const codes = await Promise.all(asked);
own.release();
console.log(...codes, await codeOf(sql`select 1`));
await sql.end();
