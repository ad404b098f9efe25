import { Button, Select } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { BusinessCentralIva } from '../../../contract/business-central.ts';
import { cuenta } from '../../lib/format.ts';
import { Chip } from '../../ui/chip.tsx';
import { ivaQuery, useSaveTaxes } from './api.ts';
import { Card, Refusal } from './card.tsx';
import classes from './integrations.module.css';

type Code = BusinessCentralIva[number];
const keyOf = ({ grupo, codigo, porcentaje }: Code) => `${grupo}|${codigo}|${porcentaje}`;

/** Each VAT code of theirs beside ours: proposed by its percentage, chosen once, remembered. */
export function TaxesCard({ isOn }: { readonly isOn: boolean }) {
  const { data: codes } = useQuery(ivaQuery);
  const [chosen, setChosen] = useState<Readonly<Record<string, string>>>({});
  const save = useSaveTaxes();
  if (!codes) return null;
  if (codes.length === 0) {
    return (
      <Card title="Códigos de IVA">
        <p className="hu-muted">
          Todavía no hemos visto ninguno. Aparecerán aquí con tus primeras facturas.
        </p>
      </Card>
    );
  }
  const choiceOf = (code: Code) => chosen[keyOf(code)] ?? (code.tax || code.propuesta);
  const pending = codes.filter(({ tax }) => tax === '');
  const isChanged = codes.some((code) => choiceOf(code) !== code.tax);
  const submit = () =>
    save.mutate(
      {
        codigos: codes.map((code) => ({
          ...{ grupo: code.grupo, codigo: code.codigo, porcentaje: code.porcentaje },
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
  return (
    <Card
      title="Códigos de IVA"
      aside={
        pending.length > 0 && (
          <Chip tone="amber">{cuenta(pending.length, 'por confirmar', 'por confirmar')}</Chip>
        )
      }
    >
      <p>
        Di una vez a qué IVA de Huella corresponde cada código de Business Central. Proponemos el
        que sale de su porcentaje; los exentos y no sujetos los sabes tú.
      </p>
      <ul className={classes.taxes}>
        {codes.map((code) => (
          <li key={keyOf(code)}>
            <div>
              <p className={classes.code}>{`${code.codigo || 'Sin código'} · ${percent(code)}`}</p>
              <p className={classes.small}>
                {code.grupoNombre}
                {code.esperan > 0 &&
                  ` · ${cuenta(code.esperan, 'documento espera', 'documentos esperan')}`}
              </p>
            </div>
            <Select
              aria-label={`IVA de ${code.codigo || 'las líneas sin código'} al ${percent(code)}, ${code.grupoNombre}`}
              placeholder={code.opciones.length > 0 ? 'Elige' : 'Huella no tiene ese porcentaje'}
              data={code.opciones}
              disabled={code.opciones.length === 0}
              allowDeselect={false}
              value={choiceOf(code) || null}
              onChange={(value) => setChosen({ ...chosen, [keyOf(code)]: value ?? '' })}
            />
            <span className={classes.mark}>
              {code.tax === '' && choiceOf(code) !== '' && 'Propuesto'}
            </span>
          </li>
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
    </Card>
  );
}

const percent = ({ porcentaje }: Code) => `${porcentaje.replace('.', ',')}\u00a0%`;
