import { Button, Modal } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { DejarFacturaAnswer } from '../../../../contract/invoices.ts';
import { givingUpWords } from '../../../../domain/correction-guide.ts';
import type { Rechazo } from '../../../../domain/invoice.ts';
import { errorMessages, http } from '../../../lib/http.ts';
import { newKey } from '../../../lib/new-key.ts';
import classes from './guide.module.css';

export interface GiveUpButtonProps {
  readonly docNo: string;
  /** Without something to leave the invoice at there is no button. */
  readonly rechazo: Rechazo | undefined;
  readonly isMain?: boolean;
  readonly onDone?: () => void;
}

/** «Dejarla como estaba», of an invoice with a refused correction or anulación, and its question. */
export function GiveUpButton({ docNo, rechazo, isMain = false, onDone }: GiveUpButtonProps) {
  const [isAsking, setIsAsking] = useState(false);
  if (!rechazo?.alDejarla) return null;
  const { accion } = givingUpWords(rechazo);
  return (
    <>
      <Button {...(!isMain && { variant: 'default' })} onClick={() => setIsAsking(true)}>
        {accion}
      </Button>
      {isAsking && (
        <GiveUpDialog
          docNo={docNo}
          rechazo={rechazo}
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
function GiveUpDialog({
  docNo,
  rechazo,
  onClose,
  onDone,
}: {
  readonly docNo: string;
  readonly rechazo: Rechazo;
  readonly onClose: () => void;
  readonly onDone: () => void;
}) {
  const queryClient = useQueryClient();
  const { accion, frases } = givingUpWords(rechazo);
  // One key for all tries: the answer that was lost is the one that comes.
  const [key] = useState(newKey);
  const giveUp = useMutation({
    mutationFn: () =>
      http<DejarFacturaAnswer>('/api/PostData/DejarFactura', {
        json: { No: docNo },
        idempotencyKey: key,
      }),
    onSuccess: async ({ Status }) => {
      notifications.show({ message: `La factura ${docNo} queda como ${Status.toLowerCase()}.` });
      await queryClient.invalidateQueries({ queryKey: ['invoices'] });
      onDone();
    },
  });
  return (
    <Modal
      opened
      onClose={giveUp.isPending ? () => {} : onClose}
      title={`${accion}: factura ${docNo}`}
      withCloseButton={false}
    >
      {frases.map((frase) => (
        <p key={frase} className={classes.lead}>
          {frase}
        </p>
      ))}
      {giveUp.error && (
        <p className={classes.refused} role="alert">
          {errorMessages(giveUp.error, 'No se ha podido hacer. Vuelve a intentarlo.').join(' ')}
        </p>
      )}
      <div className={classes.buttons}>
        <Button variant="default" disabled={giveUp.isPending} onClick={onClose}>
          Cancelar
        </Button>
        <Button
          data-autofocus
          aria-disabled={giveUp.isPending || undefined}
          onClick={() => !giveUp.isPending && giveUp.mutate()}
        >
          {giveUp.isPending ? 'Un momento…' : 'Dejarla así'}
        </Button>
      </div>
    </Modal>
  );
}
