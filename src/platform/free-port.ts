import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the range for outgoing connections (from 32768 on Linux, from 49152 elsewhere): so no other process gets it
 * by chance between finding the port and listening on it.
 */
const FROM = 20_000;
const TO = 32_768;
const TRIES = 200;

/** A port of the loopback interface that is free at this moment. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < TRIES; tries++) {
    const port = FROM + Math.floor(Math.random() * (TO - FROM));
    if (await isFree(port)) return port;
  }
  throw new Error(`No port between ${FROM} and ${TO} is free.`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
    throw error;
  }
  server.close();
  await once(server, 'close');
  return true;
}
