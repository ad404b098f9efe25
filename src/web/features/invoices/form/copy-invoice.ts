import { getEditInvoice, setFacturas } from '../api.ts';
import { draftFields } from './draft-payload.ts';
import { duplicatedDraft } from './draft-state.ts';

/** By whom the date is given. */
const TODAY_OF_THE_SERVER = '';

/**
 * Makes a draft of an invoice, as «Duplicar» and saving would.
 *
 * What is sent says no date: asked again under its key after midnight, it is still the same call.
 *
 * @returns the name of its client, if it was deleted since
 * @throws {ApiError}
 */
export async function copyInvoice(
  DocNo: string,
  idempotencyKey: string,
): Promise<{ readonly deletedClient?: string }> {
  const edit = await getEditInvoice(DocNo);
  // The groups serve for the tax of the empty last line, which is not sent.
  const draft = duplicatedDraft(edit, [], TODAY_OF_THE_SERVER);
  await setFacturas(draftFields(draft, { accionFactura: 0 }), idempotencyKey);
  const { clienteEliminado } = edit;
  return clienteEliminado ? { deletedClient: clienteEliminado.Name } : {};
}
