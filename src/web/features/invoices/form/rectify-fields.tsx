import { Autocomplete, Badge, MultiSelect, SegmentedControl, TextInput } from '@mantine/core';
import { useDebouncedValue, useId } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type Dispatch, type ReactNode, useRef, useState } from 'react';
import type { FacturaEmitida } from '../../../../contract/invoices.ts';
import {
  fechaReferida,
  isSimplified,
  numbersNamed,
  tipoFacturaOf,
} from '../../../../domain/invoice.ts';
import { parseDecimal } from '../../../../domain/money.ts';
import { euros, fecha } from '../../../lib/format.ts';
import { errorMessages } from '../../../lib/http.ts';
import { confirmAction } from '../../../ui/confirm.tsx';
import { useErrorDialog } from '../../../ui/error-dialog.tsx';
import { DayField } from '../../../ui/forms/day-field.tsx';
import { facturasEmitidasQuery, getEditInvoice } from '../api.ts';
import { useCatalogs } from './catalogs.tsx';
import type { DraftAction, DraftState, UsualTicket } from './draft-state.ts';
import { tidyPrice } from './lines.ts';
import classes from './rectify-fields.module.css';

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

/** The invoice that an abono rectifies and the method, with the question whether to fill the form with its data. */
export function RectifyFields(props: RectifyFieldsProps) {
  const { state, today, isReadOnly, dispatch, note, isWrong } = props;
  const offered = tipoFacturaOf(state) === 'R5' ? 'canjeables' : 'completas';
  const { rows, before, externals, isExternal, isOurs, ofOtherKind, replaced } = useFoundInvoices(
    state.invoiceToRectify,
    offered,
  );
  const typed = isExternal ? (parseDecimal(state.baseRectificada || '0', 2) ?? 0n) : 0n;
  const isOfAbono = replaced + typed < 0n;
  const isOne = before === '';
  const fill = useFill(dispatch);
  const method = useId();
  const field = useRef<HTMLInputElement>(null);
  const ownNote = isExternal
    ? EXTERNAL_NOTES[externals.length === 1 ? 'one' : 'many']
    : (!isOurs || ofOtherKind) &&
      !isReadOnly && (
        <OfferedNote
          offered={offered}
          isNoneFound={ofOtherKind}
          onOther={() => {
            const code = offered === 'completas' ? R5 : R1;
            dispatch({ kind: 'crmemo-type', code, usual: props.usual });
            field.current?.focus();
          }}
        />
      );
  const set = (change: Extract<DraftAction, { kind: 'set' }>['change']) =>
    dispatch({ kind: 'set', change });

  return (
    <div className={classes.row}>
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
            set({
              invoiceToRectify,
              invoiceToRectifyDate: datesAfter(state, invoiceToRectify),
            })
          }
          onOptionSubmit={(text) => {
            if (isOne) void fill(text);
          }}
          error={isWrong && note ? note : undefined}
          description={isWrong ? undefined : (note ?? ownNote)}
        />
      </div>
      {externals.map(({ number, index }, place) => (
        <div key={index} className={classes.day}>
          <DayField
            label={isOne ? 'Fecha de esa factura' : `Fecha de la ${number}`}
            place={place === 0 ? 'invoiceToRectifyDate' : `invoiceToRectifyDate.${index}`}
            value={fechaReferida(state.invoiceToRectifyDate, index)}
            today={today}
            isOptional
            isDisabled={isReadOnly}
            maxDate={today}
            onChange={(day) => set({ invoiceToRectifyDate: datesWith(state, index, day) })}
            {...(place === 0 && fieldNote(props.noteAt('invoiceToRectifyDate')))}
          />
        </div>
      ))}
      <div className={classes.method}>
        <span id={method} className={classes.label}>
          Método
        </span>
        <SegmentedControl
          aria-labelledby={method}
          data-place="tipoRectificativa"
          data={METHODS}
          value={state.tipoRectificativa}
          disabled={isReadOnly}
          onChange={(value) =>
            dispatch({ kind: 'method', method: value === 'S' ? 'S' : 'I', isOfAbono })
          }
        />
        <p className={classes.help}>
          {
            METHOD_NOTES[
              isOfAbono && state.tipoRectificativa === 'S' ? 'abono' : state.tipoRectificativa
            ]
          }
        </p>
      </div>
      {isExternal && state.tipoRectificativa === 'S' && (
        <fieldset className={classes.amounts}>
          <legend className={classes.label}>
            {externals.length === 1
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
                onChange={(event) => set({ [field]: event.currentTarget.value })}
                onBlur={() => set({ [field]: tidyPrice(state[field]) })}
                {...fieldNote(props.noteAt(field))}
              />
            ))}
          </div>
        </fieldset>
      )}
    </div>
  );
}

