import { Button } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { type FormEvent, useMemo, useState } from 'react';
import { Link } from 'react-router';
import type {
  ConciliarRegistrosAnswer,
  NuevaInstalacionAnswer,
  RegistroConciliado,
} from '../../../contract/evidence.ts';
import { cuenta, entero, nombreMes } from '../../lib/format.ts';
import { invoicePath } from '../../lib/paths.ts';
import { Banner } from '../../ui/banner.tsx';
import { Chip } from '../../ui/chip.tsx';
import { Select } from '../../ui/forms/select.tsx';
import { PanelCard } from '../../ui/panel-card.tsx';
import { ProgressLine } from '../../ui/progress-line.tsx';
import { useFocusWhen } from '../../ui/use-focus-when.ts';
import { useSlow } from '../../ui/use-slow.ts';
import { useCompanyToday } from '../../ui/use-today.ts';
import { useConciliar } from './api.ts';
import classes from './evidence.module.css';
import { lastMonths, monthsAhead } from './months.ts';
import { Begun, NewInstallation } from './new-installation.tsx';
import { Refusal } from './refusal.tsx';

/** The months from that one, `2026-11`. Future ones are rarely needed, so they come last. */
function monthsFrom(month: string) {
  const day = new Date(`${month}-01T00:00`);
  return [...lastMonths(day, 48), ...monthsAhead(day)].map((mes) => ({
    value: mes,
    label: `${nombreMes(mes)} de ${mes.slice(0, 4)}`,
  }));
}

const WAITS = 'Puedes seguir en otra sección de Huella: la respuesta te espera aquí.';

/** «Conciliar con la AEAT»: compares a month of ours with what the AEAT says it has. */
export function ConciliarCard() {
  const conciliar = useConciliar();
  const { isPending, error, asked } = conciliar;
  const month = useCompanyToday().slice(0, 7);
  const months = useMemo(() => monthsFrom(month), [month]);
  const [chosen, setChosen] = useState(asked);
  const mes = chosen ?? month;
  const isSlow = useSlow(isPending);
  const button = useFocusWhen(conciliar.isStopped);
  // Earlier results are no longer valid once a new installation begins.
  const [begun, setBegun] = useState<NuevaInstalacionAnswer | null>(null);
  const data = begun ? undefined : conciliar.data;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isPending) return;
    setBegun(null);
    setChosen(mes);
    conciliar.start(mes);
  };

  return (
    <PanelCard title="Conciliar con la AEAT" chip={data && <Outcome answer={data} />}>
      <p>
        Pregunta a la AEAT, con tu certificado, qué facturas de un mes tiene, y las compara una a
        una con las tuyas.
      </p>
      <form onSubmit={submit} className={`${classes.fields} ${classes.month}`}>
        <Select
          label="Mes"
          data={months}
          value={mes}
          allowDeselect={false}
          onChange={(value) => {
            conciliar.putAway();
            setChosen(value ?? mes);
          }}
        />
        <Button
          ref={button}
          type="submit"
          variant="default"
          className={classes.beside ?? ''}
          aria-disabled={isPending}
          loading={isPending}
        >
          Conciliar
        </Button>
      </form>
      {isSlow && (
        <div className={classes.answer}>
          <ProgressLine
            label="Facturas de la AEAT"
            count={conciliar.count}
            waiting="Preguntando a la AEAT…"
            onStop={conciliar.stop}
          />
          <p className={`${classes.small} hu-muted`}>{WAITS}</p>
        </div>
      )}
      <div className={classes.said} role="status" aria-busy={isPending}>
        {isPending && <p className="hu-hidden">{`Preguntando a la AEAT. ${WAITS}`}</p>}
        {conciliar.isStopped && (
          <p className={classes.small}>La has parado: no se ha comparado nada.</p>
        )}
        {data && <Answer answer={data} onBegun={setBegun} />}
        {begun && <Begun answer={begun} />}
      </div>
      {error && <Refusal title="No hemos podido conciliar." error={error} />}
    </PanelCard>
  );
}

