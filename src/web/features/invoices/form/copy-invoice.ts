import { getEditInvoice, setFacturas } from '../api.ts';
import { draftFields } from './draft-payload.ts';
import { duplicatedDraft } from './draft-state.ts';

/** Leaves the date to the server. */
const TODAY_OF_THE_SERVER = '';

/**
 * Makes a draft of an invoice, like «Duplicar» followed by saving.
 *
 * The call contains no date, so that repeating it under its key after midnight is still the same call.
 *
 * @returns the name of its client, if that was deleted since
 * @throws {ApiError}
 */
export async function copyInvoice(
  DocNo: string,
  idempotencyKey: string,
): Promise<{ readonly deletedClient?: string }> {
  const edit = await getEditInvoice(DocNo);
  // The groups would only be needed for the tax of the empty last line, which is not sent.
  const draft = duplicatedDraft(edit, [], TODAY_OF_THE_SERVER);
  await setFacturas(draftFields(draft, { accionFactura: 0 }), idempotencyKey);
  const { clienteEliminado } = edit;
  return clienteEliminado ? { deletedClient: clienteEliminado.Name } : {};
}
