import { Button, Textarea } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Cobros } from '../../../../contract/cobros.ts';
import type { NuevoEstado } from '../../../../contract/invoices.ts';
import { euros } from '../../../lib/format.ts';
import { http } from '../../../lib/http.ts';
import { newKey } from '../../../lib/new-key.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { DialogFoot } from '../../../ui/dialog-foot.tsx';
import classes from './guide.module.css';

export interface CancelDialogProps {
  readonly docNo: string;
  readonly cobros: Cobros | undefined;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** «Anular»: asks for the reason, and for confirmation before the registro is made. */
export function CancelDialog({ docNo, cobros, onClose, onDone }: CancelDialogProps) {
  const queryClient = useQueryClient();
  const [motivo, setMotivo] = useState('');
  const [isMissing, setIsMissing] = useState(false);
  // One key for all attempts, so that a lost answer does not annul twice.
  const [key] = useState(newKey);
  const cancel = useMutation({
    mutationFn: () =>
      http<NuevoEstado>('/api/PostData/AnularFactura', {
        json: { No: docNo, motivo: motivo.trim() },
        idempotencyKey: key,
      }),
    onSuccess: async () => {
      notifications.show({
        message: `Anulación de la factura ${docNo} registrada. Se envía a la AEAT en su turno.`,
      });
      await queryClient.invalidateQueries({ queryKey: ['invoices'] });
      onDone();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (cancel.isPending) return;
    if (motivo.trim() === '') setIsMissing(true);
    else cancel.mutate();
  };

  return (
    <Dialog
      onClose={cancel.isPending ? () => {} : onClose}
      title={`Anular la factura ${docNo}`}
      withCloseButton={false}
      closeOnClickOutside={false}
    >
      <form onSubmit={submit} noValidate>
        <p className={classes.lead}>
          Se añade una anulación al final de la cadena y sale hacia la AEAT. No se puede deshacer, y
          su número no se vuelve a usar.
        </p>
        {cobros !== undefined && cobros.cobrado !== 0 && (
          <p className={classes.lead}>
            Tiene {euros(Math.abs(cobros.cobrado))} anotados como{' '}
            {cobros.cobrado > 0 ? 'cobrados' : 'devueltos'}. Lo anotado no se borra: si ese dinero
            vuelve, o nunca se movió, elimínalo después en su ficha.
          </p>
        )}
        <Textarea
          label="Motivo"
          description="Queda guardado con la factura. No se envía a la AEAT."
          data-autofocus
          autosize
          minRows={2}
          maxLength={500}
          value={motivo}
          error={isMissing && motivo.trim() === '' && 'Escribe por qué la anulas.'}
          onChange={(event) => setMotivo(event.currentTarget.value)}
        />
        <DialogFoot
          error={cancel.error}
          failed="No se ha podido anular. Vuelve a intentarlo."
          isPending={cancel.isPending}
          onCancel={onClose}
        >
          <Button type="submit" color="red" aria-disabled={cancel.isPending || undefined}>
            {cancel.isPending ? 'Anulando…' : 'Anular factura'}
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  );
}
