import { readConfig } from '../config.ts';
import { openClock, realClock } from '../platform/clock.ts';
import { openInstallation } from '../platform/installation.ts';
import { runAdmin } from './admin-commands.ts';
import { HELP } from './admin-help.ts';
import { runCommand } from './run-command.ts';

/** `npm run admin -- ORDEN`: looks after an installation, running or stopped. */
runCommand(async () => {
  const args = process.argv.slice(2);
  if (args.length === 0 || args.includes('--help') || args[0] === 'ayuda') {
    console.log(HELP);
    return;
  }
  const config = readConfig(process.env);
  const { sql, close } = await openInstallation(config);
  try {
    const clock = config.isProduction ? realClock : (await openClock(sql)).now;
    process.exitCode = await runAdmin(args, {
      sql,
      config,
      now: clock(),
      newKey: process.env.CLAVE_MAESTRA_NUEVA?.trim() || null,
      isKeyGiven: Boolean(process.env.CLAVE_MAESTRA?.trim()),
      print: (line) => console.log(line),
    });
  } finally {
    await close();
  }
});