const AMOUNTS = [
  { field: 'baseRectificada', label: 'Base imponible' },
  { field: 'cuotaRectificada', label: 'Cuota' },
  { field: 'recargoRectificado', label: 'Recargo, si llevaba' },
] as const;

function fieldNote({ note, isWrong }: { note: ReactNode; isWrong: boolean }) {
  if (!note) return {};
  return isWrong ? { error: note } : { description: note };
}

/** The simplified invoices that an F3 replaces: any number of those not exchanged yet. */
export function ReplacedField({ state, isReadOnly, dispatch, note, isWrong }: RectifyFieldsProps) {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), 250);
  const chosen = numbersNamed(state.invoiceToRectify);
  const found = useQuery({
    ...facturasEmitidasQuery({ search, canjeables: true }),
    placeholderData: keepPreviousData,
  });
  const known = useQuery({
    ...facturasEmitidasQuery({ numeros: chosen }),
    enabled: chosen.length > 0,
    placeholderData: keepPreviousData,
  });
  const rows = [...(found.data ?? []), ...(chosen.length > 0 ? (known.data ?? []) : [])];
  const rowOf = (DocNo: string) => rows.find((row) => row.DocNo === DocNo);
  const sum = chosen.reduce((total, DocNo) => {
    const row = rowOf(DocNo);
    return total + (row?.total ?? 0) - (row?.totalSustituido ?? 0);
  }, 0);
  return (
    <MultiSelect
      label="Facturas simplificadas que sustituye"
      data-place="invoiceToRectify"
      placeholder={chosen.length === 0 ? 'Busca por número, fecha o importe' : ''}
      data={[...new Set([...rows.map(({ DocNo }) => DocNo), ...chosen])]}
      value={chosen}
      searchable
      openOnFocus={false}
      hidePickedOptions
      searchValue={typed}
      onSearchChange={setTyped}
      disabled={isReadOnly}
      maxValues={1000}
      nothingFoundMessage="No hay simplificadas sin canjear que coincidan"
      // The server has searched already.
      filter={({ options }) => options}
      renderOption={({ option }) => <FoundInvoice row={rowOf(option.value)} />}
      onChange={(numbers) =>
        dispatch({ kind: 'set', change: { invoiceToRectify: numbers.join(',') } })
      }
      error={isWrong && note ? note : undefined}
      description={
        isWrong
          ? undefined
          : (note ??
            (chosen.length > 0
              ? `Suman ${euros(Math.round(sum * 100) / 100)}, con impuestos.`
              : 'Las que tu cliente quiere cambiar por una completa.'))
      }
    />
  );
}

function FoundInvoice({ row }: { row: FacturaEmitida | undefined }) {
  if (!row) return null;
  return (
    <span className={classes.found}>
      <span className={classes.number}>{row.DocNo}</span>
      <span className={classes.figures}>{euros(row.total)}</span>
      <span className={classes.who}>
        {row.Name || 'Sin cliente'}
        {isSimplified(row.Tipo) && ' · Simplificada'}
      </span>
      <span className={classes.who}>{fecha(row.PostingDate)}</span>
    </span>
  );
}

/**
 * An R5 rectifies simplified invoices that have not been exchanged, the others rectify complete ones (RD 1619/2012
 * arts. 6.1.a and 15).
 */
