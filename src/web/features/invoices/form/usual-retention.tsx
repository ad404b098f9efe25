import { type Dispatch, useEffect } from 'react';
import { tipoFacturaOf } from '../../../../domain/invoice.ts';
import { checkRetention, takesUsualRetention, type Withholds } from '../../../../domain/irpf.ts';
import { useCatalogs } from './catalogs.tsx';
import type { DraftAction, DraftState } from './draft-state.ts';
import type { DraftTotals } from './draft-totals.ts';
import classes from './usual-retention.module.css';

interface OfForm {
  readonly state: DraftState;
  readonly totals: DraftTotals;
  readonly dispatch: Dispatch<DraftAction>;
}

/** The company's usual retention, and whether the form has it. */
function useUsual({ state, totals }: Omit<OfForm, 'dispatch'>): {
  readonly percent: string;
  readonly bears: Withholds;
  readonly clientName: string;
} {
  const { company, clientByNo } = useCatalogs();
  const { RetencionPorDefecto: percent = '' } = company;
  const client = clientByNo.get(state.invoiceClient);
  const bears = takesUsualRetention({
    percent,
    issuerNif: company.VATRegistrationNo,
    tipoFactura: tipoFacturaOf(state),
    client,
    isOnMargin: totals.lines.some(({ isMargen }) => isMargen),
  });
  return { percent, bears, clientName: client?.Name ?? '' };
}

/** Until the user chooses another, it is added with a client who certainly withholds and removed with any other. */
export function useUsualRetention(form: OfForm & { readonly isActive: boolean }): void {
  const { state, dispatch, isActive } = form;
  const { percent, bears } = useUsual(form);
  const wanted = bears === 'always' ? percent : '';
  const isDue = isActive && state.isRetencionHabitual && state.retencionIRPF !== wanted;
  useEffect(() => {
    if (isDue) dispatch({ kind: 'usual-retention', percent: wanted });
  }, [isDue, wanted, dispatch]);
}

/**
 * Below the totals: where the retention comes from, or that this client may require it, and the button that changes it.
 */
export function UsualRetentionNote(form: OfForm) {
  const { state, dispatch } = form;
  const { percent, bears, clientName } = useUsual(form);
  const choose = (retencionIRPF: string) => dispatch({ kind: 'set', change: { retencionIRPF } });
  const isOn = checkRetention(state.retencionIRPF) === checkRetention(percent);
  const isShown = percent !== '' && bears !== 'never' && (isOn || state.retencionIRPF === '');
  const rate = `${percent}\u00a0%`;
  return (
    <p className={classes.note} role="status">
      {isShown && (
        <>
          {wordsOf({ isOn, bears, rate, clientName })}{' '}
          <button type="button" className="hu-link" onClick={() => choose(isOn ? '' : percent)}>
            {isOn ? 'Quitarla' : 'Ponerla'}
          </button>
        </>
      )}
    </p>
  );
}

function wordsOf({
  isOn,
  bears,
  rate,
  clientName,
}: {
  readonly isOn: boolean;
  readonly bears: Withholds;
  readonly rate: string;
  readonly clientName: string;
}): string {
  if (isOn) return `Con la retención de tu perfil, el ${rate}.`;
  if (bears === 'always') return `Sin la retención de tu perfil, el ${rate}.`;
  return `Si ${clientName} te paga por su negocio, lleva tu retención habitual, el ${rate}.`;
}
