import { MultiSelect } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { numbersNamed } from '../../../../domain/invoice.ts';
import { euros } from '../../../lib/format.ts';
import { facturasEmitidasQuery } from '../api.ts';
import { FoundInvoice } from './found-invoice.tsx';
import { datesAfter } from './rectified-numbers.ts';
import classes from './rectify-fields.module.css';
import { ExternalDays, type RectifyFieldsProps } from './rectify-fields.tsx';

/**
 * The simplified invoices that an F3 replaces: any number of those not exchanged yet. Those of another program are not
 * offered, but a draft may name them (it was an abono before, or came through the API): their dates are asked for.
 */
export function ReplacedField(props: RectifyFieldsProps) {
  const { state, isReadOnly, dispatch, note, isWrong } = props;
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
  const externals = chosen.flatMap((number, index) =>
    known.isSuccess && !known.isPlaceholderData && !rowOf(number) ? [{ number, index }] : [],
  );
  const choose = (numbers: readonly string[]) => {
    const invoiceToRectify = numbers.join(',');
    const invoiceToRectifyDate = datesAfter(state, invoiceToRectify);
    dispatch({ kind: 'set', change: { invoiceToRectify, invoiceToRectifyDate } });
  };
  return (
    <div className={classes.row}>
      <MultiSelect
        className={classes.replaced ?? ''}
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
        onChange={choose}
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
      <ExternalDays {...props} externals={externals} isOne={chosen.length === 1} />
    </div>
  );
}
