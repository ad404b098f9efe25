import { useState } from 'react';
import type { BusinessCentral } from '../../../contract/business-central.ts';
import { PATHS } from '../../lib/paths.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { FailedCard } from '../../ui/failed-state.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { PanelCard } from '../../ui/panel-card.tsx';
import { SkeletonText } from '../../ui/skeleton-rows.tsx';
import { useBusinessCentral } from './api.ts';
import { ConnectionCard } from './connection-card.tsx';
import { ConnectionForm } from './connection-form.tsx';
import { HistoryCard } from './history-card.tsx';
import classes from './integrations.module.css';
import { ProblemsCard } from './problems-card.tsx';
import { SetUpGuide } from './set-up-guide.tsx';
import { StateChip } from './state-chip.tsx';
import { SwitchOnCard } from './switch-on-card.tsx';
import { SyncCard } from './sync-card.tsx';
import { TaxesCard } from './taxes-card.tsx';

/** The connection with Business Central: first what needs its owner, then what it last did. */
export function Component() {
  const { data, error, refetch } = useBusinessCentral();
  return (
    <div className={classes.page}>
      <div>
        <BackLink to={`${PATHS.profile}#integraciones`}>Perfil empresa</BackLink>
        <PageTitle title="Business Central">{data && <StateChip state={data} />}</PageTitle>
      </div>
      <p className={`hu-muted ${classes.intro}`}>
        Tus clientes, productos, facturas y abonos vienen de tu ERP. Huella registra las facturas y
        le devuelve su huella y el CSV de la AEAT.
      </p>
      {data ? (
        <Connected state={data} />
      ) : error ? (
        <FailedCard title="No hemos podido consultar tu conexión" error={error} onRetry={refetch} />
      ) : (
        <section className={`hu-card ${classes.waiting}`} aria-busy="true">
          <SkeletonText lines={6} />
        </section>
      )}
    </div>
  );
}

function Connected({ state }: { readonly state: BusinessCentral }) {
  const [isChanging, setChanging] = useState(false);
  const { estado, conexion } = state;
  if (estado === 'sin-conectar' || !conexion) {
    return (
      <PanelCard title="Conecta tu Business Central">
        <SetUpGuide />
        <ConnectionForm onDone={() => setChanging(false)} />
        {state.historial.length > 0 && <HistoryCard state={state} isBare />}
      </PanelCard>
    );
  }
  const isOn = estado === 'activa';
  return (
    <>
      {isOn && <SyncCard state={state} />}
      {isChanging ? (
        <PanelCard title="Cambiar la conexión">
          <ConnectionForm
            connection={conexion}
            onDone={() => setChanging(false)}
            onCancel={() => setChanging(false)}
          />
        </PanelCard>
      ) : (
        !isOn && <ConnectionCard state={state} onChange={() => setChanging(true)} />
      )}
      {state.conProblemas > 0 && <ProblemsCard canRetry={isOn} isBusy={Boolean(state.enMarcha)} />}
      <TaxesCard isOn={isOn} />
      {!isOn && <SwitchOnCard state={state} />}
      {isOn && !isChanging && <ConnectionCard state={state} onChange={() => setChanging(true)} />}
      {state.historial.length > 0 && <HistoryCard state={state} />}
    </>
  );
}
