import { Button, Checkbox } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import type { Cliente } from '../../../../contract/parties.ts';
import { payableSum } from '../../../../domain/cobros.ts';
import { tipoFacturaOf } from '../../../../domain/invoice.ts';
import { eurosOfCents, fecha } from '../../../lib/format.ts';
import { PATHS } from '../../../lib/paths.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { DialogButtons } from '../../../ui/dialog-foot.tsx';
import { useTaxName } from '../../../ui/invoices/use-tax-name.ts';
import classes from './confirm-dialog.module.css';
import type { DraftState } from './draft-state.ts';
import { partsOfPayable, partsOfTotal, type Sum } from './draft-sums.ts';
import { type DraftTotals, owedCents } from './draft-totals.ts';
import { typeLabel } from './types-of-invoice.ts';

export interface ConfirmDialogProps {
  readonly title: string;
  /** The label of its button. */
  readonly verb: string;
  readonly state: DraftState;
  readonly totals: DraftTotals;
  readonly client: Cliente | undefined;
  /** The client was deleted, so it has no card to complete. */
  readonly isClientDeleted: boolean;
  /** The number it would get; for a correction, the one it has. */
  readonly number: string | undefined;
  readonly isCorrection: boolean;
  /** It is to be paid by transfer, but does not say to which account. */
  readonly lacksIban: boolean;
  readonly sendsMail: boolean;
  readonly isPending: boolean;
  /** There was no answer: nobody knows whether it was registered. */
  readonly isUnknown: boolean;
  /** What the server says meanwhile. */
  readonly reason: string | undefined;
  readonly onConfirm: (accionFactura: 1 | 2) => void;
  readonly onEditClient: () => void;
  readonly onClose: () => void;
}

/** The last check before registering, with the one warning that it cannot be undone beside the buttons. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, verb, state, client, isPending, isUnknown, onClose } = props;
  const [sendsMail, setSendsMail] = useState(props.sendsMail && Boolean(client?.Email));

  return (
    <Dialog
      onClose={isPending ? () => {} : onClose}
      title={title}
      withCloseButton={!isPending}
      closeOnClickOutside={false}
    >
      <p className={classes.lead}>
        {props.isCorrection
          ? 'Hace un registro nuevo al final de la cadena, que sale hacia la AEAT.'
          : 'Recibe su número, entra en la cadena y sale hacia la AEAT.'}
      </p>
      <Summary {...props} />
      {props.lacksIban && (
        <p className={classes.mail}>
          Se paga por transferencia y no has puesto tu IBAN: la factura no dirá a qué cuenta.{' '}
          <Link className="hu-link" to={`${PATHS.profile}#facturacion`}>
            Poner el IBAN
          </Link>
        </p>
      )}
      {client && !isOverTheCounter(client, state) && (
        <div className={classes.mail}>
          {client.Email ? (
            <Checkbox
              checked={sendsMail}
              disabled={isPending || isUnknown}
              onChange={(event) => setSendsMail(event.currentTarget.checked)}
              label={
                <>
                  Enviar el PDF a <strong>{client.Email}</strong>
                </>
              }
            />
          ) : (
            <NoMail {...props} />
          )}
        </div>
      )}
      <div className={classes.foot}>
        {isUnknown ? <Unanswered reason={props.reason} /> : <ForGood />}
        <DialogButtons>
          <Button variant="default" disabled={isPending} onClick={onClose}>
            {isUnknown ? 'Cerrar' : 'Cancelar'}
          </Button>
          <Button
            data-autofocus
            aria-disabled={isPending || undefined}
            onClick={() => props.onConfirm(sendsMail ? 2 : 1)}
          >
            {isPending ? 'Registrando…' : isUnknown ? 'Volver a intentarlo' : verb}
          </Button>
        </DialogButtons>
      </div>
    </Dialog>
  );
}

/** The characters of the longest total that fits beside its name on a phone: `999.999,99 €`. */
const MAX_BESIDE = 12;

/** What the invoice says, from whom it is for to what is to be paid. */
function Summary({
  state,
  totals,
  client,
  isClientDeleted,
  isCorrection,
  number,
}: ConfirmDialogProps) {
  const own = useTaxName();
  const code = state.type === 'abono' ? state.crmemoType : state.invoiceType;
  const total = eurosOfCents(totals.totalCents);
  const owed = payableSum(owedCents(totals), tipoFacturaOf(state));
  const isLong = total.length > MAX_BESIDE || undefined;
  return (
    <dl className={classes.summary}>
      {client && (
        <Row name="Cliente">
          {client.Name}
          {isClientDeleted && ' (ya no está en tus clientes)'}
        </Row>
      )}
      <Row name="Tipo">{typeLabel(state.type, code)}</Row>
      {number && <Row name={isCorrection ? 'Número' : 'Número previsto'}>{number}</Row>}
      {state.type === 'abono' && state.invoiceToRectify && (
        <Row name="Rectifica">{state.invoiceToRectify}</Row>
      )}
      <Row name="Fecha">{fecha(state.invoiceDate)}</Row>
      {partsOfTotal(totals, own).map(sum)}
      <dt className={classes.total} data-long={isLong}>
        Total
      </dt>
      <dd className={classes.totalFigure} data-long={isLong}>
        {total}
      </dd>
      {partsOfPayable(totals).map(sum)}
      {owedCents(totals) !== totals.totalCents && <Figure name={owed.label} cents={owed.cents} />}
    </dl>
  );
}

function NoMail({
  isClientDeleted,
  onEditClient,
}: Pick<ConfirmDialogProps, 'isClientDeleted' | 'onEditClient'>) {
  return (
    <p>
      Este cliente no tiene correo: no se le puede enviar el PDF.{' '}
      {!isClientDeleted && (
        <button type="button" className="hu-link" onClick={onEditClient}>
          Completar la ficha
        </button>
      )}
    </p>
  );
}

function ForGood() {
  return (
    <p className={classes.warning}>
      <IconAlertTriangle size={18} stroke={1.8} aria-hidden="true" />
      <span>
        Después <strong>no se puede cambiar</strong>: solo rectificar con otra factura.
      </span>
    </p>
  );
}

function Unanswered({ reason }: Pick<ConfirmDialogProps, 'reason'>) {
  return (
    <p className={classes.warning} role="alert">
      <IconAlertTriangle size={18} stroke={1.8} aria-hidden="true" />
      <span>
        <strong>No ha llegado la respuesta</strong> y no sabemos si se ha registrado. {reason}{' '}
        Vuelve a intentarlo: no se registrará dos veces.
      </span>
    </p>
  );
}

/** An anonymous buyer of a ticket, without a card to complete. */
function isOverTheCounter(client: Cliente, { isSimplificada }: DraftState): boolean {
  return isSimplificada && !client.Email && !client.VATRegistrationNo;
}

const sum = ({ name, cents }: Sum) => <Figure key={name} name={name} cents={cents} />;

function Figure({ name, cents }: Sum) {
  return (
    <Row name={name}>
      <span className="hu-figures">{eurosOfCents(cents)}</span>
    </Row>
  );
}

function Row({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
