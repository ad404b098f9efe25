import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const ROUND_PAUSE_MS = 100;
const CONNECT_SECONDS = 3;

/**
 * What the driver needs to be told to follow a primary from one host of `DATABASE_URL` to another.
 *
 * Its `read-write` only looks at `default_transaction_read_only`, which a hot standby leaves off: it
 * would be taken for the primary. Its `primary` asks the server. And while no host takes writes it would
 * go round them without a pause; here each round waits a little, and a machine that is gone without a
 * word (its packets are lost) is given up after 3 s instead of 30.
 */
export function severalHosts(url: string): object {
  const hosts = hostsOf(url);
  if (hosts.length < 2) return {};
  const { searchParams } = new URL(url.replace(/@[^/?]*/, '@varios'));
  const wanted = searchParams.get('target_session_attrs');
  return {
    ...(wanted === 'read-write' && { target_session_attrs: 'primary' }),
    ...(!searchParams.has('connect_timeout') && { connect_timeout: CONNECT_SECONDS }),
    socket: nextOf(hosts),
  };
}

interface Host {
  readonly host: string;
  readonly port: number;
}

function hostsOf(url: string): Host[] {
  const list = /^[a-z]+:\/\/(?:[^@/?]*@)?([^/?]*)/i.exec(url)?.[1] ?? '';
  return list.split(',').map((one) => {
    const [host = '', port = '5432'] = one.split(':');
    return { host, port: Number(port) };
  });
}

/**
 * Opens sockets to the host that served last, moving on when one ends. The driver speaks at once: what it
 * says waits in the socket until it is connected.
 */
function nextOf(hosts: readonly Host[]): () => Promise<Socket> {
  let current = 0;
  let ends = 0;
  return async () => {
    if (ends >= hosts.length) {
      await sleep(ROUND_PAUSE_MS);
      ends = 0;
    }
    const mine = current;
    const host = hosts[mine] as Host;
    const socket = Object.assign(new Socket(), host); // The driver checks the name of the certificate.
    socket.connect(host).setNoDelay(true);
    socket.once('close', () => {
      if (mine !== current) return;
      ends += 1;
      current = (mine + 1) % hosts.length;
    });
    return socket;
  };
}
