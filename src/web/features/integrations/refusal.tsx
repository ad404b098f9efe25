import { retryMessage } from '../../lib/http.ts';
import { ErrorNote } from '../../ui/error-note.tsx';

/** Why a call failed, beside the button that tries it again. */
export function Refusal({ error }: { readonly error: unknown }) {
  return error ? <ErrorNote>{retryMessage(error)}</ErrorNote> : null;
}
