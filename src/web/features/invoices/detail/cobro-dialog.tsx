import { Button, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { AnotarCobroBody, Cobros } from '../../../../contract/cobros.ts';
import {
  creditWords,
  endOfTerm,
  firstDayOfCobro,
  MEDIOS_DE_COBRO,
  type MedioDeCobro,
  medioOf,
  NO_SE_COBRA,
  problemOfDay,
} from '../../../../domain/cobros.ts';
import type { IssuedInvoice } from '../../../../domain/invoice.ts';
import {
  absCents,
  centsToEs,
  centsToText,
  numberToCents,
  parseDecimal,
} from '../../../../domain/money.ts';
import { focusFirstInvalid } from '../../../lib/focus-invalid.ts';
import { eurosOfCents } from '../../../lib/format.ts';
import { http } from '../../../lib/http.ts';
import { newKey } from '../../../lib/new-key.ts';
import { requireToken } from '../../../lib/require-token.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { DialogFoot } from '../../../ui/dialog-foot.tsx';
import { DayField } from '../../../ui/forms/day-field.tsx';
import { Select } from '../../../ui/forms/select.tsx';
import { useCompanyToday } from '../../../ui/use-today.ts';
import classes from './cobros-card.module.css';
import { useShowCobros } from './use-show-cobros.ts';

export interface CobroDialogProps {
  readonly cobros: Cobros;
  readonly emitida: IssuedInvoice;
  readonly onClose: () => void;
}

const NOTED = { devolución: 'Devolución anotada', compensación: 'Compensación anotada' };

/**
 * Notes down what was collected, by default all that is left, today and by the invoice's form of payment; that it is not
 * collected, on the day its term ended. What is given back is typed without a sign.
 */
export function CobroDialog({ cobros, emitida, onClose }: CobroDialogProps) {
  const { DocNo, pendiente, criterioDeCaja } = cobros;
  const isGivenBack = pendiente < 0;
  const { noun } = creditWords(emitida.tipoFactura);
  const title = `Anotar ${isGivenBack ? noun : 'cobro'}`;
  const left = absCents(numberToCents(pendiente));
  const today = useCompanyToday();
  const [day, setDay] = useState<string | null>(null);
  const [amount, setAmount] = useState(centsToEs(left));
  const [medio, setMedio] = useState<MedioDeCobro>(() => medioOf(emitida.formaPago));
  const [account, setAccount] = useState('');
  const [isWrong, setIsWrong] = useState(false);
  // One key for all attempts at the same cobro, so that a lost answer does not note it down twice.
  const [key, setKey] = useState(newKey);
  const term = endOfTerm(emitida);
  const fecha = day ?? (medio === NO_SE_COBRA && term < today ? term : today);
  const show = useShowCobros();
  const cents = parseDecimal(amount, 2);
  const problem = problemOf(cents, left);
  const wrongDay = problemOfDay(fecha, emitida, today);

  const note = useMutation({
    mutationFn: (body: AnotarCobroBody) => {
      requireToken('El token ha caducado');
      return http<Cobros>('/api/PostData/AnotarCobro', { json: body, idempotencyKey: key });
    },
    onSuccess: async (noted) => {
      const what = isGivenBack ? NOTED[noun] : 'Cobro anotado';
      notifications.show({ message: `${what} en la factura ${DocNo}.` });
      await show(noted);
      onClose();
    },
  });
  const changed = () => {
    setKey(newKey());
    if (note.isError) note.reset();
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (note.isPending) return;
    setIsWrong(problem !== null || wrongDay !== null);
    if (cents === null || problem !== null || wrongDay !== null) {
      focusFirstInvalid(event.currentTarget);
      return;
    }
    note.mutate({
      No: DocNo,
      Fecha: fecha,
      Importe: centsToText(isGivenBack ? -cents : cents),
      Medio: medio,
      ...(account.trim() && { Identificacion: account.trim() }),
    });
  };

  return (
    <Dialog
      onClose={note.isPending ? () => {} : onClose}
      title={`${title} de la factura ${DocNo}`}
      withCloseButton={false}
      closeOnClickOutside={false}
    >
      <form onSubmit={submit} noValidate className={classes.form}>
        <div className={classes.pair}>
          <TextInput
            label="Importe"
            inputMode="decimal"
            data-autofocus
            autoComplete="off"
            maxLength={40}
            classNames={{ input: classes.figures ?? '' }}
            rightSection={<span aria-hidden="true">€</span>}
            value={amount}
            error={isWrong && problem}
            onChange={(event) => {
              setAmount(event.currentTarget.value);
              changed();
            }}
            onBlur={() => cents !== null && setAmount(centsToEs(cents))}
          />
          <DayField
            label="Fecha"
            value={fecha}
            today={today}
            minDate={firstDayOfCobro(emitida)}
            maxDate={today}
            error={isWrong && wrongDay}
            onChange={(next) => {
              setDay(next);
              changed();
            }}
          />
        </div>
        <Select
          label="Medio"
          allowDeselect={false}
          data={MEDIOS_DE_COBRO.filter((one) => criterioDeCaja || one.medio !== NO_SE_COBRA).map(
            (one) => ({ value: one.medio, label: one.label }),
          )}
          value={medio}
          {...(medio === NO_SE_COBRA && {
            description:
              'El impuesto se devengó el 31 de diciembre del año siguiente sin haberse cobrado. La factura sigue pendiente.',
          })}
          onChange={(next) => {
            setMedio((next ?? medio) as MedioDeCobro);
            changed();
          }}
        />
        {criterioDeCaja && (
          <TextInput
            label="Cuenta o referencia"
            description="Para el libro registro: la cuenta en la que lo cobraste, o lo que lo acredite."
            autoComplete="off"
            maxLength={34}
            value={account}
            onChange={(event) => {
              setAccount(event.currentTarget.value);
              changed();
            }}
          />
        )}
        <DialogFoot
          error={note.error}
          failed="No se ha podido anotar. Vuelve a intentarlo."
          isPending={note.isPending}
          onCancel={onClose}
        >
          <Button type="submit" aria-disabled={note.isPending || undefined}>
            {note.isPending ? 'Anotando…' : title}
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  );
}

function problemOf(cents: bigint | null, left: bigint): string | null {
  if (cents === null || cents <= 0n) return 'Escribe el importe, como 1.234,56.';
  return cents > left ? `Como mucho, ${eurosOfCents(left)}: es lo que queda.` : null;
}