type Offered = 'canjeables' | 'completas';

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

/** Like `numbersNamed`, with an empty one after a comma at the end, for the next number to be typed. */
const numbersTyped = (text: string) => text.split(',').map((number) => number.trim());

type Named = Pick<DraftState, 'invoiceToRectify' | 'invoiceToRectifyDate'>;

/** The dates of the named invoices, with one of them changed. */
function datesWith({ invoiceToRectify, invoiceToRectifyDate }: Named, index: number, day: string) {
  return numbersTyped(invoiceToRectify)
    .map((_, i) => (i === index ? day : fechaReferida(invoiceToRectifyDate, i)))
    .join(',');
}

/** Each number keeps its date when another is inserted before it or removed. */
function datesAfter({ invoiceToRectify, invoiceToRectifyDate }: Named, text: string): string {
  const old = numbersTyped(invoiceToRectify);
  const now = numbersTyped(text);
  if (old.length === now.length) return invoiceToRectifyDate;
  return now
    .map((number) => {
      const place = old.indexOf(number);
      return place === -1 ? '' : fechaReferida(invoiceToRectifyDate, place);
    })
    .join(',');
}

/**
 * Registered invoices that match the last number typed and that this one may rectify, and which of the numbers are not
 * ours: those are of another program.
 */
function useFoundInvoices(typed: string, offered: Offered) {
  const numbers = numbersTyped(typed);
  const last = numbers.at(-1) ?? '';
  const others = numbers.slice(0, -1).filter(Boolean);
  const [search] = useDebouncedValue(last, 250);
  const { data, isSuccess, isPlaceholderData } = useQuery({
    ...facturasEmitidasQuery({ search, [offered]: true }),
    placeholderData: keepPreviousData,
  });
  // Invoices of the other kind are not offered either, but they are not of another program.
  const anyKind = useQuery({
    ...facturasEmitidasQuery({ search }),
    enabled: search !== '' && data?.length === 0,
  });
  // Also looked up by number: an annulled or rejected invoice is not offered, but it is not of another program.
  const asked = [...others, search].filter(Boolean);
  const known = useQuery({
    ...facturasEmitidasQuery({ numeros: asked }),
    enabled: asked.length > 0,
    placeholderData: keepPreviousData,
  });
  const rows = data ?? [];
  const isOurs = (number: string) => known.data?.some(({ DocNo }) => DocNo === number) ?? false;
  const ofAll = anyKind.data ?? [];
  const isFound = rows.length === 0 && ofAll.some(({ DocNo }) => DocNo.includes(search));
  const isSettled =
    isSuccess &&
    !isPlaceholderData &&
    !anyKind.isLoading &&
    known.isSuccess &&
    !known.isPlaceholderData &&
    search === last;
  const isLastExternal =
    isSettled &&
    search !== '' &&
    !isOurs(search) &&
    !rows.some(({ DocNo }) => DocNo.includes(search)) &&
    !isFound;
  const isExternal = (number: string, index: number) =>
    index === numbers.length - 1
      ? isLastExternal
      : number !== '' && known.isSuccess && !isOurs(number);
  const externals = numbers.flatMap((number, index) =>
    isExternal(number, index) ? [{ number, index }] : [],
  );
  return {
    rows,
    /** The text before the last number, which stays when that one is chosen. */
    before: others.map((number) => `${number}, `).join(''),
    externals,
    isExternal: externals.length > 0,
    /** The last number is one of ours. */
    isOurs: isOurs(last),
    /** The search matches only invoices that this one cannot rectify. */
    ofOtherKind:
      isSettled &&
      isFound &&
      ofAll.every(({ Tipo }) => isSimplified(Tipo) === (offered === 'completas')),
    /** The total of those that are ours, in cents. */
    replaced: (known.data ?? [])
      .filter(({ DocNo }) => numbers.includes(DocNo))
      .reduce((sum, { total }) => sum + (parseDecimal(total, 2) ?? 0n), 0n),
  };
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
