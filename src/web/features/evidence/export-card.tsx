import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { PATHS } from '../../lib/paths.ts';
import { DayField } from '../../ui/forms/day-field.tsx';
import { PeriodSelect } from '../../ui/forms/period-select.tsx';
import { PanelCard } from '../../ui/panel-card.tsx';
import { ProgressLine } from '../../ui/progress-line.tsx';
import { useFocusWhen } from '../../ui/use-focus-when.ts';
import { useSlow } from '../../ui/use-slow.ts';
import { useCompanyToday } from '../../ui/use-today.ts';
import { useExportRegistros } from './api.ts';
import classes from './evidence.module.css';
import { Refusal } from './refusal.tsx';

const GOES_ON = 'Puedes seguir en otra sección de Huella: se guarda al acabar.';

/** «Exportar registros»: of a period, between two days, or everything. */
export function ExportCard() {
  const [days, setDays] = useState({ desde: '', hasta: '' });
  const exporting = useExportRegistros();
  const today = useCompanyToday();
  const isSlow = useSlow(exporting.isPending);
  const button = useFocusWhen(exporting.isStopped);
  const isTurned = days.desde !== '' && days.hasta !== '' && days.desde > days.hasta;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isTurned && !exporting.isPending) exporting.start(days);
  };
  const choose = (chosen: Partial<typeof days>) => {
    exporting.putAway();
    setDays({ ...days, ...chosen });
  };
  const day = (name: 'desde' | 'hasta') => ({
    value: days[name],
    today,
    maxDate: today,
    isOptional: true,
    onChange: (day: string) => choose({ [name]: day }),
  });

  return (
    <PanelCard title="Exportar registros">
      <p>
        Un ZIP con el XML exacto de cada registro, las respuestas de la AEAT y un manifiesto con el
        SHA-256 de cada archivo. Guárdalo como copia: se comprueba en cualquier ordenador, sin
        conexión, con <a href={PATHS.verify}>la página de verificación</a>, que también se puede
        guardar, o con otro programa.
      </p>
      <form onSubmit={submit} className={classes.fields}>
        <PeriodSelect
          label="Periodo"
          placeholder="Todos"
          {...(classes.period && { className: classes.period })}
          period={days}
          onChange={choose}
        />
        <DayField label="Desde" {...day('desde')} />
        <DayField
          label="Hasta"
          {...day('hasta')}
          error={isTurned && 'Es anterior a la otra fecha.'}
        />
        <Button
          ref={button}
          type="submit"
          variant="default"
          className={classes.beside ?? ''}
          aria-disabled={exporting.isPending || isTurned}
          loading={exporting.isPending}
          leftSection={<IconDownload size={16} stroke={1.7} aria-hidden="true" />}
        >
          Exportar registros
        </Button>
      </form>
      <p className={`${classes.small} hu-muted`}>
        Por el día en que se registraron, que puede no ser el de la factura. Sin fechas, todos.
      </p>
      {isSlow && (
        <div className={classes.answer}>
          <ProgressLine
            label="Registros en el ZIP"
            count={exporting.count}
            waiting="Preparando el ZIP…"
            onStop={exporting.stop}
          />
          <p className={`${classes.small} hu-muted`}>{GOES_ON}</p>
        </div>
      )}
      <div className={classes.said} role="status">
        {exporting.isPending && <p className="hu-hidden">{`Preparando el ZIP. ${GOES_ON}`}</p>}
        {exporting.isStopped && (
          <p className={classes.small}>La has parado: no se ha guardado ningún archivo.</p>
        )}
        {exporting.data && (
          <p className={classes.small}>
            Descargado: <strong>{exporting.data}</strong>
          </p>
        )}
      </div>
      {exporting.error && <Refusal title="No se ha podido exportar." error={exporting.error} />}
    </PanelCard>
  );
}
