import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconTrash } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { EliminarBorradoresAnswer, InvoiceRow } from '../../../contract/invoices.ts';
import { cuenta, entero } from '../../lib/format.ts';
import { errorMessages, http } from '../../lib/http.ts';
import { requireToken } from '../../lib/require-token.ts';
import { confirmAction } from '../../ui/confirm.tsx';
import { useErrorDialog } from '../../ui/error-dialog.tsx';
import { toTitle } from '../../ui/focus-after.ts';
import { IssuedActions } from './issued-actions.tsx';
import { RegisterPickedButton } from './register-all.tsx';
import { type InvoiceSelection, MAX_AT_ONCE } from './use-selection.ts';

/** The actions on the selected pending invoices: registering or deleting the drafts among them. */
export function PendingActions({ selection }: { readonly selection: InvoiceSelection }) {
  const drafts = selection.rows.filter(({ Status }) => Status === 'Borrador');
  return (
    <>
      <IssuedActions rows={selection.rows} />
      {drafts.length > 0 && (
        <DraftActions drafts={drafts} onDone={() => selection.onSelect(drafts, false)} />
      )}
    </>
  );
}

interface DraftActionsProps {
  readonly drafts: readonly InvoiceRow[];
  readonly onDone: () => void;
}

function DraftActions({ drafts, onDone }: DraftActionsProps) {
  const docNos = drafts.map(({ DocNo }) => DocNo);
  const count = docNos.length;
  const isTooMany = count > MAX_AT_ONCE;
  const remove = useDeleteDrafts(onDone);

  const askToDelete = async () => {
    const what = cuenta(count, 'borrador', 'borradores');
    const goesOn = await confirmAction({
      title: `¿Eliminar ${what}?`,
      message:
        count === 1
          ? `El borrador ${docNos[0]} se perderá. No tiene número ni registro: no deja hueco.`
          : 'Se perderán. No tienen número ni registro: no dejan hueco.',
      confirm: `Eliminar ${what}`,
      danger: true,
    });
    if (goesOn) remove.mutate(docNos);
  };
  return (
    <>
      <Button
        ref={toTitle}
        variant="default"
        leftSection={<IconTrash size={16} stroke={1.7} aria-hidden="true" />}
        aria-disabled={remove.isPending || undefined}
        disabled={isTooMany}
        onClick={() => !remove.isPending && askToDelete()}
      >
        Eliminar ({entero(count)})
      </Button>
      <RegisterPickedButton docNos={docNos} isTooMany={isTooMany} onStarted={onDone} />
    </>
  );
}

function useDeleteDrafts(onDeleted: () => void) {
  const errors = useErrorDialog();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (Nos: readonly string[]) => {
      requireToken('El token ha caducado');
      return http<EliminarBorradoresAnswer>('/api/PostData/EliminarBorradores', { json: { Nos } });
    },
    onSuccess: ({ eliminados }, { length }) => {
      onDeleted();
      notifications.show({ message: deletedText(eliminados, length - eliminados) });
    },
    onError: (error) => errors.show(errorMessages(error)),
    // Also after a failure: some may have been registered, or deleted, from another device.
    onSettled: () => client.invalidateQueries({ queryKey: ['invoices'] }),
  });
}

function deletedText(deleted: number, left: number): string {
  if (deleted === 0) return 'No se ha eliminado ninguno: ya no eran borradores.';
  const done = `${cuenta(deleted, 'borrador eliminado', 'borradores eliminados')}.`;
  return left === 0 ? done : `${done} El resto ya no eran borradores.`;
}
