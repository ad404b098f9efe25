import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { fechaLarga } from '../../lib/format.ts';
import { resumenQuery } from '../../lib/queries.ts';
import { FailedState } from '../../ui/failed-state.tsx';
import { useTaxName } from '../../ui/invoices/use-tax-name.ts';
import { PageTitle } from '../../ui/page-title.tsx';
import { useCompanyToday } from '../../ui/use-today.ts';
import { Chart } from './chart.tsx';
import { Connection } from './connection.tsx';
import { Figures } from './figures.tsx';
import { FirstSteps } from './first-steps.tsx';
import classes from './home.module.css';
import { HistoryBlock, PendingBlock } from './invoice-blocks.tsx';
import { useFirstSteps } from './use-first-steps.ts';

/** Inicio: amounts, connection with the AEAT, trend, what is missing, and the latest invoices. */
export function Component() {
  const resumen = useQuery(resumenQuery);
  const steps = useFirstSteps();
  // If updating them fails, the previous figures stay.
  const hasFailed = resumen.isError && !resumen.data;
  const hasSteps = steps.length > 0;
  const tax = useTaxName();
  const today = useCompanyToday();
  // As in home.module.css: the order of the elements, and so of the focus, is the one in which they are seen.
  const isWide = useMediaQuery('(min-width: 68.75em)', true, { getInitialValueInEffect: false });
  const firstSteps = hasSteps && <FirstSteps key="pasos" steps={steps} />;
  const chart = !hasFailed && <Chart key="meses" meses={resumen.data?.meses} wide={!hasSteps} />;

  return (
    <>
      <PageTitle title="Inicio">
        <span className={classes.today}>{fechaLarga(today)}</span>
      </PageTitle>
      <div className={classes.grid} data-steps={hasSteps || undefined}>
        {hasFailed ? (
          <section className={`hu-card ${classes.failed}`}>
            <FailedState
              title="No hemos podido calcular tus cifras"
              error={resumen.error}
              onRetry={resumen.refetch}
            />
          </section>
        ) : (
          <Figures resumen={resumen.data} tax={tax} />
        )}
        <Connection />
        {isWide ? [chart, firstSteps] : [firstSteps, chart]}
        <HistoryBlock />
        <PendingBlock />
      </div>
    </>
  );
}
