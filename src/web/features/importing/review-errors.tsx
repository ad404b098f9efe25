import { useState } from 'react';
import type { ErrorImportar } from '../../../contract/imports.ts';
import { Pager } from '../../ui/pager.tsx';
import classes from './importing.module.css';

const PAGE = 20;

/** The cells to be corrected, named as in the spreadsheet. */
export function ReviewErrors({ errores }: { readonly errores: readonly ErrorImportar[] }) {
  const [page, setPage] = useState(1);
  const shown = errores.slice((page - 1) * PAGE, page * PAGE);
  return (
    <div className={`hu-card ${classes.list}`}>
      <ul className={classes.rows} aria-label="Errores del archivo">
        {shown.map((error) => (
          <li key={`${error.hoja}-${error.celda}-${error.mensaje}`} className={classes.row}>
            <span className={classes.where}>
              {error.hoja}, celda {error.celda}
            </span>
            <span className={classes.what}>
              <strong>{error.columna}</strong>
              {error.valor && ` · ${error.valor}`}
              <span className={classes.note}>{error.mensaje}</span>
            </span>
          </li>
        ))}
      </ul>
      <Pager
        page={page}
        pageSize={PAGE}
        total={errores.length}
        noun={['error', 'errores']}
        onPage={setPage}
      />
    </div>
  );
}
