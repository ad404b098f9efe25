import { Autocomplete, Badge, SegmentedControl, TextInput } from '@mantine/core';
import { useId } from '@mantine/hooks';
import { type Dispatch, type ReactNode, useRef } from 'react';
import { fechaReferida, tipoFacturaOf } from '../../../../domain/invoice.ts';
import { parseDecimal } from '../../../../domain/money.ts';
import { errorMessages } from '../../../lib/http.ts';
import { confirmAction } from '../../../ui/confirm.tsx';
import { useErrorDialog } from '../../../ui/error-dialog.tsx';
import { DayField } from '../../../ui/forms/day-field.tsx';
import { getEditInvoice } from '../api.ts';
import { useCatalogs } from './catalogs.tsx';
import type { DraftAction, DraftState, UsualTicket } from './draft-state.ts';
import { FoundInvoice } from './found-invoice.tsx';
import { tidyPrice } from './lines.ts';
import { datesAfter, datesWith } from './rectified-numbers.ts';
import classes from './rectify-fields.module.css';
import { type FoundInvoices, type Offered, useFoundInvoices } from './use-found-invoices.ts';

export interface RectifyFieldsProps {
  readonly state: DraftState;
  readonly today: string;
  readonly isReadOnly: boolean;
  readonly dispatch: Dispatch<DraftAction>;
  readonly note: ReactNode;
  readonly isWrong: boolean;
  /** The note beside another of these fields. */
  readonly noteAt: (place: string) => { readonly note: ReactNode; readonly isWrong: boolean };
  /** What a simplified invoice starts with. */
  readonly usual: UsualTicket;
}

/** The invoice that an abono rectifies and the method, with the question whether to fill the form with its data. */
export function RectifyFields(props: RectifyFieldsProps) {
  const { state } = props;
  const offered = tipoFacturaOf(state) === 'R5' ? 'canjeables' : 'completas';
  const found = useFoundInvoices(state.invoiceToRectify, offered);
  const typedCents = found.isExternal ? (parseDecimal(state.baseRectificada || '0', 2) ?? 0n) : 0n;

  return (
    <div className={classes.row}>
      <NumbersField {...props} found={found} offered={offered} />
      <ExternalDays {...props} externals={found.externals} isOne={found.before === ''} />
      <MethodField {...props} isOfAbono={found.oursCents + typedCents < 0n} />
      {found.isExternal && state.tipoRectificativa === 'S' && (
        <ExternalAmounts {...props} isOne={found.externals.length === 1} />
      )}
    </div>
  );
}

interface NumbersFieldProps extends RectifyFieldsProps {
  readonly found: FoundInvoices;
  readonly offered: Offered;
}

function NumbersField(props: NumbersFieldProps) {
  const { state, isReadOnly, dispatch, note, isWrong, found, offered } = props;
  const { rows, before, externals, isExternal } = found;
  const fill = useFill(dispatch);
  const field = useRef<HTMLInputElement>(null);
  const offerOther = () => {
    const code = offered === 'completas' ? R5 : R1;
    dispatch({ kind: 'crmemo-type', code, usual: props.usual });
    field.current?.focus();
  };
  const ownNote = isExternal
    ? EXTERNAL_NOTES[externals.length === 1 ? 'one' : 'many']
    : (!found.isLastOurs || found.isOfOtherKind) &&
      !isReadOnly && (
        <OfferedNote offered={offered} isNoneFound={found.isOfOtherKind} onOther={offerOther} />
      );

  return (
    <div className={classes.invoice}>
      <Autocomplete
        ref={field}
        label="Factura a rectificar"
        data-place="invoiceToRectify"
        // When the focus returns from the question, its list would cover what was filled in.
        openOnFocus={false}
        placeholder="Número o cliente; varias, con comas"
        value={state.invoiceToRectify}
        disabled={isReadOnly}
        autoComplete="off"
        maxLength={2000}
        data={rows.map(({ DocNo }) => before + DocNo)}
        // The server has searched already, by number and by client.
        filter={({ options }) => options}
        // The note below the field says which invoices are not in the list.
        comboboxProps={{ width: 'max-content', position: 'top-start' }}
        renderOption={({ option }) => (
          <FoundInvoice row={rows.find(({ DocNo }) => before + DocNo === option.value)} />
        )}
        rightSection={
          isExternal && (
            <Badge variant="default" size="sm" className={classes.external ?? ''}>
              externa
            </Badge>
          )
        }
        rightSectionWidth={isExternal ? 84 : 0}
        onChange={(invoiceToRectify) =>
          dispatch({
            kind: 'set',
            change: { invoiceToRectify, invoiceToRectifyDate: datesAfter(state, invoiceToRectify) },
          })
        }
        onOptionSubmit={(text) => {
          if (before === '') void fill(text);
        }}
        error={isWrong && note ? note : undefined}
        description={isWrong ? undefined : (note ?? ownNote)}
      />
    </div>
  );
}

