import { useCallback, useMemo, useRef, useState } from 'react';
import type { Cliente } from '../../../../contract/parties.ts';
import { tipoFacturaOf } from '../../../../domain/invoice.ts';
import { isUnionForVat, matchNifIva } from '../../../../domain/nif-iva.ts';
import { GENERAL_TAX } from '../../../../domain/usual-tax.ts';
import { unbroken } from '../../../lib/format.ts';
import type { DraftState } from './draft-state.ts';
import type { PlacedFinding } from './findings.ts';
import { writtenLines } from './lines.ts';

/** The situation of a client abroad who is charged Spanish VAT (`domain/situaciones.ts`). */
export const SPANISH_VAT = 'hecho-en-espana';

/**
 * Whether a company of another Member State is charged the general rate, which lines start with: what is sold to it
 * usually carries no Spanish VAT (Ley 37/1992 arts. 25 and 69.Uno.1.º). The reduced rates were chosen by somebody.
 */
export function isChargedSpanishVat(state: DraftState, client: Cliente | undefined): boolean {
  return (
    client?.CustomerPostingGroup === 'UE' &&
    isUnionForVat(client.countryCode) &&
    matchNifIva(client.countryCode, client.VATRegistrationNo) !== null &&
    tipoFacturaOf(state) === 'F1' &&
    writtenLines(state.lines).some(({ tax }) => tax === GENERAL_TAX)
  );
}

/**
 * The notice of that, and `accept`, after which this browser does not show it for the client again. Null when there is
 * nothing to say. Only the form knows it: no call can tell that somebody has decided it.
 */
export function useSpanishVat(
  state: DraftState,
  { client, companyId }: { readonly client: Cliente | undefined; readonly companyId: string },
) {
  const key = `huella.iva-espanol.${companyId}.${client?.No ?? ''}`;
  const [acceptedNow, setAcceptedNow] = useState<string>();
  const isShown = isChargedSpanishVat(state, client) && acceptedNow !== key && !wasAccepted(key);
  const name = isShown ? (client?.Name ?? '') : null;
  const notice = useMemo(() => (name === null ? null : noticeFor(name)), [name]);
  const now = useRef(key);
  now.current = key;
  const accept = useCallback(() => {
    remember(now.current);
    setAcceptedNow(now.current);
  }, []);
  return { notice, accept };
}

function noticeFor(name: string): PlacedFinding {
  const mensaje = `${name} es una empresa de la UE con NIF-IVA y le cobras IVA español. Lo normal es que no lo lleve: la mercancía que sale de España es una entrega intracomunitaria exenta (E5), y un servicio no está sujeto aquí (N2). Elige tu caso en «¿Qué vendes y a quién?». Lo que se entrega o se presta en España, como una estancia o un evento, sí lo lleva.`;
  return {
    campo: 'situacion',
    place: 'situacion',
    gravedad: 'avisa',
    mensaje: unbroken(mensaje),
    isMissing: false,
  };
}

function wasAccepted(key: string): boolean {
  try {
    return localStorage.getItem(key) === 'true';
  } catch {
    return false;
  }
}

function remember(key: string): void {
  try {
    localStorage.setItem(key, 'true');
  } catch {
    // Without storage it is said again in the next invoice, which does no harm.
  }
}
