import { Modal, type ModalProps } from '@mantine/core';
import { useFocusBack } from './focus-back.ts';

/** A dialog that is open as long as it is rendered. */
export function Dialog(props: Omit<ModalProps, 'opened'>) {
  useFocusBack();
  return <Modal opened {...props} />;
}
