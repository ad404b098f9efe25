import type { Lost } from '../operations/lost-key.ts';

/** `2 certificados, 1 verificación en dos pasos, 0 conexiones con Business Central, 0 altas en curso`. */
export function lostWords({ certificates, secondFactors, connections, signUps }: Lost): string {
  return [
    `${certificates} ${certificates === 1 ? 'certificado' : 'certificados'}`,
    `${secondFactors} ${secondFactors === 1 ? 'verificación' : 'verificaciones'} en dos pasos`,
    `${connections} ${connections === 1 ? 'conexión' : 'conexiones'} con Business Central`,
    `${signUps} ${signUps === 1 ? 'alta' : 'altas'} en curso`,
  ].join(', ');
}

/** The consequences for those whose secrets were lost with the key. */
export const LOST_MEANS =
  'Sus empresas no registran hasta que suban otra vez su certificado; las que tenían la verificación en dos pasos ENTRAN SOLO CON LA CONTRASEÑA hasta que la activen de nuevo, y se les dice por correo y en «Actividad»; las que usaban Business Central tienen que conectarlo otra vez; lo que se pague de un alta en curso se devuelve.';
