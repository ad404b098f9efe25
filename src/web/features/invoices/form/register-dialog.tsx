import { useQuery } from '@tanstack/react-query';
import type { Cliente } from '../../../../contract/parties.ts';
import { tipoFacturaOf } from '../../../../domain/invoice.ts';
import { seriesKindOf } from '../../../../domain/series.ts';
import { proximosNumerosQuery } from '../../../lib/queries.ts';
import { paysByTransfer } from '../preview/preview-invoice.ts';
import { useCatalogs } from './catalogs.tsx';
import { ConfirmDialog } from './confirm-dialog.tsx';
import type { DraftState } from './draft-state.ts';
import { type DraftTotals, owedCents } from './draft-totals.ts';
import type { Registering } from './registering.ts';
import type { Register } from './use-register.ts';

export interface RegisterDialogProps extends Registering {
  readonly state: DraftState;
  readonly totals: DraftTotals;
  readonly client: Cliente | undefined;
  readonly isClientDeleted: boolean;
  readonly register: Register;
  /** Number of the registered invoice that is being corrected. */
  readonly registeredNo: string | undefined;
  readonly onEditClient: () => void;
  readonly onClose: () => void;
}

/** Asks for confirmation and registers. */
export function RegisterDialog({ register, registeredNo, ...props }: RegisterDialogProps) {
  const { data: next } = useQuery(proximosNumerosQuery);
  const { company } = useCatalogs();
  return (
    <ConfirmDialog
      {...props}
      number={
        registeredNo ??
        next?.[
          seriesKindOf(tipoFacturaOf(props.state), props.state.lines, props.state.claveRegimen)
        ]
      }
      isCorrection={registeredNo !== undefined}
      lacksIban={
        company?.IBAN === '' && owedCents(props.totals) > 0n && paysByTransfer(props.client)
      }
      isPending={register.isPending}
      isUnknown={register.isUnknown && !register.isPending}
      reason={register.reason}
      onConfirm={register.register}
    />
  );
}
