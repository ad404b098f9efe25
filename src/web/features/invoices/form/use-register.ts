import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import type { SetFacturasAnswer } from '../../../../contract/invoices.ts';
import { newKey } from '../../../lib/new-key.ts';
import { setFacturas } from '../api.ts';
import { draftFields } from './draft-payload.ts';
import { isRefusal } from './draft-saver.ts';
import { countProducts } from './product-usage.ts';
import type { DraftForm } from './use-draft-form.ts';

interface Attempt {
  readonly key: string;
  readonly fields: Readonly<Record<string, string>>;
}

export interface RegisterOptions {
  readonly form: DraftForm;
  readonly companyId: string;
  readonly onRegistered: (answer: SetFacturasAnswer) => void;
  /** The server said no, and why. */
  readonly onRefused: (error: unknown) => void;
}

/**
 * Registers what the form holds. One at a time: a second press while it is under way does nothing.
 * When no answer comes, nobody knows whether it was registered: trying again sends the very same
 * call under the same key, which the server answers as it did the first time.
 */
export function useRegister({ form, companyId, onRegistered, onRefused }: RegisterOptions) {
  const queryClient = useQueryClient();
  const unanswered = useRef<Attempt | null>(null);
  const isUnderWay = useRef(false);

  const mutation = useMutation({
    mutationFn: async (accionFactura: 1 | 2) => {
      await form.saver.pause();
      const { docNo: draftNo, version } = form.saver.saved ?? {};
      const attempt = unanswered.current ?? {
        key: newKey(),
        fields: draftFields(form.state, { accionFactura, draftNo, version }),
      };
      unanswered.current = attempt;
      return setFacturas(attempt.fields, attempt.key);
    },
    onSuccess: (answer) => {
      unanswered.current = null;
      form.finish();
      countProducts(companyId, form.state.lines);
      queryClient.invalidateQueries({ queryKey: ['invoices'] });
      onRegistered(answer);
    },
    onError: (error) => {
      if (!isRefusal(error)) return;
      unanswered.current = null;
      form.saver.resume();
      onRefused(error);
    },
    onSettled: () => {
      isUnderWay.current = false;
    },
  });

  const register = (accionFactura: 1 | 2) => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    mutation.mutate(accionFactura);
  };

  /** True after a silence: the outcome has to be found out before anything else is sent. */
  const isUnknown = mutation.isError && !isRefusal(mutation.error);
  return { register, isPending: mutation.isPending, isUnknown };
}

export type Register = ReturnType<typeof useRegister>;
