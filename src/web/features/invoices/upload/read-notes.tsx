import { Button } from '@mantine/core';
import type { Dispatch } from 'react';
import type { Cliente } from '../../../../contract/parties.ts';
import type { LecturaAnswer } from '../../../../contract/reading.ts';
import { normaliseNif } from '../../../../domain/nif.ts';
import { useSaveCustomer } from '../../../lib/customers.ts';
import { euros, fecha } from '../../../lib/format.ts';
import { errorMessages } from '../../../lib/http.ts';
import { useErrorDialog } from '../../../ui/error-dialog.tsx';
import { newCustomer } from '../../../ui/forms/customer-draft.ts';
import { useCatalogs } from '../form/catalogs.tsx';
import type { DraftAction, DraftState } from '../form/draft-state.ts';
import { LevelMark } from './level-mark.tsx';
import { readCustomer } from './read-customer.ts';
import { areOtherNames, levelOf } from './reading-fields.ts';
import classes from './upload.module.css';

export interface ReadNoteProps {
  readonly lectura: LecturaAnswer;
  readonly state: Pick<DraftState, 'invoiceDate' | 'invoiceClient'>;
}

/** How certain the date is, or the date in the file if it was changed. */
export function DateNote({ lectura, state }: ReadNoteProps) {
  const read = lectura.campos.fecha;
  if (read && read.valor !== state.invoiceDate) {
    return <p className={classes.note}>El original dice {fecha(read.valor)}.</p>;
  }
  return (
    <p className={classes.note}>
      <LevelMark level={levelOf(read)} />
    </p>
  );
}

/** The number printed on the file is not the one that the invoice will have. */
export function NumberNote({ lectura }: Pick<ReadNoteProps, 'lectura'>) {
  const read = lectura.campos.numero;
  return (
    <p className={classes.note}>
      {read ? `En el original: ${read.valor}. ` : ''}
      <LevelMark level={levelOf(read)} />
    </p>
  );
}

/** How certain the retention is; nothing when neither the file nor the form has one. */
export function RetentionNote({
  lectura,
  value,
}: Pick<ReadNoteProps, 'lectura'> & { readonly value: string }) {
  const read = lectura.campos.retencion;
  if (!read) return null;
  return (
    <>
      {' '}
      {value === '' ? `El original dice ${euros(read.valor)}. ` : ''}
      <LevelMark level={value === '' ? 'revisar' : levelOf(read)} />
    </>
  );
}

export interface ClientNoteProps extends ReadNoteProps {
  readonly dispatch: Dispatch<DraftAction>;
  readonly isReadOnly: boolean;
  /** Opens the card of a new client so that it can be checked first. */
  readonly onReview: (client: Cliente) => void;
}

/** Who the client is: the one with that NIF, or a new one that a button creates with the data read. */
export function ClientNote({ lectura, state, dispatch, isReadOnly, onReview }: ClientNoteProps) {
  const { clients, clientByNo, company, gruposContables } = useCatalogs();
  const save = useSaveCustomer();
  const errors = useErrorDialog();
  const { nombreCliente, nifCliente } = lectura.campos;
  const nif = nifCliente?.valor ?? '';
  const source = nifCliente ?? nombreCliente;
  const nifOf = (No: string) => normaliseNif(clientByNo.get(No)?.VATRegistrationNo ?? '');

  if (state.invoiceClient !== '') {
    const isOther = nif !== '' && nifOf(state.invoiceClient) !== nif;
    if (isOther) {
      const said = [nombreCliente?.valor, nif].filter(Boolean).join(', ');
      return <p className={classes.note}>{`El original dice ${said}.`}</p>;
    }
    const name = clientByNo.get(state.invoiceClient)?.Name ?? '';
    const isRenamed = nombreCliente !== undefined && areOtherNames(nombreCliente.valor, name);
    return (
      <p className={classes.note}>
        {isRenamed && `El original dice ${nombreCliente.valor}${nif ? ', con el mismo NIF' : ''}. `}
        <LevelMark level={isRenamed ? 'revisar' : levelOf(source)} />
      </p>
    );
  }
  const isOwn = nif !== '' && nif === normaliseNif(company.VATRegistrationNo);
  if (!source || isOwn || isReadOnly) {
    return (
      <p className={classes.note}>
        <LevelMark level={levelOf(isOwn ? undefined : source)} />
      </p>
    );
  }
  const known = nif
    ? clients.find((one) => normaliseNif(one.VATRegistrationNo) === nif)
    : undefined;
  if (known) {
    return (
      <div className={classes.proposal}>
        <p>{`El NIF del original, ${nif}, es de «${known.Name}».`}</p>
        <Button
          size="sm"
          variant="default"
          onClick={() => dispatch({ kind: 'client', client: known })}
        >
          Elegirlo
        </Button>
      </div>
    );
  }
  const proposed = readCustomer(lectura.campos, newCustomer(company), gruposContables);
  return (
    <div className={classes.proposal}>
      <p>
        <LevelMark level={levelOf(source)} /> <strong>{proposed.Name || nif}</strong>
        {proposed.Name && nif ? `, ${nif},` : ''} no está entre tus clientes.
      </p>
      {proposed.Name && (
        <Button
          size="sm"
          loading={save.isPending}
          onClick={() =>
            save.mutate(proposed, {
              onSuccess: (client) => dispatch({ kind: 'client', client }),
              onError: (error) => errors.show(errorMessages(error)),
            })
          }
        >
          Crear este cliente
        </Button>
      )}
      <Button size="sm" variant="default" onClick={() => onReview(proposed)}>
        Revisarlo antes
      </Button>
    </div>
  );
}
