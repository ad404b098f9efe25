import { Modal, type ModalProps } from '@mantine/core';
import { useFocusBack } from './focus-back.ts';

/** A dialog that is open for as long as it is there. */
export function Dialog(props: Omit<ModalProps, 'opened'>) {
  useFocusBack();
  return <Modal opened {...props} />;
}
