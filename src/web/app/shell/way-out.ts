import { PATHS } from '../../lib/paths.ts';
import type { WayOut } from '../../ui/error-dialog.tsx';
import { gateSaying, sectionPath } from './gate.ts';

/** The steps of the sign-up after the one in which the password was chosen. */
const LATER_STEPS: readonly string[] = [PATHS.signUpCompany, PATHS.signUpPayment];

/**
 * Where to solve a refusal: the section of the profile, the page or the step of the sign-up that it is about.
 *
 * @param path of the screen that is open
 */
export function wayOutOf(messages: readonly string[], path = ''): WayOut | null {
  for (const message of messages) {
    const gate = gateSaying(message);
    if (gate) return { action: gate.action, to: sectionPath(gate) };
    if (message.includes('«Registros y evidencias»')) {
      return { action: 'Abrir Registros y evidencias', to: PATHS.evidence };
    }
    // Only known once the company has a name and a NIF.
    if (LATER_STEPS.includes(path) && message.startsWith('La contraseña no puede contener')) {
      return { action: 'Cambiar la contraseña', to: PATHS.signUpAccess };
    }
  }
  return null;
}
