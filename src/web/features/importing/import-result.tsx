import { Button } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import type { SaveDataAnswer } from '../../../contract/imports.ts';
import { cuenta } from '../../lib/format.ts';
import { PATHS } from '../../lib/paths.ts';
import { Banner } from '../../ui/banner.tsx';
import type { ChosenFile } from './api.ts';
import { ErrorsButton } from './errors-button.tsx';
import classes from './importing.module.css';
import { savedParts } from './saved-parts.ts';

export interface ImportResultProps {
  readonly saved: SaveDataAnswer;
  /** Wrong rows that were left out, and their file. */
  readonly wrong: { readonly chosen: ChosenFile; readonly count: number } | null;
  readonly onRestart: () => void;
}

/** What was saved, and where to find it. */
export function ImportResult({ saved, wrong, onRestart }: ImportResultProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section className={`hu-card ${classes.result}`} aria-labelledby="importar-hecho">
      <span className={classes.done}>
        <IconCircleCheck size={28} stroke={1.6} aria-hidden="true" />
      </span>
      <h2 id="importar-hecho" ref={heading} tabIndex={-1} className={classes.heading}>
        Datos importados
      </h2>
      <ul className={classes.saved}>
        {savedParts(saved).map(({ text, path }) => (
          <li key={path}>
            <Link to={path}>{text}</Link>
          </li>
        ))}
      </ul>
      {saved.facturas > 0 && (
        <p className="hu-muted">
          Las facturas esperan en Facturas pendientes como borradores: revísalas y regístralas una a
          una o todas a la vez.
        </p>
      )}
      {wrong && (
        <div className={classes.left}>
          <Banner
            tone="amber"
            icon={IconAlertTriangle}
            title={`${cuenta(wrong.count, 'fila con errores se quedó fuera', 'filas con errores se quedaron fuera')}.`}
            action={
              <ErrorsButton chosen={wrong.chosen} onlyWrong>
                {wrong.count === 1 ? 'Descargarla marcada' : 'Descargarlas marcadas'}
              </ErrorsButton>
            }
          >
            {wrong.count === 1 ? 'Corrígela' : 'Corrígelas'} y sube ese archivo.
          </Banner>
        </div>
      )}
      <div className={classes.resultActions}>
        <Button variant="default" onClick={onRestart}>
          Importar otro archivo
        </Button>
        {saved.facturas > 0 && (
          <Button component={Link} to={PATHS.pending}>
            Ver los borradores
          </Button>
        )}
      </div>
    </section>
  );
}
