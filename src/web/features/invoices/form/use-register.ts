import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { SetFacturasAnswer } from '../../../../contract/invoices.ts';
import { ApiError } from '../../../lib/http.ts';
import { newKey } from '../../../lib/new-key.ts';
import { RECEIPT } from '../../../lib/paths.ts';
import { setFacturas } from '../api.ts';
import { lookAgain } from './catalogs.tsx';
import { draftFields } from './draft-payload.ts';
import { isForgotten, isNotRegistered, type RegisterAttempt } from './register-attempt.ts';
import type { DraftForm } from './use-draft-form.ts';

export interface RegisterOptions {
  readonly form: DraftForm;
  /** One that had not been answered when the page was closed. */
  readonly unanswered: RegisterAttempt | undefined;
  readonly onRegistered: (answer: SetFacturasAnswer) => void;
  /** The server refused, with its reason. */
  readonly onRefused: (error: unknown) => void;
}

/**
 * Registers the contents of the form. One call at a time: a second click while it is under way, or before the form of
 * a registered invoice is gone, does nothing. If no answer arrives, nobody knows whether it was registered. Until that
 * is known nothing else can be done with the form, and trying again sends exactly the same call under the same key,
 * which the server answers as it did the first time. The safety copy keeps both, so that this continues after a reload.
 */
export function useRegister({ form, onRegistered, onRefused, ...given }: RegisterOptions) {
  const queryClient = useQueryClient();
  const unanswered = useRef(given.unanswered);
  const [isUnknown, setUnknown] = useState(given.unanswered !== undefined);
  const isUnderWay = useRef(false);
  const settle = () => {
    unanswered.current = undefined;
    setUnknown(false);
  };

  const mutation = useMutation({
    mutationFn: async (accionFactura: 1 | 2) => {
      await form.saver.pause();
      const attempt = unanswered.current ?? newAttempt(form, accionFactura);
      if (isForgotten(attempt, Date.now()))
        throw new ApiError(409, [FORGOTTEN], { codigo: 'CONFLICT' });
      unanswered.current = attempt;
      form.copy.register(form.live.state, attempt);
      return setFacturas(attempt.fields, attempt.key);
    },
    onSuccess: (answer) => {
      settle();
      nameReceipt(answer.DocNo);
      form.finish();
      queryClient.invalidateQueries({ queryKey: ['invoices'] });
      onRegistered(answer);
    },
    onError: (error) => {
      isUnderWay.current = false;
      if (!isNotRegistered(error, { isRepeat: isUnknown })) return setUnknown(true);
      settle();
      form.copy.register(form.live.state, undefined);
      form.saver.resume();
      lookAgain(queryClient, error);
      onRefused(error);
    },
  });

  const register = (accionFactura: 1 | 2) => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    mutation.mutate(accionFactura);
  };

  return {
    register,
    /** Also once it is registered, while the form makes way for the receipt. */
    isPending: mutation.isPending || mutation.isSuccess,
    /** True if there was no answer: the outcome has to be found out before anything else is done. */
    isUnknown,
    /** What the server says, if anything, while it does not tell the outcome. */
    reason: isUnknown && mutation.error instanceof ApiError ? reasonOf(mutation.error) : undefined,
    /** It was to be sent to the client. */
    sendsMail: unanswered.current?.fields.accionFactura === '2',
  };
}

/**
 * Puts the receipt into the address at once, before the safety copy is deleted: the router does so a moment later, and
 * a reload in between would show an empty form, as if nothing had been registered.
 */
function nameReceipt(DocNo: string): void {
  const { state } = window.history;
  window.history.replaceState(state, '', `?${new URLSearchParams({ [RECEIPT]: DocNo })}`);
}

export type Register = ReturnType<typeof useRegister>;

const FORGOTTEN =
  'Se intentó registrar hace casi un día y ya no se puede saber cómo acabó. Antes de registrarla otra vez, mira en Historial y en Facturas pendientes si está registrada.';

function newAttempt({ saver, live }: DraftForm, accionFactura: 1 | 2): RegisterAttempt {
  const { docNo: draftNo, version } = saver.saved ?? {};
  return {
    key: newKey(),
    fields: draftFields(live.state, { accionFactura, draftNo, version }),
    at: Date.now(),
    search: location.search,
  };
}

/** A refusal that does not reveal the outcome of the first call says what to wait for, or what to fix. */
function reasonOf({ status, messages }: ApiError): string | undefined {
  return status >= 400 && status < 500 && messages.length > 0 ? messages.join(' ') : undefined;
}
