import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import type { DeclaracionAnswer } from '../../../contract/evidence.ts';
import { http } from '../../lib/http.ts';
import { FailedCard } from '../../ui/failed-state.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { SkeletonText } from '../../ui/skeleton-rows.tsx';
import classes from './declaration.module.css';

const declaracionQuery = (version: string | null) =>
  queryOptions({
    queryKey: ['GetDeclaracionResponsable', version],
    queryFn: ({ signal }) =>
      http<DeclaracionAnswer>(`/api/GetData/GetDeclaracionResponsable${queryOf(version)}`, {
        signal,
      }),
    staleTime: Number.POSITIVE_INFINITY,
  });

const queryOf = (version: string | null) =>
  version === null ? '' : `?version=${encodeURIComponent(version)}`;

/** The declaración responsable, for everybody, signed in or not. */
export function Component() {
  const [params, setParams] = useSearchParams();
  const version = params.get('version');
  const { data, error, isError, refetch } = useQuery(declaracionQuery(version));
  return (
    <article className={classes.page}>
      <PageTitle title="Declaración responsable">
        <Button
          component="a"
          href={`/api/GetData/GetDeclaracionResponsablePdf${queryOf(version)}`}
          target="_blank"
          variant="default"
          leftSection={<IconDownload size={16} stroke={1.7} aria-hidden="true" />}
        >
          PDF
        </Button>
      </PageTitle>
      {isError && (
        <FailedCard title="No hemos podido abrirla" error={error} onRetry={() => refetch()} />
      )}
      {!isError && (
        <div className={`hu-card ${classes.card}`} aria-busy={!data}>
          {data ? <Text declaracion={data} /> : <SkeletonText lines={16} />}
        </div>
      )}
      {data && data.versiones.length > 1 && (
        <p className={classes.versions}>
          Otras versiones:{' '}
          {data.versiones
            .filter((one) => one !== data.version)
            .map((one) => (
              <button key={one} type="button" onClick={() => setParams({ version: one })}>
                {one}
              </button>
            ))}
        </p>
      )}
    </article>
  );
}

function Text({ declaracion }: { readonly declaracion: DeclaracionAnswer }) {
  return (
    <>
      <h2 className={classes.title}>{declaracion.titulo}</h2>
      <dl className={classes.parts}>
        {declaracion.apartados.map((apartado) => (
          <Part key={apartado.letra} {...apartado} />
        ))}
      </dl>
      <h3 className={classes.annex}>Anexo</h3>
      <dl className={classes.parts}>
        {declaracion.anexo.map((apartado) => (
          <Part key={apartado.epigrafe} {...apartado} />
        ))}
      </dl>
    </>
  );
}

function Part({ letra, epigrafe, parrafos }: DeclaracionAnswer['apartados'][number]) {
  return (
    <div>
      <dt>
        {letra && `${letra}) `}
        {epigrafe}
      </dt>
      {parrafos.map((parrafo) => (
        <dd key={parrafo}>{parrafo}</dd>
      ))}
    </div>
  );
}
