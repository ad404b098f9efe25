import { type AdminContext, runAdmin } from '../../src/cli/admin-commands.ts';
import type { Deps } from '../../src/deps.ts';

/**
 * Runs a command of `npm run admin`, like a terminal without `CLAVE_MAESTRA`.
 *
 * @returns its exit code and output
 */
export async function administer(
  { sql, config, clock }: Pick<Deps, 'sql' | 'config' | 'clock'>,
  args: readonly string[],
  options: Partial<Omit<AdminContext, 'print'>> = {},
): Promise<{ code: number; text: string }> {
  const lines: string[] = [];
  const code = await runAdmin(args, {
    sql,
    config,
    now: clock(),
    newKey: null,
    isKeyGiven: false,
    isKeyMissing: false,
    input: async () => Buffer.alloc(0),
    ...options,
    print: (line) => lines.push(line),
  });
  return { code, text: lines.join('\n') };
}
