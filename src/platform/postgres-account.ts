import { readFile, stat } from 'node:fs/promises';
import { StartError } from './start-error.ts';

/** The account under which the database server runs. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Null for the account of this process. PostgreSQL refuses to run as root, so for root it is the owner of the cluster
 * if there is one, otherwise an unprivileged account.
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
