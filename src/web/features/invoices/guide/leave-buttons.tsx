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
 * «Dejarla como estaba», of an invoice with a refused correction or anulación, and its question. Without
 * something to leave the invoice at there is no button.
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
 * «Dejarla sin efecto», of an invoice whose number is another program's at the AEAT, and its question. There
 * is a button only where another program's invoice has its number.
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
