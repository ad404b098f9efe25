import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { BusinessCentralIva } from '../../../contract/business-central.ts';
import { cuenta } from '../../lib/format.ts';
import { Chip } from '../../ui/chip.tsx';
import { Disclosure } from '../../ui/disclosure.tsx';
import { Select } from '../../ui/forms/select.tsx';
import { PanelCard } from '../../ui/panel-card.tsx';
import { ivaQuery, useSaveTaxes } from './api.ts';
import classes from './integrations.module.css';
import { MissingCard } from './missing-card.tsx';
import { Refusal } from './refusal.tsx';

type Code = BusinessCentralIva[number];
/** Letters of a name that the field shows on a phone, and beside its code. */
const FITTING = { phone: 34, wide: 46 };

const keyOf = ({ grupo, codigo, porcentaje }: Code) => `${grupo}|${codigo}|${porcentaje}`;

/** Each VAT code of theirs beside ours: proposed by its percentage, chosen once, remembered. */
export function TaxesCard({ isOn }: { readonly isOn: boolean }) {
  const { data: codes, error, refetch } = useQuery(ivaQuery);
  const [chosen, setChosen] = useState<Readonly<Record<string, string>>>({});
  const save = useSaveTaxes();
  if (!codes) {
    return (
      <MissingCard
        title="Códigos de IVA"
        failed="No hemos podido consultar tus códigos de IVA"
        error={error}
        onRetry={refetch}
      />
    );
  }
  if (codes.length === 0) {
    return (
      <PanelCard title="Códigos de IVA">
        <p className="hu-muted">
          Todavía no hemos visto ninguno. Aparecerán aquí con tus primeras facturas.
        </p>
      </PanelCard>
    );
  }
  const choiceOf = (code: Code) => chosen[keyOf(code)] ?? (code.tax || code.propuesta);
  const pending = codes.filter(({ tax }) => tax === '');
  const isChanged = codes.some((code) => choiceOf(code) !== code.tax);
  const submit = () =>
    save.mutate(
      {
        codigos: codes.map((code) => ({
          grupo: code.grupo,
          codigo: code.codigo,
          porcentaje: code.porcentaje,
          tax: choiceOf(code),
        })),
      },
      {
        onSuccess: () => {
          setChosen({});
          notifications.show({
            message: isOn
              ? 'Guardado. Lo que esperaba por ellos vendrá ahora.'
              : 'Códigos de IVA guardados.',
          });
        },
      },
    );
  const list = (
    <>
      <p>
        Di una vez a qué IVA de Huella corresponde cada código de Business Central. Proponemos el
        que sale de su porcentaje; los exentos y no sujetos los sabes tú.
      </p>
      <ul className={classes.taxes}>
        {codes.map((code) => (
          <TaxRow
            key={keyOf(code)}
            code={code}
            choice={choiceOf(code)}
            onChoose={(tax) => setChosen({ ...chosen, [keyOf(code)]: tax })}
          />
        ))}
      </ul>
      <Refusal error={save.error} />
      <div className={classes.buttons}>
        <Button
          variant={isChanged ? 'filled' : 'default'}
          disabled={!isChanged}
          loading={save.isPending}
          onClick={submit}
        >
          {pending.length > 0 ? 'Confirmar códigos de IVA' : 'Guardar códigos de IVA'}
        </Button>
      </div>
    </>
  );
  // Once all are mapped, the table is folded and can be opened on demand.
  const isSettled = isOn && pending.length === 0;
  return (
    <PanelCard
      title="Códigos de IVA"
      chip={
        pending.length > 0 && (
          <Chip tone="amber">{cuenta(pending.length, 'por confirmar', 'por confirmar')}</Chip>
        )
      }
    >
      {isSettled ? (
        <div>
          <Disclosure
            label={`${cuenta(codes.length, 'código tiene', 'códigos tienen')} su IVA. Ver o cambiar`}
            isOpenAtFirst={false}
            isForcedOpen={save.isError}
          >
            <div className={classes.folded}>{list}</div>
          </Disclosure>
        </div>
      ) : (
        list
      )}
    </PanelCard>
  );
}

interface TaxRowProps {
  readonly code: Code;
  readonly choice: string;
  readonly onChoose: (tax: string) => void;
}

function TaxRow({ code, choice, onChoose }: TaxRowProps) {
  const { codigo, grupoNombre, esperan, opciones, tax } = code;
  const name = opciones.find(({ value }) => value === choice)?.label ?? '';
  return (
    <li>
      <div>
        <p className={classes.code}>{`${codigo || 'Sin código'} · ${percent(code)}`}</p>
        <p className={classes.small}>
          {grupoNombre}
          {esperan > 0 && ` · ${cuenta(esperan, 'documento espera', 'documentos esperan')}`}
        </p>
      </div>
      <div>
        <Select
          aria-label={`IVA de ${codigo || 'las líneas sin código'} al ${percent(code)}, ${grupoNombre}`}
          placeholder={opciones.length > 0 ? 'Elige' : 'Huella no tiene ese porcentaje'}
          data={opciones}
          disabled={opciones.length === 0}
          allowDeselect={false}
          value={choice || null}
          onChange={(value) => onChoose(value ?? '')}
        />
        {name.length > FITTING.phone && (
          <p
            className={classes.whole}
            data-fits={name.length <= FITTING.wide || undefined}
            aria-hidden="true"
          >
            {name}
          </p>
        )}
      </div>
      <span className={classes.mark}>{tax === '' && choice !== '' && 'Propuesto'}</span>
    </li>
  );
}

const percent = ({ porcentaje }: Code) => `${porcentaje.replace('.', ',')}\u00a0%`;
