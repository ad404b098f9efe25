import { Autocomplete, SegmentedControl, TextInput } from '@mantine/core';
import { useDebouncedValue, useId } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { Dispatch, ReactNode } from 'react';
import type { InvoiceRow } from '../../../../contract/invoices.ts';
import { euros, fecha } from '../../../lib/format.ts';
import { errorMessages } from '../../../lib/http.ts';
import { invoicesQuery } from '../../../lib/queries.ts';
import { confirmAction } from '../../../ui/confirm.tsx';
import { useErrorDialog } from '../../../ui/error-dialog.tsx';
import { getEditInvoice } from '../api.ts';
import { DayField } from './day-field.tsx';
import type { DraftAction, DraftState } from './draft-state.ts';
import classes from './rectify-fields.module.css';

export interface RectifyFieldsProps {
  readonly state: DraftState;
  readonly today: string;
  readonly isReadOnly: boolean;
  readonly dispatch: Dispatch<DraftAction>;
  readonly note: ReactNode;
  readonly isWrong: boolean;
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
          onChange={(invoiceToRectify) => dispatch({ kind: 'set', change: { invoiceToRectify } })}
          onOptionSubmit={fill}
          error={isWrong && note ? note : undefined}
          description={
            isWrong
              ? undefined
              : (note ?? (isExternal ? 'Hecha con otro programa: escribe su fecha.' : undefined))
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
          onChange={(invoiceToRectifyDate) =>
            dispatch({ kind: 'set', change: { invoiceToRectifyDate } })
          }
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
          onChange={(value) =>
            dispatch({ kind: 'set', change: { tipoRectificativa: value === 'S' ? 'S' : 'I' } })
          }
        />
        <p className={classes.help}>{METHOD_NOTES[state.tipoRectificativa]}</p>
      </div>
    </div>
  );
}

/** The simplified invoices an F3 replaces. */
export function ReplacedField({ state, isReadOnly, dispatch, note, isWrong }: RectifyFieldsProps) {
  return (
    <TextInput
      label="Facturas simplificadas que sustituye"
      data-place="invoiceToRectify"
      value={state.invoiceToRectify}
      disabled={isReadOnly}
      autoComplete="off"
      maxLength={80}
      description={isWrong ? undefined : (note ?? 'Sus números, separados por comas.')}
      error={isWrong && note ? note : undefined}
      onChange={(event) =>
        dispatch({ kind: 'set', change: { invoiceToRectify: event.currentTarget.value } })
      }
    />
  );
}

function FoundInvoice({ row }: { row: InvoiceRow | undefined }) {
  if (!row) return null;
  return (
    <span className={classes.found}>
      <span className={classes.number}>{row.DocNo}</span>
      <span className={classes.figures}>{euros(row.AmountIncludingVat)}</span>
      <span className={classes.who}>{row.Name}</span>
      <span className={classes.who}>{fecha(row.PostingDate)}</span>
    </span>
  );
}

/** Registered invoices that match what is typed; external when it is the number of none of them. */
function useFoundInvoices(typed: string) {
  const [search] = useDebouncedValue(typed.trim(), 250);
  const { data, isSuccess, isPlaceholderData } = useQuery(invoicesQuery({ search, pageSize: 8 }));
  const rows = data?.rows ?? [];
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
