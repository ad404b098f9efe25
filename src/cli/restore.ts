import { resolve } from 'node:path';
import { readConfig } from '../config.ts';
import { forgetLost, type Lost } from '../operations/lost-key.ts';
import { requireReconcileAll } from '../operations/require-reconcile.ts';
import { countNotUnder } from '../operations/rotate-key.ts';
import { readBackup, restoreBackup } from '../platform/backup.ts';
import { openInstallation, readWithoutSecrets } from '../platform/installation.ts';
import { readMigrations } from '../platform/migrate.ts';
import { keepSecret } from '../platform/secrets.ts';
import { StartError } from '../platform/start-error.ts';
import { assertSeen } from './assert-stopped.ts';
import { LOST_MEANS, lostWords } from './lost-words.ts';
import { runCommand } from './run-command.ts';

const HELP = `npm run restore -- CARPETA [--sin-conciliar] [--con-otra-clave]

Carga una copia hecha con «npm run backup» en una instalación vacía: un DATA_DIR nuevo, o la base de
datos sin cuentas de DATABASE_URL. La aplicación debe estar parada.

Lo que se registró después de hacer la copia lo tiene la AEAT y aquí falta. Por eso ninguna empresa puede
registrar hasta conciliar con la AEAT los meses que puedan faltar, desde su primera factura: la aplicación lo hace
sola, al arrancar, para las que tienen certificado. --sin-conciliar lo evita: úsalo solo si la aplicación estaba parada desde antes
de hacer la copia, por ejemplo al cambiar de máquina.

Si la clave no abre los secretos de la copia, no se restaura. --con-otra-clave lo hace a pesar de todo, cuando
la clave se perdió. Se borra lo que no abre: cada empresa tendrá que subir otra vez su certificado, conectar otra vez
Business Central y, si tenía la verificación en dos pasos, activarla otra vez; hasta entonces ENTRA SOLO CON LA
CONTRASEÑA, y se le dice por correo y en «Actividad».`;

const OPTIONS = ['--sin-conciliar', '--con-otra-clave'];

const OTHER_KEY =
  'La clave no es la de la copia: no abre los certificados y demás secretos que hay en ella. Si la copia lleva su clave-maestra, restaura sin CLAVE_MAESTRA; si no, da en CLAVE_MAESTRA la que tenía la aplicación al hacerla. Si se perdió, --con-otra-clave restaura lo demás.';

/** `npm run restore -- CARPETA`: turns a backup into an installation again. */
runCommand(async () => {
  const args = process.argv.slice(2);
  const [folder, ...more] = args.filter((arg) => !arg.startsWith('--'));
  const options = args.filter((arg) => arg.startsWith('--'));
  const isKnown = options.every((option) => OPTIONS.includes(option));
  if (!folder || more.length > 0 || !isKnown) throw new StartError(HELP);

  assertSeen(readWithoutSecrets(process.env));
  const { manifest, masterKey } = await readBackup(resolve(folder));
  // Read first: otherwise the configuration would generate a new key, which decrypts nothing of this copy.
  if (masterKey) keepSecret(readWithoutSecrets(process.env).dataDir, 'clave-maestra', masterKey);
  const config = readConfig(process.env);
  const { sql, close } = await openInstallation(config);
  try {
    let companies = 0;
    let lost: Lost | null = null;
    await restoreBackup(sql, resolve(folder), manifest, await readMigrations(), async (tx) => {
      const isOtherKey = (await countNotUnder(tx, config.claveMaestra)) > 0;
      if (isOtherKey && !options.includes('--con-otra-clave')) throw new StartError(OTHER_KEY);
      if (isOtherKey) lost = await forgetLost(tx, config.claveMaestra, new Date());
      if (options.includes('--sin-conciliar')) return;
      companies = await requireReconcileAll(tx, new Date(manifest.creada), new Date());
    });
    console.log(
      `Restaurada la copia del ${manifest.creada}: ${manifest.registros} registros de facturación.`,
    );
    if (lost) console.log(`La clave no abría, y se ha borrado: ${lostWords(lost)}. ${LOST_MEANS}`);
    if (manifest.cadenasRotas.length > 0) {
      console.error(
        `¡ATENCIÓN! Cuando se hizo esta copia la cadena de registros ya no estaba entera, y así ha quedado: ${manifest.cadenasRotas.join(', ')}.`,
      );
    }
    if (companies > 0) {
      console.log(
        `Hasta conciliar con la AEAT los meses que puedan faltar no se registra en ${companies} ${companies === 1 ? 'empresa' : 'empresas'}. La aplicación lo hace sola al arrancar; también se puede en «Registros y evidencias».`,
      );
    }
  } finally {
    await close();
  }
}, HELP);
