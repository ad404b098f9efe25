import { readFile, stat } from 'node:fs/promises';
import { StartError } from './start-error.ts';

/** Who the database server runs as. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Null: as whoever runs us. PostgreSQL refuses root, so for root it is the owner of the cluster if
 * there is one already, else an account without powers.
 */
export async function postgresAccount(clusterFolder: string): Promise<Account | null> {
  if (process.getuid?.() !== 0) return null;
  const owner = await stat(clusterFolder).catch(() => null);
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };

  const accounts = parsePasswd(await readFile('/etc/passwd', 'utf8'));
  const account = accounts.get('postgres') ?? accounts.get('nobody');
  if (account) return account;
  throw new StartError(
    'PostgreSQL no puede funcionar como root y no hay otra cuenta (postgres o nobody): arranca Huella con un usuario normal o indica un servidor en DATABASE_URL.',
  );
}

function parsePasswd(text: string): Map<string, Account> {
  return new Map(
    text
      .split('\n')
      .map((line) => line.split(':'))
      .flatMap(([name, , uid, gid]) =>
        name && uid && gid ? [[name, { uid: Number(uid), gid: Number(gid) }] as const] : [],
      ),
  );
}
