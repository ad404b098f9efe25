import { IconPlus } from '@tabler/icons-react';
import { memo, type ReactNode, useMemo, useState } from 'react';
import type { Cliente } from '../../../../contract/parties.ts';
import { Select } from '../../../ui/forms/select.tsx';
import { fold, searching } from '../../../ui/table/search.ts';
import classes from './client-field.module.css';

const NEW_CLIENT = '\u0000nuevo';
const DELETED = 'Ya no está en tus clientes.';
const NEW_LABEL = 'Crear Nuevo Cliente';
/** More than anybody reads: the rest are found by typing. */
const SHOWN = 20;

export interface ClientFieldProps {
  /** In the order in which they are offered. */
  readonly clients: readonly Cliente[];
  readonly chosen: Cliente | undefined;
  /** The chosen client was deleted: the invoice still goes to it, but its card cannot be opened. */
  readonly isDeleted: boolean;
  readonly isDisabled: boolean;
  readonly note: ReactNode;
  readonly isWrong: boolean;
  readonly onChoose: (client: Cliente | null) => void;
  /** Asks for a new client, with the name or the tax number that was searched for. */
  readonly onCreate: (searched: string) => void;
  /** Opens the card of the chosen client: its data may be what is wrong with the invoice. */
  readonly onEdit: () => void;
}

/** The client, found by name, tax number or code. The last option, always present, creates a new one. */
export const ClientField = memo(function ClientField(props: ClientFieldProps) {
  const { chosen, isDeleted, isDisabled, note, isWrong, onChoose, onCreate, onEdit } = props;
  const [search, setSearch] = useState('');
  const clients = useMemo(
    () => (chosen && isDeleted ? [...props.clients, chosen] : props.clients),
    [props.clients, chosen, isDeleted],
  );
  const { data, textsOf } = useMemo(() => optionsOf(clients), [clients]);

  return (
    <div className={classes.field}>
      <Select
        label="Cliente"
        placeholder="Busca por nombre o NIF"
        data-place="invoiceClient"
        data={data}
        value={chosen?.No ?? null}
        searchable
        // A user brought here by a finding has to be able to read it.
        openOnFocus={false}
        searchValue={search}
        onSearchChange={setSearch}
        disabled={isDisabled}
        allowDeselect={false}
        clearable={!isDisabled && chosen !== undefined}
        clearButtonProps={{ 'aria-label': 'Quitar el cliente' }}
        nothingFoundMessage="Ningún cliente coincide"
        styles={{ options: { maxHeight: 'min(320px, 40dvh)' } }}
        classNames={{ option: classes.row ?? '' }}
        autoComplete="off"
        filter={({ options, search: text }) => {
          const wanted = fold(text.trim());
          const isChosen = chosen !== undefined && fold(chosen.Name) === wanted;
          const isFound = searching(text);
          const found = options.filter(
            (option) =>
              'value' in option &&
              option.value !== NEW_CLIENT &&
              (isChosen || isFound(textsOf.get(option.value)?.join(' ') ?? '')),
          );
          // A code may be part of many tax numbers. An empty search is not the name of those who lack one.
          const isNamed = (option: (typeof options)[number]) =>
            wanted !== '' &&
            'value' in option &&
            (textsOf.get(option.value)?.includes(wanted) ?? false);
          const named = found.filter(isNamed);
          const others = found.filter((option) => !named.includes(option));
          return [...named, ...others].slice(0, SHOWN).concat(options.slice(-1));
        }}
        renderOption={({ option }) =>
          option.value === NEW_CLIENT ? (
            <span className={classes.create}>
              <IconPlus size={16} stroke={1.8} aria-hidden="true" />
              {NEW_LABEL}
            </span>
          ) : (
            <ClientOption client={clients.find(({ No }) => No === option.value)} />
          )
        }
        onChange={(No) => {
          if (No === NEW_CLIENT) onCreate(chosen?.Name === search ? '' : search.trim());
          else onChoose(clients.find((client) => client.No === No) ?? null);
        }}
        // What was typed would be dropped, although it leaves no doubt.
        onBlur={() => {
          const named = onlyNamed(clients, textsOf, fold(search.trim()));
          if (named && named.No !== chosen?.No) onChoose(named);
        }}
        error={isWrong && note ? note : undefined}
        description={isWrong ? undefined : (note ?? (isDeleted && DELETED))}
      />
      {chosen && !isDeleted && !isDisabled && (
        <button type="button" className={classes.edit} onClick={onEdit}>
          Editar ficha
        </button>
      )}
    </div>
  );
});

function ClientOption({ client }: { client: Cliente | undefined }) {
  if (!client) return null;
  return (
    <span className={classes.option}>
      <span>{client.Name}</span>
      <span className={classes.nif}>{client.VATRegistrationNo}</span>
    </span>
  );
}

/** The client whose whole name, tax number or code was typed, if no other has the same. */
function onlyNamed(
  clients: readonly Cliente[],
  textsOf: ReadonlyMap<string, readonly string[]>,
  typed: string,
): Cliente | undefined {
  if (typed === '') return undefined;
  const named = clients.filter(({ No }) => textsOf.get(No)?.includes(typed));
  return named.length === 1 ? named[0] : undefined;
}

function optionsOf(clients: readonly Cliente[]) {
  const data = [
    ...clients.map(({ No, Name }) => ({ value: No, label: Name })),
    { value: NEW_CLIENT, label: NEW_LABEL },
  ];
  const textsOf = new Map(
    clients.map(({ No, Name, VATRegistrationNo }) => [No, [Name, VATRegistrationNo, No].map(fold)]),
  );
  return { data, textsOf };
}