/** «Rellenar datos?»: asked once an invoice is chosen. With «no», the form stays as it was. */
function useFill(dispatch: Dispatch<DraftAction>) {
  const errors = useErrorDialog();
  const { keepClient } = useCatalogs();
  return async (DocNo: string) => {
    const wants = await confirmAction({
      title: 'Rellenar datos?',
      message: '¿Quieres rellenar con los datos de la factura a corregir?',
      confirm: 'Rellenar datos',
      cancel: 'No rellenar',
    });
    if (!wants) return;
    try {
      const original = await getEditInvoice(DocNo);
      keepClient(original.clienteEliminado);
      dispatch({ kind: 'fill', original });
    } catch (error) {
      errors.show(errorMessages(error));
    }
  };
}

/** The positions of R1 and R5 in the contract. */
const [R1, R5] = [0, 4];

const OFFERED_WORDS = {
  canjeables: {
    here: 'Aquí salen las simplificadas sin canjear.',
    none: 'No hay simplificadas así.',
    why: 'Las completas se rectifican con R1, R2, R3 o R4.',
    other: 'Buscar una completa',
  },
  completas: {
    here: 'Aquí salen las completas.',
    none: 'No hay facturas completas así.',
    why: 'Las simplificadas se rectifican con R5.',
    other: 'Buscar una simplificada',
  },
} as const;

interface OfferedNoteProps {
  readonly offered: Offered;
  /** The search only matches invoices that this one cannot rectify. */
  readonly isNoneFound: boolean;
  readonly onOther: () => void;
}

/** Why an invoice may not be among those offered, and how to get to it. */
function OfferedNote({ offered, isNoneFound, onOther }: OfferedNoteProps) {
  const { here, none, why, other } = OFFERED_WORDS[offered];
  return (
    <>
      {isNoneFound ? none : here} {why}{' '}
      <button type="button" className={`hu-link ${classes.other}`} onClick={onOther}>
        {other}
      </button>
    </>
  );
}

const EXTERNAL_NOTES = {
  one: 'Hecha con otro programa: escribe su fecha exacta.',
  many: 'Hechas con otro programa: escribe la fecha exacta de cada una.',
} as const;

interface ExternalDaysProps
  extends Pick<RectifyFieldsProps, 'state' | 'today' | 'isReadOnly' | 'dispatch' | 'noteAt'> {
  readonly externals: FoundInvoices['externals'];
  /** No other invoice is named. */
  readonly isOne: boolean;
}

/**
 * A day for each invoice of another program. What is wrong is said beside the first that lacks one or has a later
 * one.
 */
