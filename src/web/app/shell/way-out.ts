import { PATHS } from '../../lib/paths.ts';
import type { WayOut } from '../../ui/error-dialog.tsx';
import { gateSaying, sectionPath } from './gate.ts';

/** Where to solve a refusal: the section of the profile, or the page, that it names. */
export function wayOutOf(messages: readonly string[]): WayOut | null {
  for (const message of messages) {
    const gate = gateSaying(message);
    if (gate) return { action: gate.action, to: sectionPath(gate) };
    if (message.includes('«Registros y evidencias»')) {
      return { action: 'Abrir Registros y evidencias', to: PATHS.evidence };
    }
  }
  return null;
}
