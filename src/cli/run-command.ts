import { ConfigError } from '../config.ts';
import { StartError } from '../platform/start-error.ts';

/** Runs a command of the terminal: what its user can mend is told in a sentence, without a trace. */
export function runCommand(command: () => Promise<void>): void {
  command().catch((error: unknown) => {
    const isForPeople = error instanceof ConfigError || error instanceof StartError;
    console.error(isForPeople ? error.message : error);
    process.exitCode ||= 1; // A command may have said already how it ends when it fails.
  });
}
