import { givingUpWords, SIN_EFECTO_FRASES } from '../../../../domain/correction-guide.ts';
import type { Rechazo } from '../../../../domain/invoice.ts';
import { LeaveButton } from './leave-dialog.tsx';

interface RefusedInvoice {
  readonly docNo: string;
  readonly rechazo: Rechazo | undefined;
  readonly onDone?: () => void;
}

export interface GiveUpButtonProps extends RefusedInvoice {
  readonly isMain?: boolean;
}

/**
 * «Dejarla como estaba», with its confirmation, for an invoice with a refused correction or anulación. There is no
 * button if there is nothing to go back to.
 */
export function GiveUpButton({ docNo, rechazo, isMain = false, onDone }: GiveUpButtonProps) {
  if (!rechazo?.alDejarla) return null;
  const { accion, frases } = givingUpWords(rechazo);
  return (
    <LeaveButton
      docNo={docNo}
      call="DejarFactura"
      label={accion}
      variant={isMain ? 'filled' : 'default'}
      title={`${accion}: factura ${docNo}`}
      frases={frases}
      confirm={{ label: 'Dejarla así' }}
      focused="confirm"
      closeOnClickOutside
      doneMessage={({ Status }) => `La factura ${docNo} queda como ${Status.toLowerCase()}.`}
      onDone={onDone}
    />
  );
}

/**
 * «Dejarla sin efecto», with its confirmation, for an invoice whose number belongs to another program at the AEAT.
 * There is no button otherwise.
 */
export function WithoutEffectButton({ docNo, rechazo, onDone }: RefusedInvoice) {
  if (rechazo?.enAeat !== 'ajena') return null;
  return (
    <LeaveButton
      docNo={docNo}
      call="DejarSinEfecto"
      label="Dejarla sin efecto"
      title={`Dejar sin efecto la factura ${docNo}`}
      frases={SIN_EFECTO_FRASES}
      confirm={{ label: 'Dejar sin efecto', color: 'red' }}
      focused="cancel"
      closeOnClickOutside={false}
      doneMessage={() => `La factura ${docNo} queda sin efecto.`}
      onDone={onDone}
    />
  );
}
