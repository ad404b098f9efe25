import { notifications } from '@mantine/notifications';
import type { InvoiceRow } from '../../../contract/invoices.ts';
import { http } from '../../lib/http.ts';
import { requireToken } from '../../lib/require-token.ts';
import { confirmAction } from '../confirm.tsx';

/**
 * Asks for confirmation, deletes the draft and reports it.
 *
 * @returns whether the user confirmed
 */
export async function deleteDraft({ DocNo, Name }: InvoiceRow): Promise<boolean> {
  const whose = Name ? `, para «${Name}»,` : '';
  const goesOn = await confirmAction({
    title: 'Eliminar borrador',
    message: `El borrador ${DocNo}${whose} se perderá. No tiene número ni registro: no deja hueco.`,
    confirm: 'Eliminar borrador',
    danger: true,
  });
  if (!goesOn) return false;
  requireToken('El token ha caducado');
  await http('/api/PostData/DeleteInvoice', { json: { No: DocNo } });
  notifications.show({ message: `El borrador ${DocNo} se ha eliminado.` });
  return true;
}
