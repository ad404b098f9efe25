import { Autocomplete, Badge, MultiSelect, SegmentedControl, TextInput } from '@mantine/core';
import { useDebouncedValue, useId } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type Dispatch, type ReactNode, useState } from 'react';
import type { FacturaEmitida } from '../../../../contract/invoices.ts';
import { euros, fecha } from '../../../lib/format.ts';
import { errorMessages } from '../../../lib/http.ts';
import { confirmAction } from '../../../ui/confirm.tsx';
import { useErrorDialog } from '../../../ui/error-dialog.tsx';
import { facturasEmitidasQuery, getEditInvoice } from '../api.ts';
import { DayField } from './day-field.tsx';
import type { DraftAction, DraftState } from './draft-state.ts';
import { tidyPrice } from './lines.ts';
import classes from './rectify-fields.module.css';

export interface RectifyFieldsProps {
  readonly state: DraftState;
  readonly today: string;
  readonly isReadOnly: boolean;
  readonly dispatch: Dispatch<DraftAction>;
  readonly note: ReactNode;
  readonly isWrong: boolean;
  /** What stands beside another field of these. */
  readonly noteAt: (place: string) => { readonly note: ReactNode; readonly isWrong: boolean };
}

const METHODS = [
  { value: 'I', label: 'Por diferencias' },
  { value: 'S', label: 'Por sustitución' },
];
const METHOD_NOTES = {
  I: 'Escribe en positivo lo que abonas: se registra en negativo.',
  S: 'Escribe la factura como debió ser: sustituye entera a la anterior.',
} as const;

/** The invoice an abono rectifies and how, with the question that fills the form with its data. */
export function RectifyFields(props: RectifyFieldsProps) {
  const { state, today, isReadOnly, dispatch, note, isWrong } = props;
  const { rows, isExternal } = useFoundInvoices(state.invoiceToRectify);
  const fill = useFill(dispatch);
  const method = useId();
  const set = (change: Extract<DraftAction, { kind: 'set' }>['change']) =>
    dispatch({ kind: 'set', change });

  return (
    <div className={classes.row}>
      <div className={classes.invoice}>
        <Autocomplete
          label="Factura a rectificar"
          data-place="invoiceToRectify"
          placeholder="Busca por número o cliente"
          value={state.invoiceToRectify}
          disabled={isReadOnly}
          autoComplete="off"
          maxLength={60}
          data={rows.map(({ DocNo }) => DocNo)}
          // The server has searched already, by number and by client.
          filter={({ options }) => options}
          comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
          renderOption={({ option }) => (
            <FoundInvoice row={rows.find(({ DocNo }) => DocNo === option.value)} />
          )}
          rightSection={
            isExternal && (
              <Badge variant="default" size="sm" className={classes.external ?? ''}>
                externa
              </Badge>
            )
          }
          rightSectionWidth={isExternal ? 84 : 0}
          onChange={(invoiceToRectify) => set({ invoiceToRectify })}
          onOptionSubmit={fill}
          error={isWrong && note ? note : undefined}
          description={
            isWrong
              ? undefined
              : (note ??
                (isExternal ? 'Hecha con otro programa: escribe su fecha exacta.' : undefined))
          }
        />
      </div>
      {isExternal && (
        <DayField
          label="Fecha de esa factura"
          place="invoiceToRectifyDate"
          value={state.invoiceToRectifyDate}
          today={today}
          isOptional
          isDisabled={isReadOnly}
          maxDate={today}
          onChange={(invoiceToRectifyDate) => set({ invoiceToRectifyDate })}
          {...fieldNote(props.noteAt('invoiceToRectifyDate'))}
        />
      )}
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
          onChange={(value) => set({ tipoRectificativa: value === 'S' ? 'S' : 'I' })}
        />
        <p className={classes.help}>{METHOD_NOTES[state.tipoRectificativa]}</p>
      </div>
      {isExternal && state.tipoRectificativa === 'S' && (
        <fieldset className={classes.amounts}>
          <legend className={classes.label}>Lo que decía esa factura</legend>
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

/** The simplified invoices an F3 replaces: those that nobody exchanged yet, as many as wanted. */
export function ReplacedField({ state, isReadOnly, dispatch, note, isWrong }: RectifyFieldsProps) {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), 250);
  const chosen = state.invoiceToRectify
    .split(',')
    .map((number) => number.trim())
    .filter(Boolean);
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
  const sum = chosen.reduce((total, DocNo) => total + (rowOf(DocNo)?.total ?? 0), 0);
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
      <span className={classes.who}>{row.Name || 'Sin cliente'}</span>
      <span className={classes.who}>{fecha(row.PostingDate)}</span>
    </span>
  );
}

/** Registered invoices that match what is typed; external when it is the number of none of them. */
function useFoundInvoices(typed: string) {
  const [search] = useDebouncedValue(typed.trim(), 250);
  const { data, isSuccess, isPlaceholderData } = useQuery({
    ...facturasEmitidasQuery({ search }),
    placeholderData: keepPreviousData,
  });
  const rows = data ?? [];
  const isSettled = isSuccess && !isPlaceholderData && search === typed.trim();
  return {
    rows,
    isExternal: isSettled && search !== '' && !rows.some(({ DocNo }) => DocNo.includes(search)),
  };
}

/** «Rellenar datos?»: asked once an invoice is chosen; a no leaves the form as it was. */
function useFill(dispatch: Dispatch<DraftAction>) {
  const errors = useErrorDialog();
  return async (DocNo: string) => {
    const wants = await confirmAction({
      title: 'Rellenar datos?',
      message: '¿Quieres rellenar con los datos de la factura a corregir?',
      confirm: 'Rellenar datos',
      cancel: 'No rellenar',
    });
    if (!wants) return;
    try {
      dispatch({ kind: 'fill', original: await getEditInvoice(DocNo) });
    } catch (error) {
      errors.show(errorMessages(error));
    }
  };
}
