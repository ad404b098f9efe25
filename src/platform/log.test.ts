import { spawnSync } from 'node:child_process';
import { existsSync, openSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createLogger } from './log.ts';
import { projectRoot } from './project-root.ts';

const FULL_DISK = '/dev/full';
/** Logs again each time that the line before has failed, and then says that it is still there. */
const THREE_LINES = `
  import { register } from 'tsx/esm/api';
  register();
  const { createLogger } = await import('./src/platform/log.ts');
  const log = createLogger('info');
  let lines = 0;
  process.on('beforeExit', () => {
    if (lines++ < 3) log.info('lost');
    else if (lines === 4) console.error('still there');
  });`;

function logged(write: (log: ReturnType<typeof createLogger>) => void) {
  const lines: string[] = [];
  write(createLogger('info', { write: (line) => lines.push(line) }));
  return lines;
}

describe('createLogger', () => {
  it('writes one JSON line each, with the level and the time as text', () => {
    const [line] = logged((log) => log.info({ companyId: 7 }, 'hello'));
    const entry = JSON.parse(line ?? '');
    expect(entry).toMatchObject({ level: 'info', pid: process.pid, companyId: 7, msg: 'hello' });
    expect(Date.parse(entry.time)).not.toBeNaN();
    expect(line?.endsWith('}\n')).toBe(true);
  });

  it.each([
    { password: 'hunter2' },
    { body: { Password: 'hunter2', PasswordActual: 'hunter2' } },
    { req: { headers: { authorization: 'Bearer hunter2', cookie: 'hunter2' } } },
    { tokenJWT: 'hunter2', session: { token: 'hunter2' } },
    { certificate: { pfx: 'hunter2', passphrase: 'hunter2' } },
    { NewPassword: 'hunter2', Code: 'hunter2', contraseña: 'hunter2', cookie: 'hunter2' },
    { body: { NewPassword: 'hunter2', Code: 'hunter2', key: 'hunter2', pem: 'hunter2' } },
    { config: { claveMaestra: 'hunter2', jwtSecret: 'hunter2' }, firma: { clave: 'hunter2' } },
    { session: { token: 'hunter2' }, certificate: { pem: 'hunter2' } },
  ])('hides secrets: %j', (fields) => {
    const [line] = logged((log) => log.info(fields));
    expect(line).toContain('[oculto]');
    expect(line).not.toContain('hunter2');
  });

  it('hides them in the line only', () => {
    const session = { token: 'hunter2', companyId: 7, since: new Date(0), roles: null };
    const [line] = logged((log) => log.info({ session, none: null }, 'hello'));
    expect(JSON.parse(line ?? '')).toMatchObject({
      session: { token: '[oculto]', companyId: 7, since: '1970-01-01T00:00:00.000Z', roles: null },
      none: null,
    });
    expect(session.token).toBe('hunter2');
  });

  it('logs the message, code and causes of an error, not what libraries attach to it', () => {
    const error = Object.assign(new Error('refused', { cause: new Error('no route') }), {
      code: '23505',
      parameters: ['12345678Z'],
      query: 'insert into customers',
    });
    const [line] = logged((log) => log.error({ err: error }, 'failed'));
    const { err } = JSON.parse(line ?? '');
    expect(err).toMatchObject({ type: 'Error', message: 'refused', code: '23505' });
    expect(err.cause.message).toBe('no route');
    expect(line).not.toContain('12345678Z');
  });

  it('logs what is thrown without being an error as its text', () => {
    const [line] = logged((log) => log.error({ err: new Error('refused', { cause: 'timeout' }) }));
    expect(JSON.parse(line ?? '').err.cause).toEqual({ type: 'string', message: 'timeout' });
  });

  it.skipIf(!existsSync(FULL_DISK))('goes on, and can end, on a full disk', () => {
    const { status, stderr } = spawnSync(
      process.execPath,
      ['--input-type=module', '-e', THREE_LINES],
      {
        cwd: projectRoot,
        stdio: ['ignore', openSync(FULL_DISK, 'w'), 'pipe'],
        encoding: 'utf8',
        // pino’s own stream would try to write the rest of it for ever as the process ends.
        timeout: 60_000,
        killSignal: 'SIGKILL',
      },
    );
    expect([stderr, status]).toEqual(['still there\n', 0]);
  });
});
