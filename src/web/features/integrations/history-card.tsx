import type { BusinessCentral, Sincronizacion } from '../../../contract/business-central.ts';
import { fechaHora } from '../../lib/format.ts';
import { Chip, type Tone } from '../../ui/chip.tsx';
import { Disclosure } from '../../ui/disclosure.tsx';
import { PanelCard } from '../../ui/panel-card.tsx';
import classes from './integrations.module.css';
import { CAUSES, OUTCOMES, runWords } from './words.ts';

const TONES: Record<Sincronizacion['estado'], Tone> = {
  'en-marcha': 'blue',
  terminada: 'green',
  aplazada: 'amber',
  fallida: 'red',
  parada: 'grey',
};

export interface HistoryCardProps {
  readonly state: BusinessCentral;
  /** Without a frame, inside another card. */
  readonly isBare?: boolean;
}

/** The last synchronisations, newest first, with what each did. */
export function HistoryCard({ state, isBare = false }: HistoryCardProps) {
  const list = (
    <ol className={classes.history}>
      {state.historial.map((run) => (
        <li key={run.id}>
          <span className={classes.when}>
            {fechaHora(run.empezada)}
            <span className={classes.small}>{CAUSES[run.causa]}</span>
          </span>
          <span>
            {runWords(run)}
            {run.mensaje && <span className={classes.why}>{run.mensaje}</span>}
          </span>
          <Chip tone={TONES[run.estado]}>{OUTCOMES[run.estado]}</Chip>
        </li>
      ))}
    </ol>
  );
  if (isBare) {
    return (
      <div>
        <Disclosure label="Sincronizaciones anteriores" isOpenAtFirst={false} isForcedOpen={false}>
          {list}
        </Disclosure>
      </div>
    );
  }
  return <PanelCard title="Historial de sincronizaciones">{list}</PanelCard>;
}
