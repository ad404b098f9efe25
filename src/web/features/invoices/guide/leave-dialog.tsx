import { Button, type ButtonProps } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { NuevoEstado } from '../../../../contract/invoices.ts';
import { http } from '../../../lib/http.ts';
import { newKey } from '../../../lib/new-key.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { DialogFoot } from '../../../ui/dialog-foot.tsx';
import classes from './guide.module.css';

interface LeaveQuestion {
  readonly docNo: string;
  readonly call: 'DejarFactura' | 'DejarSinEfecto';
  readonly title: string;
  /** The consequences, shown before confirming. */
  readonly frases: readonly string[];
  /** The button that confirms. */
  readonly confirm: Pick<ButtonProps, 'color'> & { readonly label: string };
  /** The button that Enter presses. */
  readonly focused: 'cancel' | 'confirm';
  readonly closeOnClickOutside: boolean;
  /** The message when it is done. */
  readonly doneMessage: (answer: NuevoEstado) => string;
}

export interface LeaveButtonProps extends LeaveQuestion {
  readonly label: string;
  readonly variant?: 'filled' | 'default';
  readonly onDone: (() => void) | undefined;
}

/** Resolves a refused invoice without correcting it, after a confirmation. */
export function LeaveButton({ label, variant = 'filled', onDone, ...question }: LeaveButtonProps) {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <Button variant={variant} onClick={() => setIsAsking(true)}>
        {label}
      </Button>
      {isAsking && (
        <LeaveDialog
          {...question}
          onClose={() => setIsAsking(false)}
          onDone={() => {
            setIsAsking(false);
            onDone?.();
          }}
        />
      )}
    </>
  );
}

interface LeaveDialogProps extends LeaveQuestion {
  readonly onClose: () => void;
  readonly onDone: () => void;
}

function LeaveDialog({ docNo, call, confirm, focused, ...props }: LeaveDialogProps) {
  const queryClient = useQueryClient();
  // One key for all attempts: a repeat gets the answer that was lost.
  const [key] = useState(newKey);
  const leave = useMutation({
    mutationFn: () =>
      http<NuevoEstado>(`/api/PostData/${call}`, { json: { No: docNo }, idempotencyKey: key }),
    onSuccess: async (answer) => {
      notifications.show({ message: props.doneMessage(answer) });
      await queryClient.invalidateQueries({ queryKey: ['invoices'] });
      props.onDone();
    },
  });
  return (
    <Dialog
      onClose={leave.isPending ? () => {} : props.onClose}
      title={props.title}
      withCloseButton={false}
      closeOnClickOutside={props.closeOnClickOutside}
    >
      {props.frases.map((frase) => (
        <p key={frase} className={classes.lead}>
          {frase}
        </p>
      ))}
      <DialogFoot
        error={leave.error}
        failed="No se ha podido hacer. Vuelve a intentarlo."
        isPending={leave.isPending}
        isCancelFocused={focused === 'cancel'}
        onCancel={props.onClose}
      >
        <Button
          {...(confirm.color && { color: confirm.color })}
          data-autofocus={focused === 'confirm' || undefined}
          aria-disabled={leave.isPending || undefined}
          onClick={() => !leave.isPending && leave.mutate()}
        >
          {leave.isPending ? 'Un momento…' : confirm.label}
        </Button>
      </DialogFoot>
    </Dialog>
  );
}
