import { Button } from '@mantine/core';
import { IconPlugConnected } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { cuenta, fechaHora } from '../../lib/format.ts';
import { PATHS } from '../../lib/paths.ts';
import { FailedState } from '../../ui/failed-state.tsx';
import { SkeletonBar } from '../../ui/skeleton-rows.tsx';
import { businessCentralQuery } from './api.ts';
import classes from './integrations.module.css';
import { StateChip } from './state-chip.tsx';

/** In the profile: each program that can be connected, its state and a link. */
export function IntegrationsSection() {
  const { data, error, refetch } = useQuery(businessCentralQuery);
  if (!data && error) {
    return (
      <FailedState
        title="No hemos podido consultar tus integraciones"
        error={error}
        onRetry={refetch}
      />
    );
  }
  return (
    <div className={`hu-card ${classes.entry}`} aria-busy={!data}>
      <IconPlugConnected size={24} stroke={1.5} aria-hidden="true" />
      <div className={classes.entryText}>
        <h3 className={classes.entryName}>Business Central</h3>
        {data ? <p className="hu-muted">{sentence(data)}</p> : <SkeletonBar width="60%" />}
      </div>
      {data && (
        <div className={classes.entryEnd}>
          <StateChip state={data} />
          <Button component={Link} to={PATHS.businessCentral} variant="default">
            {data.estado === 'sin-conectar'
              ? 'Conectar Business Central'
              : 'Abrir Business Central'}
          </Button>
        </div>
      )}
    </div>
  );
}

function sentence({
  estado,
  conexion,
  historial,
  conProblemas,
}: NonNullable<Awaited<ReturnType<NonNullable<typeof businessCentralQuery.queryFn>>>>): string {
  if (estado === 'sin-conectar' || !conexion) {
    return 'Trae tus clientes, productos y facturas del ERP y devuelve su huella y su CSV.';
  }
  const last = historial.find(({ estado }) => estado === 'terminada');
  const parts = [
    conexion.empresa,
    last?.acabada && `sincronizada el ${fechaHora(last.acabada)}`,
    conProblemas > 0 && cuenta(conProblemas, 'aviso por resolver', 'avisos por resolver'),
  ];
  return parts.filter(Boolean).join(' · ');
}
