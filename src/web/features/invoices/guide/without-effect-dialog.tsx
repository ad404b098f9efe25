import { Button, Modal } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { DejarSinEfectoAnswer } from '../../../../contract/invoices.ts';
import { SIN_EFECTO_FRASES } from '../../../../domain/correction-guide.ts';
import type { Rechazo } from '../../../../domain/invoice.ts';
import { errorMessages, http } from '../../../lib/http.ts';
import { newKey } from '../../../lib/new-key.ts';
import classes from './guide.module.css';

export interface WithoutEffectButtonProps {
  readonly docNo: string;
  /** There is a button only where another program's invoice has its number. */
  readonly rechazo: Rechazo | undefined;
  readonly onDone?: () => void;
}

/** «Dejarla sin efecto», of an invoice whose number is another program's at the AEAT, and its question. */
export function WithoutEffectButton({ docNo, rechazo, onDone }: WithoutEffectButtonProps) {
  const [isAsking, setIsAsking] = useState(false);
  if (rechazo?.enAeat !== 'ajena') return null;
  return (
    <>
      <Button onClick={() => setIsAsking(true)}>Dejarla sin efecto</Button>
      {isAsking && (
        <WithoutEffectDialog
          docNo={docNo}
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

/** What it comes to, before it is done. */
function WithoutEffectDialog({
  docNo,
  onClose,
  onDone,
}: {
  readonly docNo: string;
  readonly onClose: () => void;
  readonly onDone: () => void;
}) {
  const queryClient = useQueryClient();
  // One key for all tries: the answer that was lost is the one that comes.
  const [key] = useState(newKey);
  const leave = useMutation({
    mutationFn: () =>
      http<DejarSinEfectoAnswer>('/api/PostData/DejarSinEfecto', {
        json: { No: docNo },
        idempotencyKey: key,
      }),
    onSuccess: async () => {
      notifications.show({ message: `La factura ${docNo} queda sin efecto.` });
      await queryClient.invalidateQueries({ queryKey: ['invoices'] });
      onDone();
    },
  });
  return (
    <Modal
      opened
      onClose={leave.isPending ? () => {} : onClose}
      title={`Dejar sin efecto la factura ${docNo}`}
      withCloseButton={false}
      closeOnClickOutside={false}
    >
      {SIN_EFECTO_FRASES.map((frase) => (
        <p key={frase} className={classes.lead}>
          {frase}
        </p>
      ))}
      {leave.error && (
        <p className={classes.refused} role="alert">
          {errorMessages(leave.error, 'No se ha podido hacer. Vuelve a intentarlo.').join(' ')}
        </p>
      )}
      <div className={classes.buttons}>
        <Button variant="default" data-autofocus disabled={leave.isPending} onClick={onClose}>
          Cancelar
        </Button>
        <Button
          color="red"
          aria-disabled={leave.isPending || undefined}
          onClick={() => !leave.isPending && leave.mutate()}
        >
          {leave.isPending ? 'Un momento…' : 'Dejar sin efecto'}
        </Button>
      </div>
    </Modal>
  );
}
