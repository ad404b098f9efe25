import { Button, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { EnviarFacturaAnswer } from '../../../../contract/invoices.ts';
import { errorMessages, http } from '../../../lib/http.ts';
import { newKey } from '../../../lib/new-key.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { DialogButtons } from '../../../ui/dialog-foot.tsx';
import classes from '../guide/guide.module.css';

export interface SendDialogProps {
  readonly docNo: string;
  /** The client's address, as the initial value. */
  readonly email: string;
  readonly onClose: () => void;
}

/** Sends an issued invoice to its client by e-mail: again, to another address, or for the first time. */
export function SendDialog({ docNo, email, onClose }: SendDialogProps) {
  const queryClient = useQueryClient();
  const [typed, setTyped] = useState(email);
  // One key for all attempts, so that a lost answer does not cause a second e-mail.
  const [key, setKey] = useState(newKey);
  const send = useMutation({
    mutationFn: () =>
      http<EnviarFacturaAnswer>('/api/PostData/EnviarFactura', {
        json: { No: docNo, Email: typed.trim() },
        idempotencyKey: key,
      }),
    onSuccess: async ({ Email }) => {
      notifications.show({ message: `Factura ${docNo} en camino a ${Email}.` });
      await queryClient.invalidateQueries({ queryKey: ['invoices'] });
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!send.isPending) send.mutate();
  };

  return (
    <Dialog
      onClose={send.isPending ? () => {} : onClose}
      title={`Enviar la factura ${docNo}`}
      withCloseButton={false}
    >
      <form onSubmit={submit} noValidate>
        <p className={classes.lead}>
          Lleva el PDF, y las respuestas llegan a tu correo. Si cambias la dirección, vale solo para
          este envío: la ficha del cliente no cambia.
        </p>
        <TextInput
          type="email"
          label="Correo electrónico"
          data-autofocus
          autoComplete="off"
          maxLength={320}
          value={typed}
          errorProps={{ role: 'alert' }}
          error={send.error && errorMessages(send.error, 'No se ha podido enviar.').join(' ')}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            setKey(newKey());
            if (send.isError) send.reset();
          }}
        />
        <DialogButtons>
          <Button variant="default" disabled={send.isPending} onClick={onClose}>
            Cancelar
          </Button>
          <Button type="submit" aria-disabled={send.isPending || undefined}>
            {send.isPending ? 'Enviando…' : 'Enviar'}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
