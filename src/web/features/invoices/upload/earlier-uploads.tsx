import { Button } from '@mantine/core';
import { IconFileText } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { euros, fechaHora } from '../../../lib/format.ts';
import { checkPath, PATHS } from '../../../lib/paths.ts';
import { FailedCard } from '../../../ui/failed-state.tsx';
import { subidasQuery } from './api.ts';
import classes from './upload.module.css';
import type { Upload } from './upload-queue.ts';

/** Drafts of files uploaded earlier, or from another device, so that nothing read gets lost. */
export function EarlierUploads({ list }: { readonly list: readonly Upload[] }) {
  const { data, error, refetch } = useQuery(subidasQuery);
  if (!data && error) {
    return (
      <FailedCard
        title="No hemos podido consultar lo que subiste antes"
        error={error}
        onRetry={refetch}
      />
    );
  }
  const shown = new Set(list.flatMap(({ state }) => ('docNo' in state ? [state.docNo] : [])));
  const drafts = data?.subidas.filter(({ DocNo }) => !shown.has(DocNo)) ?? [];
  if (drafts.length === 0) return null;
  return (
    <section className={`hu-card ${classes.queue}`} aria-labelledby="antes">
      <div className={classes.queueHead}>
        <h2 id="antes">Subidas antes, por revisar</h2>
        {data?.hayMas && <Link to={PATHS.pending}>Ver todas</Link>}
      </div>
      <ul className={classes.rows}>
        {drafts.map(({ DocNo, nombre, cliente, total, subida }) => (
          <li key={DocNo} className={`${classes.row} ${classes.earlier}`}>
            <IconFileText className={classes.rowIcon} size={18} stroke={1.6} aria-hidden="true" />
            <div>
              <p className={classes.name}>{nombre}</p>
              <p className={classes.detail}>
                {[`Borrador ${DocNo}`, cliente || 'sin cliente', euros(total)].join(' · ')}
              </p>
            </div>
            <p className={classes.when}>{fechaHora(subida)}</p>
            <div className={classes.action}>
              <Button
                size="sm"
                variant="default"
                component={Link}
                to={checkPath(DocNo)}
                aria-label={`Revisar ${nombre}, borrador ${DocNo}`}
              >
                Revisar
              </Button>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
