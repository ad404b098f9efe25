import { modals } from '@mantine/modals';
import type { ReactNode } from 'react';

export interface ConfirmOptions {
  readonly title: string;
  readonly message: ReactNode;
  /** The verb, again: «Eliminar borrador». */
  readonly confirm: string;
  /** Deleting is red, and begins with the focus on «Cancelar». */
  readonly danger?: boolean;
  /** «Cancelar» where nothing else is said. */
  readonly cancel?: string;
}

/** Asks before something that cannot be undone. @returns whether the person goes on */
export function confirmAction(options: ConfirmOptions): Promise<boolean> {
  const { title, message, confirm, danger = false, cancel = 'Cancelar' } = options;
  return new Promise((resolve) => {
    modals.openConfirmModal({
      title,
      children: message,
      labels: { confirm, cancel },
      withCloseButton: false,
      confirmProps: danger ? { color: 'red' } : { 'data-autofocus': true },
      cancelProps: danger ? { 'data-autofocus': true } : {},
      groupProps: { mt: 24, gap: 8 },
      onConfirm: () => resolve(true),
      onClose: () => resolve(false), // After onConfirm it finds the promise settled.
    });
  });
}