function differencesOf({ distintos, soloAqui, soloAEAT }: ConciliarRegistrosAnswer): number {
  return distintos.length + soloAqui.length + soloAEAT.length;
}

function Outcome({ answer }: { readonly answer: ConciliarRegistrosAnswer }) {
  if (answer.registroDetenido) {
    return (
      <Chip tone="red" icon={IconCircleX}>
        Registro detenido
      </Chip>
    );
  }
  return differencesOf(answer) > 0 ? (
    <Chip tone="amber" icon={IconAlertTriangle}>
      Con diferencias
    </Chip>
  ) : (
    <Chip tone="green" icon={IconCircleCheck}>
      Coincide
    </Chip>
  );
}

interface AnswerProps {
  readonly answer: ConciliarRegistrosAnswer;
  readonly onBegun: (answer: NuevaInstalacionAnswer) => void;
}

function Answer({ answer, onBegun }: AnswerProps) {
  const { iguales, distintos, soloAqui, soloAEAT, enEspera, registroDetenido } = answer;
  const isEmpty = iguales + enEspera + differencesOf(answer) === 0;
  if (isEmpty) {
    return <p className={classes.answer}>Ni aquí ni en la AEAT hay facturas de ese mes.</p>;
  }
  return (
    <div className={classes.answer}>
      {registroDetenido && <Stopped onBegun={onBegun} />}
      <p>
        {differencesOf(answer) === 0 ? (
          <>
            <strong>Todo coincide.</strong>{' '}
            {cuenta(iguales, 'factura es igual', 'facturas son iguales')} aquí y en la AEAT.
          </>
        ) : (
          <>{cuenta(iguales, 'factura es igual', 'facturas son iguales')} aquí y en la AEAT.</>
        )}
        {enEspera > 0 && ` ${cuenta(enEspera, 'está', 'están')} en espera de enviarse.`}
      </p>
      <Differences title="Distintas" rows={distintos} linked />
      <Differences title="Solo aquí" rows={soloAqui} linked />
      <Differences title="Solo en la AEAT" rows={soloAEAT} />
    </div>
  );
}

/** An old backup was restored: what happened, and what to do. */
function Stopped({ onBegun }: Pick<AnswerProps, 'onBegun'>) {
  return (
    <>
      <Banner tone="red" icon={IconCircleX} title="No se puede registrar hasta resolverlo.">
        La AEAT tiene facturas que hizo esta instalación y que aquí faltan.
      </Banner>
      <ol className={classes.steps}>
        <li>Casi siempre es que se ha restaurado una copia de seguridad antigua.</li>
        <li>Restaura la más reciente que tengas y concilia este mes otra vez.</li>
        <li>Tus borradores se guardan mientras tanto.</li>
      </ol>
      <NewInstallation onBegun={onBegun} />
    </>
  );
}

/** Rows shown: a longer list would add nothing. */
const SHOWN = 100;

interface DifferencesProps {
  readonly title: string;
  readonly rows: readonly RegistroConciliado[];
  /** The invoices exist here and can be opened. */
  readonly linked?: boolean;
}

function Differences({ title, rows, linked = false }: DifferencesProps) {
  if (rows.length === 0) return null;
  return (
    <div>
      <h3 className={classes.listTitle}>
        {title} ({entero(rows.length)})
      </h3>
      <ul className={classes.list}>
        {rows.slice(0, SHOWN).map(({ NumSerieFactura, FechaExpedicionFactura, motivo }) => (
          <li key={`${NumSerieFactura} ${FechaExpedicionFactura}`}>
            <span className={classes.number}>
              {linked ? (
                <Link to={invoicePath(NumSerieFactura)}>{NumSerieFactura}</Link>
              ) : (
                NumSerieFactura
              )}
            </span>
            <span className="hu-figures hu-muted">
              {FechaExpedicionFactura.replaceAll('-', '/')}
            </span>
            <span>{motivo}</span>
          </li>
        ))}
      </ul>
      {rows.length > SHOWN && <p className="hu-muted">… y {entero(rows.length - SHOWN)} más.</p>}
    </div>
  );
}
