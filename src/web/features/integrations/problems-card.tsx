import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { BusinessCentralProblemas } from '../../../contract/business-central.ts';
import { cuenta, euros, fecha } from '../../lib/format.ts';
import { invoicePath } from '../../lib/paths.ts';
import { Chip } from '../../ui/chip.tsx';
import { PanelCard } from '../../ui/panel-card.tsx';
import { problemasQuery, useSync } from './api.ts';
import classes from './integrations.module.css';
import { MissingCard } from './missing-card.tsx';
import { Refusal } from './refusal.tsx';

const KINDS = {
  factura: 'Factura',
  abono: 'Abono',
  cliente: 'Cliente',
  producto: 'Producto',
} as const;

export interface ProblemsCardProps {
  readonly canRetry: boolean;
  readonly isBusy: boolean;
}

/** What was not imported or not registered, document by document, with the reason. */
export function ProblemsCard({ canRetry, isBusy }: ProblemsCardProps) {
  const { data, error, refetch } = useQuery(problemasQuery);
  const retry = useSync();
  if (!data) {
    return (
      <MissingCard
        title="Por resolver"
        failed="No hemos podido consultar lo que está por resolver"
        error={error}
        onRetry={refetch}
      />
    );
  }
  if (data.total === 0) return null;
  return (
    <PanelCard
      title="Por resolver"
      chip={<Chip tone="amber">{cuenta(data.total, 'aviso', 'avisos')}</Chip>}
    >
      <ul className={classes.problems}>
        {data.problemas.map((problem) => (
          <Problem key={`${problem.tipo}${problem.numero}${problem.fecha}`} {...problem} />
        ))}
      </ul>
      {data.total > data.problemas.length && (
        <p className={classes.small}>
          {`Se ven los primeros ${data.problemas.length}; todos están en el CSV.`}
        </p>
      )}
      <Refusal error={retry.error} />
      {canRetry && (
        <div className={classes.buttons}>
          <Button
            variant="default"
            disabled={isBusy}
            loading={retry.isPending}
            onClick={() => retry.mutate({ reintentar: true })}
          >
            Reintentar lo retenido
          </Button>
        </div>
      )}
    </PanelCard>
  );
}

function Problem(problem: BusinessCentralProblemas['problemas'][number]) {
  const { tipo, numero, nombre, motivos, DocNo } = problem;
  return (
    <li>
      <p className={classes.problemHead}>
        <strong>{`${KINDS[tipo]} ${numero}`}</strong>
        <span>{nombre}</span>
        <span className={classes.problemEnd}>
          {[
            problem.fecha && fecha(problem.fecha),
            problem.total !== undefined && euros(problem.total),
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </p>
      <p className={classes.why}>
        {motivos.join(' ')}
        {DocNo && tipo !== 'cliente' && tipo !== 'producto' && (
          <>
            {' '}
            <Link to={invoicePath(DocNo)}>{`Ver ${DocNo}`}</Link>
          </>
        )}
      </p>
    </li>
  );
}
