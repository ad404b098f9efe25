import { readConfig } from './config.ts';
import { startSimulators } from './simulators.ts';

/**
 * The process of the simulators. The application forks it and reads `{tipo:'listo', …}` from the IPC channel; if it
 * is started by hand, the same is written to standard output as a line of JSON.
 */
async function main(): Promise<void> {
  const { close, ...addresses } = await startSimulators(readConfig(process.env));

  const stop = () => {
    // Everything important is on disk already, so a client that hangs is no reason to stay.
    setTimeout(() => process.exit(0), 800).unref();
    void close().finally(() => process.exit(0));
  };
  process.on('SIGTERM', stop);
  if (process.send) {
    // Ctrl+C reaches both processes: the application stops first, and then this one.
    process.on('SIGINT', () => {});
    process.on('disconnect', stop);
    // The application may have ended meanwhile, and then need not be told.
    if (process.connected) process.send({ tipo: 'listo', ...addresses }, () => {});
    else stop();
  } else {
    process.on('SIGINT', stop);
    console.log(JSON.stringify({ tipo: 'listo', ...addresses }));
  }
}

main().catch((error) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