export function ExternalDays(props: ExternalDaysProps) {
  const { state, today, isReadOnly, dispatch, noteAt, externals, isOne } = props;
  const dayOf = (index: number) => fechaReferida(state.invoiceToRectifyDate, index);
  const isWrong = (day: string) => day === '' || day > state.invoiceDate;
  const asked = externals.find(({ index }) => isWrong(dayOf(index))) ?? externals[0];
  return externals.map(({ number, index }) => (
    <div key={index} className={classes.day}>
      <DayField
        label={isOne ? 'Fecha de esa factura' : `Fecha de la ${number}`}
        place={index === asked?.index ? 'invoiceToRectifyDate' : `invoiceToRectifyDate.${index}`}
        value={dayOf(index)}
        today={today}
        isOptional
        isDisabled={isReadOnly}
        maxDate={today}
        onChange={(day) =>
          dispatch({ kind: 'set', change: { invoiceToRectifyDate: datesWith(state, index, day) } })
        }
        {...(index === asked?.index && fieldNote(noteAt('invoiceToRectifyDate')))}
      />
    </div>
  ));
}

const METHODS = [
  { value: 'I', label: 'Por diferencias' },
  { value: 'S', label: 'Por sustitución' },
];
const METHOD_NOTES = {
  I: 'Escribe en positivo lo que abonas: se registra en negativo.',
  S: 'Escribe la factura como debió ser: sustituye entera a la anterior.',
  abono:
    'Escribe el abono como debió ser, con las cantidades en negativo: sustituye entero al anterior.',
} as const;

interface MethodFieldProps extends RectifyFieldsProps {
  /** What it rectifies is negative itself. */
  readonly isOfAbono: boolean;
}

function MethodField({ state, isReadOnly, dispatch, isOfAbono }: MethodFieldProps) {
  const label = useId();
  const method = state.tipoRectificativa;
  return (
    <div className={classes.method}>
      <span id={label} className={classes.label}>
        Método
      </span>
      <SegmentedControl
        aria-labelledby={label}
        data-place="tipoRectificativa"
        data={METHODS}
        value={method}
        disabled={isReadOnly}
        onChange={(value) =>
          dispatch({ kind: 'method', method: value === 'S' ? 'S' : 'I', isOfAbono })
        }
      />
      <p className={classes.help}>{METHOD_NOTES[isOfAbono && method === 'S' ? 'abono' : method]}</p>
    </div>
  );
}

const AMOUNTS = [
  { field: 'baseRectificada', label: 'Base imponible' },
  { field: 'cuotaRectificada', label: 'Cuota' },
  { field: 'recargoRectificado', label: 'Recargo, si llevaba' },
] as const;

interface ExternalAmountsProps extends RectifyFieldsProps {
  readonly isOne: boolean;
}

/** What an invoice said of which we hold no registro: a rectificativa por sustitución has to repeat it. */
function ExternalAmounts({ state, isReadOnly, dispatch, noteAt, isOne }: ExternalAmountsProps) {
  const set = (field: AmountField, text: string) =>
    dispatch({ kind: 'set', change: { [field]: text } });
  return (
    <fieldset className={classes.amounts}>
      <legend className={classes.label}>
        {isOne
          ? 'Lo que decía la factura de otro programa'
          : 'Lo que decían las facturas de otro programa, sumadas'}
      </legend>
      <div className={classes.amountFields}>
        {AMOUNTS.map(({ field, label }) => (
          <TextInput
            key={field}
            label={label}
            data-place={field}
            inputMode="decimal"
            placeholder="0,00"
            rightSection="€"
            value={state[field]}
            disabled={isReadOnly}
            onChange={(event) => set(field, event.currentTarget.value)}
            onBlur={() => set(field, tidyPrice(state[field]))}
            {...fieldNote(noteAt(field))}
          />
        ))}
      </div>
    </fieldset>
  );
}

type AmountField = (typeof AMOUNTS)[number]['field'];

function fieldNote({ note, isWrong }: { note: ReactNode; isWrong: boolean }) {
  if (!note) return {};
  return isWrong ? { error: note } : { description: note };
}
