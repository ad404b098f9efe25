import {
  IconAlertCircle,
  type IconCircleCheck,
  IconEqual,
  IconPlus,
  IconRefresh,
} from '@tabler/icons-react';
import { useState } from 'react';
import type { AccionImportar, FilaImportar } from '../../../contract/imports.ts';
import { entero } from '../../lib/format.ts';
import { Chip, type Tone } from '../../ui/chip.tsx';
import { Select } from '../../ui/forms/select.tsx';
import { Pager } from '../../ui/pager.tsx';
import classes from './importing.module.css';

const PAGE = 20;

const ACTIONS: Readonly<
  Record<AccionImportar, { label: string; tone: Tone; icon: typeof IconCircleCheck }>
> = {
  nuevo: { label: 'Se crea', tone: 'green', icon: IconPlus },
  actualizado: { label: 'Se actualiza', tone: 'blue', icon: IconRefresh },
  igual: { label: 'Ya lo tienes', tone: 'grey', icon: IconEqual },
  erroneo: { label: 'Con errores', tone: 'red', icon: IconAlertCircle },
};

const ALL = 'todas';
const ORDER: readonly AccionImportar[] = ['nuevo', 'actualizado', 'igual', 'erroneo'];

/** Each row of the file and what will happen to it. */
export function ReviewRows({ filas }: { readonly filas: readonly FilaImportar[] }) {
  const [page, setPage] = useState(1);
  const [action, setAction] = useState<string>(ALL);
  const wanted = action === ALL ? filas : filas.filter(({ accion }) => accion === action);
  const kinds = ORDER.filter((kind) => filas.some(({ accion }) => accion === kind));
  const shown = wanted.slice((page - 1) * PAGE, page * PAGE);
  return (
    <div className={`hu-card ${classes.list}`}>
      {kinds.length > 1 && (
        <Select
          className={classes.filter ?? ''}
          aria-label="Qué filas quieres ver"
          data={[
            { value: ALL, label: `Todas las filas (${entero(filas.length)})` },
            ...kinds.map((kind) => ({
              value: kind as string,
              label: `${ACTIONS[kind].label} (${entero(filas.filter(({ accion }) => accion === kind).length)})`,
            })),
          ]}
          value={action}
          allowDeselect={false}
          onChange={(value) => {
            setAction(value ?? ALL);
            setPage(1);
          }}
        />
      )}
      <ul className={classes.rows} aria-label="Filas del archivo">
        {shown.map((row) => {
          const { label, tone, icon } = ACTIONS[row.accion];
          return (
            <li key={`${row.hoja}-${row.fila}`} className={classes.row}>
              <span className={classes.where}>
                {row.hoja}, fila {entero(row.fila)}
              </span>
              <span className={classes.what}>
                <strong>{row.nombre || row.clave || 'Sin nombre'}</strong>
                {row.clave && row.nombre ? ` · ${row.clave}` : ''}
                {row.nota && <span className={classes.note}>{row.nota}</span>}
              </span>
              <Chip tone={tone} icon={icon}>
                {label}
              </Chip>
            </li>
          );
        })}
      </ul>
      <Pager
        page={page}
        pageSize={PAGE}
        total={wanted.length}
        noun={['fila', 'filas']}
        onPage={setPage}
      />
    </div>
  );
}
