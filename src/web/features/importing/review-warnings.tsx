import type { AvisoImportar } from '../../../contract/imports.ts';
import { cuenta, entero } from '../../lib/format.ts';
import classes from './importing.module.css';

/** Warnings that block nothing, each once with the number of rows concerned. */
export function ReviewWarnings({ avisos }: { readonly avisos: readonly AvisoImportar[] }) {
  return (
    <div className={`hu-card ${classes.list}`}>
      <ul className={classes.rows} aria-label="Avisos del archivo">
        {avisos.map(({ hoja, columna, fila, filas, mensaje }) => (
          <li key={`${hoja}-${columna}-${mensaje}`} className={classes.row}>
            <span className={classes.where}>
              {hoja}, {filas === 1 ? `fila ${entero(fila)}` : cuenta(filas, 'fila', 'filas')}
            </span>
            <span className={classes.what}>
              {columna && <strong>{columna}</strong>}
              <span className={classes.note}>
                {mensaje}
                {filas > 1 && ` La primera, la fila ${entero(fila)}.`}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
