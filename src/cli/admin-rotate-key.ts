import { randomBytes } from 'node:crypto';
import { DomainError } from '../domain/errors.ts';
import { countNotUnder, rotateKey } from '../operations/rotate-key.ts';
import { confirmNextSecret, dropNextSecret, nextSecret } from '../platform/secrets.ts';
import type { AdminContext } from './admin-commands.ts';
import { assertStopped } from './assert-stopped.ts';

const KEY_BYTES = 32;
const SECRET = 'clave-maestra';

/**
 * Changes the master key. Huella has to be stopped: a process with the old key could decrypt nothing.
 *
 * A generated key is stored beside the current one before anything is encrypted with it, and replaces it when nothing
 * is left under the old one: at no moment is there a secret whose key is stored nowhere.
 */
export async function rotateKeyCommand(context: AdminContext): Promise<void> {
  const { sql, config, newKey, isKeyGiven, now, print } = context;
  await assertStopped(context, 'cambiar su clave');
  const to = newKey === null ? await generated(context) : readKey(newKey);
  const { certificates, secondFactors, connections, signUps } = await rotateKey(sql, {
    from: config.claveMaestra,
    to,
    now,
  });
  const left = await countNotUnder(sql, to);
  if (left > 0) throw new DomainError('CONFLICT', `Quedan ${left} secretos: repite la orden.`);
  print(
    `Vueltos a sellar: ${certificates} certificados, ${secondFactors} segundos factores, ${signUps} altas en curso, ${connections} conexiones con Business Central.`,
  );
  if (newKey === null) {
    confirmNextSecret(config.dataDir, SECRET);
    print('La clave nueva queda puesta en DATA_DIR.');
  } else if (isKeyGiven) {
    print('Pon el valor de CLAVE_MAESTRA_NUEVA en CLAVE_MAESTRA antes de arrancar Huella.');
  } else {
    nextSecret(config.dataDir, SECRET, () => newKey);
    confirmNextSecret(config.dataDir, SECRET);
    print('La clave nueva queda puesta en DATA_DIR.');
  }
}

async function generated({ sql, config, isKeyGiven }: AdminContext): Promise<Buffer> {
  if (isKeyGiven) {
    throw new DomainError(
      'BAD_REQUEST',
      'Da la clave nueva en CLAVE_MAESTRA_NUEVA (base64 de 32 bytes): la actual la das tú también.',
    );
  }
  const next = () =>
    Buffer.from(
      nextSecret(config.dataDir, SECRET, () => randomBytes(KEY_BYTES).toString('base64')),
      'base64',
    );
  const key = next();
  if (key.length === KEY_BYTES) return key;
  // The beginning of a key, from a version that wrote it in place: nothing was sealed before it was whole.
  if ((await countNotUnder(sql, config.claveMaestra)) > 0) {
    throw new DomainError(
      'CONFLICT',
      `La clave de claves/${SECRET}.nueva está incompleta, y hay secretos que no abre la actual: recupera ese archivo.`,
    );
  }
  dropNextSecret(config.dataDir, SECRET);
  return next();
}

function readKey(base64: string): Buffer {
  const key = Buffer.from(base64, 'base64');
  if (key.length !== KEY_BYTES) {
    throw new DomainError('BAD_REQUEST', 'CLAVE_MAESTRA_NUEVA tiene que ser 32 bytes en base64.');
  }
  return key;
}
