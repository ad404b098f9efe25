import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { EventoSeguridad } from '../../../../contract/security.ts';
import { fechaHora } from '../../../lib/format.ts';
import { FailedState } from '../../../ui/failed-state.tsx';
import { Pager } from '../../../ui/pager.tsx';
import { SkeletonBar } from '../../../ui/skeleton-rows.tsx';
import { eventosQuery } from './api.ts';
import { Part } from './part.tsx';
import classes from './security.module.css';

/** What happened to the account, the last first. Nothing of it can be changed or deleted. */
export function EventLog() {
  const [page, setPage] = useState(1);
  const { data, error, refetch } = useQuery({
    ...eventosQuery(page),
    placeholderData: keepPreviousData,
  });
  return (
    <Part title="Actividad">
      {data ? (
        <>
          <ul className={classes.rows}>
            {data.rows.map((event, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: entries have no name, and never move
              <EventRow key={`${event.fecha}${index}`} event={event} />
            ))}
          </ul>
          {data.total > data.pageSize && (
            <Pager
              page={data.page}
              pageSize={data.pageSize}
              total={data.total}
              noun={['anotación', 'anotaciones']}
              onPage={setPage}
            />
          )}
        </>
      ) : error ? (
        <FailedState
          title="No hemos podido consultar la actividad de tu cuenta"
          error={error}
          onRetry={refetch}
        />
      ) : (
        <SkeletonBar width="80%" />
      )}
    </Part>
  );
}

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
