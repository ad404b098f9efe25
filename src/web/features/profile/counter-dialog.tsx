import { Button, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type FormEvent, useState } from 'react';
import {
  checkNoSerie,
  formatNoSerie,
  parseNoSerie,
  type SeriesKind,
  siblingSeries,
} from '../../../domain/series.ts';
import { errorMessages, UNEXPECTED_IN_PROFILE } from '../../lib/http.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { useRestartCounter } from './api.ts';
import classes from './profile.module.css';

export interface CounterDialogProps {
  readonly current: string;
  readonly onClose: () => void;
}

/** Restarts the series. An empty or unchanged number changes nothing. */
export function CounterDialog({ current, onClose }: CounterDialogProps) {
  const [text, setText] = useState('');
  const [isWrong, setWrong] = useState(false);
  const restart = useRestartCounter();
  const NoSerie = text.trim();
  const problem = NoSerie === '' ? null : checkNoSerie(NoSerie);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (restart.isPending) return;
    if (NoSerie === '' || NoSerie === current) return onClose();
    if (problem) return setWrong(true);
    restart.mutate(NoSerie, {
      onSuccess: () => {
        notifications.show({ message: `Tu próxima factura será la ${NoSerie}.` });
        onClose();
      },
    });
  };
  const refusal = restart.error && errorMessages(restart.error, UNEXPECTED_IN_PROFILE);

  return (
    <Dialog onClose={onClose} title="Nuevo número de serie" withCloseButton={false}>
      <form onSubmit={submit} noValidate className={classes.dialogForm}>
        <TextInput
          label="Número de tu próxima factura"
          placeholder="Ej: 00001/LO"
          data-autofocus
          autoComplete="off"
          spellCheck={false}
          maxLength={60}
          value={text}
          errorProps={{ role: 'alert' }}
          error={refusal?.join(' ') ?? (isWrong && problem)}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setWrong(false);
            restart.reset();
          }}
        />
        <Siblings NoSerie={problem ? '' : NoSerie} />
        <div className={classes.dialogButtons}>
          <Button variant="default" onClick={onClose}>
            Cancelar
          </Button>
          <Button type="submit" aria-disabled={restart.isPending}>
            Confirmar
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

const KIND_NAMES: readonly (readonly [SeriesKind, string])[] = [
  ['F', 'Facturas'],
  ['S', 'Simplificadas'],
  ['R', 'Rectificativas'],
  ['RS', 'Rectificativas de simplificadas'],
  ['G', 'Móviles, ordenadores y metales sin IVA'],
  ['M', 'Agencias de viajes mediadoras'],
];

/** The law requires a series for each kind: shows how each will begin, or nothing without input. */
function Siblings({ NoSerie }: { readonly NoSerie: string }) {
  const series = parseNoSerie(NoSerie);
  const siblings = series && siblingSeries(series);
  return (
    <dl className={classes.siblings} aria-live="polite">
      {KIND_NAMES.map(([kind, name]) => (
        <div key={kind} style={{ display: 'contents' }}>
          <dt>{name}</dt>
          <dd>{siblings ? formatNoSerie(siblings[kind]) : '—'}</dd>
        </div>
      ))}
    </dl>
  );
}
