import { Button, type ComboboxParsedItem } from '@mantine/core';
import { memo, type ReactNode, useMemo, useState } from 'react';
import type { Cliente } from '../../../../contract/parties.ts';
import {
  type Impuesto,
  type Situacion,
  situacionById,
  situacionDe,
  TIPO_GENERAL_UE,
} from '../../../../domain/situaciones.ts';
import { propuestas, situacionesPara, sugerencias } from '../../../../domain/sugerencias.ts';
import { firstTax } from '../../../../domain/usual-tax.ts';
import { Select } from '../../../ui/forms/select.tsx';
import { fold } from '../../../ui/table/search.ts';
import { useCatalogs } from './catalogs.tsx';
import type { CommonSituation } from './lines.ts';
import classes from './situation-field.module.css';

export interface SituationFieldProps {
  readonly value: CommonSituation;
  readonly client: Cliente | undefined;
  readonly typeClient: string;
  readonly isReadOnly: boolean;
  readonly note: ReactNode;
  readonly onChoose: (situacion: Situacion, tipoDestino: string) => void;
  /** Picked in the list by its id, also when it is the current one. */
  readonly onPick: (id: string) => void;
}

/** A longer name is cut in the field on a phone, and is therefore repeated below it there. */
const FITS_A_PHONE = 32;

const PLACEHOLDER = {
  varias: 'Varias: cada línea la suya',
  ninguna: 'Elige lo que más se parezca',
  aMano: 'Códigos elegidos a mano en las líneas',
};

/**
 * What is sold and to whom, in plain words: tax, key, exemption and mention follow from it. The situations that the
 * client's card makes likely are offered below, one click away.
 */
export const SituationField = memo(function SituationField(props: SituationFieldProps) {
  const { value, client, typeClient, isReadOnly, onChoose } = props;
  const { groups, gruposContables } = useCatalogs();
  const impuesto = (groups[0]?.verifactu.Impuesto ?? '01') as Impuesto;
  const groupName = (code: string) =>
    gruposContables.find((option) => option.value === code)?.label ?? code;
  const { data, textOf } = useMemo(
    () => optionsOf(impuesto, typeClient, client !== undefined),
    [impuesto, typeClient, client],
  );
  const suggested = useMemo(
    () => (client ? sugerencias(client, impuesto) : []),
    [client, impuesto],
  );
  const chosen = typeof value === 'string' ? null : value;
  // Only for this client: another one may need another situation.
  const [chosenFor, setChosenFor] = useState<string>();
  const isChosen = client !== undefined && chosenFor === client.No;
  const first = firstTax(groups, typeClient);
  const isUsual =
    first !== undefined && situacionDe(first.VATProdPostingGroup, typeClient) === chosen;
  const proposed = isReadOnly ? [] : propuestas(suggested, chosen, { isChosen, isUsual });
  const choose = (id: string | null) => {
    const situacion = id && situacionById(id);
    const rate = TIPO_GENERAL_UE[client?.countryCode ?? ''];
    if (situacion) onChoose(situacion, rate === undefined ? '' : String(rate).replace('.', ','));
  };

  return (
    <div>
      <Select
        label="¿Qué vendes y a quién?"
        data-place="situacion"
        placeholder={PLACEHOLDER[typeof value === 'string' ? value : 'aMano']}
        data={data}
        value={chosen?.id ?? null}
        searchable
        openOnFocus={false}
        allowDeselect={false}
        disabled={isReadOnly}
        styles={{ options: { maxHeight: 360 } }}
        autoComplete="off"
        nothingFoundMessage="Nada coincide. Prueba con otra palabra, o elige el impuesto en la línea."
        filter={({ options, search }) => {
          const wanted = fold(search.trim());
          if (chosen && fold(chosen.label) === wanted) return options;
          const words = wanted.split(/\s+/);
          const fits = (value: string) =>
            words.every((word) => (textOf.get(value) ?? '').includes(word));
          return options.flatMap((option): ComboboxParsedItem[] => {
            if (!('group' in option)) return fits(option.value) ? [option] : [];
            const items = option.items.filter(({ value }) => fits(value));
            return items.length > 0 ? [{ ...option, items }] : [];
          });
        }}
        renderOption={({ option }) => {
          const situacion = situacionById(option.value);
          if (!situacion) return null;
          return (
            <span className={classes.option}>
              {situacion.label}
              <span className={classes.help}>
                {option.disabled
                  ? `Para clientes del grupo ${situacion.clientes.map(groupName).join(', ')}.`
                  : situacion.ayuda}
              </span>
            </span>
          );
        }}
        onChange={choose}
        // Also when it is the current one, which is no change: the user has confirmed it.
        onOptionSubmit={(id) => {
          setChosenFor(client?.No);
          props.onPick(id);
        }}
        description={
          props.note ??
          (chosen ? (
            <>
              {chosen.label.length > FITS_A_PHONE && (
                <span className={classes.whole}>{chosen.label}. </span>
              )}
              {chosen.ayuda}
            </>
          ) : (
            'Lo que sigue lo ponemos nosotros.'
          ))
        }
      />
      {proposed.length > 0 && (
        <div className={classes.suggested}>
          <span className={classes.word}>Con este cliente, lo normal:</span>
          {proposed.map(({ id, label }) => (
            <Button
              key={id}
              size="compact-sm"
              variant="default"
              className={classes.suggestion ?? ''}
              onClick={() => {
                setChosenFor(client?.No);
                choose(id);
              }}
            >
              {label}
            </Button>
          ))}
        </div>
      )}
    </div>
  );
});

function optionsOf(impuesto: Impuesto, typeClient: string, hasClient: boolean) {
  const { propias, ajenas } = situacionesPara(impuesto, typeClient);
  const item = ({ id, label }: Situacion, disabled: boolean) => ({ value: id, label, disabled });
  const data = [
    { group: 'Para este cliente', items: propias.map((row) => item(row, false)) },
    // Without a client anything may be chosen: the kind of client follows from it.
    { group: 'Con otra clase de cliente', items: ajenas.map((row) => item(row, hasClient)) },
  ].filter(({ items }) => items.length > 0);
  const textOf = new Map(
    [...propias, ...ajenas].map(({ id, label, ayuda, palabras = '' }) => [
      id,
      fold(`${label} ${ayuda} ${palabras}`),
    ]),
  );
  return { data, textOf };
}
