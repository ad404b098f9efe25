import { notifications } from '@mantine/notifications';
import { useEffect, useRef } from 'react';
import { fechaEs } from '../../../../domain/dates.ts';
import { TOAST_ICONS } from '../../../ui/toast-icons.tsx';
import type { DraftAction, DraftState } from './draft-state.ts';

interface ProposedDate {
  /** The date that a new form proposed; null where somebody chose it. */
  readonly proposed: string | null;
  readonly today: string;
  readonly getState: () => Pick<DraftState, 'invoiceDate'>;
  readonly dispatch: (action: DraftAction) => void;
}

/** A form that is open at midnight moves on to the new day, and says so, unless its date was changed. */
export function useDateOfToday({ proposed, today, getState, dispatch }: ProposedDate): void {
  const last = useRef(proposed);
  useEffect(() => {
    if (last.current === null || last.current === today) return;
    const isUntouched = getState().invoiceDate === last.current;
    last.current = isUntouched ? today : null;
    if (!isUntouched) return;
    dispatch({ kind: 'set', change: { invoiceDate: today } });
    notifications.show({
      icon: TOAST_ICONS.blue,
      message: `Ya es otro día: la fecha de la factura pasa al ${fechaEs(today)}.`,
    });
  }, [today, getState, dispatch]);
}
