// Programs of the system that some tests need; without them, those tests are skipped.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** What is skipped without each. */
export const NEEDED = {
  nginx: 'el proxy de nginx',
  caddy: 'el proxy de Caddy',
  haproxy: 'el proxy de HAProxy',
  promtool: 'las alertas',
  'systemd-analyze': 'la unidad de systemd',
  pgbouncer: 'las conexiones por pgbouncer',
  soffice: 'la plantilla en LibreOffice',
};

/** Path of a system program, or an empty text if it is missing. */
export function findProgram(name) {
  const folders = [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/usr/local/sbin'];
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file)) ?? '';
}

/** A line that lists what was skipped, or null. */
export function untried(has = (name) => findProgram(name) !== '') {
  const missing = Object.keys(NEEDED).filter((name) => !has(name));
  if (missing.length === 0) return null;
  const what = missing.map((name) => NEEDED[name]);
  return `Sin probar aquí: ${what.join(', ')}, porque faltan: ${missing.join(', ')}`;
}
