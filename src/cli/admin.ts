import { openClock, realClock } from '../platform/clock.ts';
import { openExisting } from '../platform/installation.ts';
import { EX_TEMPFAIL, runAdmin } from './admin-commands.ts';
import { HELP } from './admin-help.ts';
import { runCommand } from './run-command.ts';

/** No server's report is as long as this; the message returned with it may contain a PDF. */
const MAX_INPUT_BYTES = 25 * 1024 * 1024;

async function readInput(): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin) {
    bytes += chunk.length;
    if (bytes <= MAX_INPUT_BYTES) chunks.push(chunk); // The rest is read and discarded, so that the writer can finish.
  }
  return Buffer.concat(chunks);
}

/** `npm run admin -- ORDEN`: maintains an installation, running or stopped. */
runCommand(async () => {
  const args = process.argv.slice(2);
  if (args.length === 0 || args.includes('--help') || args[0] === 'ayuda') {
    console.log(HELP);
    return;
  }
  // A mail server keeps a message that could not be handed over for now, and returns it after any other failure.
  if (args[0] === 'rebote') process.exitCode = EX_TEMPFAIL;
  const { config, isKeyMissing, sql, close } = await openExisting(process.env);
  try {
    const clock = config.servesDevelopment ? (await openClock(sql)).now : realClock;
    process.exitCode = await runAdmin(args, {
      sql,
      config,
      now: clock(),
      newKey: process.env.CLAVE_MAESTRA_NUEVA?.trim() || null,
      isKeyGiven: Boolean(process.env.CLAVE_MAESTRA?.trim()),
      isKeyMissing,
      print: (line) => console.log(line),
      input: readInput,
    });
  } finally {
    await close();
  }
});
