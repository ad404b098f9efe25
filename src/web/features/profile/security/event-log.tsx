import { SegmentedControl } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { EventoSeguridad } from '../../../../contract/security.ts';
import { fechaHora } from '../../../lib/format.ts';
import { FailedState } from '../../../ui/failed-state.tsx';
import { Pager } from '../../../ui/pager.tsx';
import { eventosQuery, type ParteActividad } from './api.ts';
import { Part, WaitingRows } from './part.tsx';
import classes from './security.module.css';

/** What happened to the account, newest first. Nothing in it can be changed or deleted. */
export function EventLog() {
  const [page, setPage] = useState(1);
  const [parte, setParte] = useState<ParteActividad>('todo');
  const { data, error, refetch } = useQuery({
    ...eventosQuery(page, parte),
    placeholderData: keepPreviousData,
  });
  return (
    <Part
      title="Actividad"
      action={
        <SegmentedControl
          size="xs"
          aria-label="Qué actividad se ve"
          data={PARTES}
          value={parte}
          onChange={(chosen) => {
            setParte(chosen as ParteActividad);
            setPage(1);
          }}
        />
      }
    >
      {data ? (
        <>
          <ul className={classes.rows} hidden={data.rows.length === 0}>
            {data.rows.map((event, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: entries have no name, and never move
              <EventRow key={`${event.fecha}${index}`} event={event} />
            ))}
          </ul>
          {data.rows.length === 0 && <p className={classes.small}>Todavía no hay nada.</p>}
          {data.total > data.pageSize && (
            <div className={classes.pager}>
              <Pager
                page={data.page}
                pageSize={data.pageSize}
                total={data.total}
                noun={['anotación', 'anotaciones']}
                onPage={setPage}
              />
            </div>
          )}
        </>
      ) : error ? (
        <FailedState
          title="No hemos podido consultar la actividad de tu cuenta"
          error={error}
          onRetry={refetch}
        />
      ) : (
        <WaitingRows rows={3} />
      )}
    </Part>
  );
}

const PARTES = [
  { value: 'todo', label: 'Todo' },
  { value: 'cuenta', label: 'Cuenta' },
  { value: 'facturas', label: 'Facturas' },
];

const WARNINGS = /fallid/;

function EventRow({ event }: { readonly event: EventoSeguridad }) {
  const from = [event.dispositivo, event.direccion].filter(Boolean).join(' · ');
  return (
    <li data-warning={WARNINGS.test(event.tipo) || undefined}>
      <div className={classes.what}>
        <p className={classes.name}>{event.texto}</p>
        {event.detalle && <p className={classes.small}>{event.detalle}</p>}
        {from && <p className={classes.small}>{from}</p>}
      </div>
      <time className={classes.when} dateTime={event.fecha}>
        {fechaHora(event.fecha)}
      </time>
    </li>
  );
}
