import { useCallback, useRef, useState } from 'react';
import type { Cliente } from '../../../../contract/parties.ts';
import { checkNif } from '../../../../domain/nif.ts';
import { forgetTyped, keepTyped, typedIn } from '../../../lib/typed.ts';
import { newCustomer } from '../../../ui/forms/customer-draft.ts';
import { useCatalogs } from './catalogs.tsx';

/** A card that was half typed when the page was closed. */
interface KeptCard {
  readonly client: Cliente;
  readonly draft: Cliente;
}

/**
 * The card of a client on top of the form: the chosen client's, or a new one. What is half typed in it is restored
 * along with the form of the same address, after a reload or a session that ended.
 */
export function useClientDialog(
  chosenNo: () => string,
  { isActive }: { readonly isActive: boolean },
) {
  const { clients, clientByNo, company } = useCatalogs();
  const [place] = useState(() => `cliente de ${location.pathname}${location.search}`);
  const [kept] = useState(() => (isActive ? stillThere(typedIn<KeptCard>(place), clients) : null));
  const typed = useRef(kept?.draft);
  const [open, setOpen] = useState<Cliente | null>(kept?.client ?? null);
  const chosen = useRef(chosenNo);
  chosen.current = chosenNo;

  const hasCard = useCallback(() => clients.some(({ No }) => No === chosen.current()), [clients]);
  const isGone = useCallback(() => {
    const no = chosen.current();
    return no !== '' && !clientByNo.has(no);
  }, [clientByNo]);
  const editClient = useCallback(
    () => setOpen(clientByNo.get(chosen.current()) ?? null),
    [clientByNo],
  );
  const createClient = useCallback(
    (searched: string) => setOpen({ ...newCustomer(company), ...knownOf(searched) }),
    [company],
  );
  /** A new client of whom something is known. */
  const reviewClient = useCallback((client: Cliente) => setOpen(client), []);
  const closeClient = useCallback(() => {
    typed.current = undefined;
    forgetTyped(place);
    setOpen(null);
  }, [place]);
  return {
    open,
    typed: typed.current,
    keepCard: (isDirty: boolean, draft: Cliente) => {
      if (isDirty) keepTyped(place, { client: open, draft });
      else forgetTyped(place);
    },
    hasCard,
    isGone,
    editClient,
    createClient,
    reviewClient,
    closeClient,
  };
}

/** What a search that found no client says about a new one. */
function knownOf(searched: string): Pick<Cliente, 'Name' | 'VATRegistrationNo'> {
  const nif = checkNif(searched);
  return nif.ok
    ? { Name: '', VATRegistrationNo: nif.nif }
    : { Name: searched, VATRegistrationNo: '' };
}

/** The card as it was opened, so that only the changes since are saved. Null if its client was deleted meanwhile. */
function stillThere(kept: KeptCard | null, clients: readonly Cliente[]): KeptCard | null {
  if (!kept?.client.No) return kept;
  return clients.some(({ No }) => No === kept.client.No) ? kept : null;
}
