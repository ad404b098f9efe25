import { Checkbox } from '@mantine/core';
import {
  IconAlertCircle,
  type IconCircleCheck,
  IconEqual,
  IconMinus,
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
import { changes, clientOf } from './left-out.ts';

const PAGE = 20;

/** What becomes of a row: what the server says, or nothing because the user leaves it out. */
type Fate = AccionImportar | 'fuera';

const FATES: Readonly<Record<Fate, { label: string; tone: Tone; icon: typeof IconCircleCheck }>> = {
  nuevo: { label: 'Se crea', tone: 'green', icon: IconPlus },
  actualizado: { label: 'Se actualiza', tone: 'blue', icon: IconRefresh },
  igual: { label: 'Ya lo tienes', tone: 'grey', icon: IconEqual },
  erroneo: { label: 'Con errores', tone: 'red', icon: IconAlertCircle },
  fuera: { label: 'Se queda fuera', tone: 'grey', icon: IconMinus },
};

const ALL = 'todas';
const ORDER: readonly Fate[] = ['nuevo', 'actualizado', 'igual', 'erroneo', 'fuera'];

export interface ReviewRowsProps {
  readonly filas: readonly FilaImportar[];
  /** The rows that are left out. */
  readonly left: ReadonlySet<FilaImportar>;
  readonly onLeave: (rows: readonly FilaImportar[], isLeft: boolean) => void;
}

/** Each row of the file and what will happen to it. */
export function ReviewRows({ filas, left, onLeave }: ReviewRowsProps) {
  const [page, setPage] = useState(1);
  const [chosen, setChosen] = useState<string>(ALL);
  const fateOf = (row: FilaImportar): Fate => (left.has(row) ? 'fuera' : row.accion);
  const rowsOf = (fate: string) => filas.filter((row) => fateOf(row) === fate);
  const kinds = ORDER.filter((kind) => rowsOf(kind).length > 0);
  const fate = kinds.find((kind) => kind === chosen) ?? ALL;
  const wanted = fate === ALL ? filas : rowsOf(fate);
  const current = Math.min(page, Math.max(1, Math.ceil(wanted.length / PAGE)));
  const shown = wanted.slice((current - 1) * PAGE, current * PAGE);
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
              label: `${FATES[kind].label} (${entero(rowsOf(kind).length)})`,
            })),
          ]}
          value={fate}
          allowDeselect={false}
          onChange={(value) => {
            setChosen(value ?? ALL);
            setPage(1);
          }}
        />
      )}
      <ul className={classes.rows} aria-label="Filas del archivo">
        {shown.map((row) => {
          const { label, tone, icon } = FATES[fateOf(row)];
          const client = clientOf(filas, row);
          const note = client && left.has(client) ? 'Su cliente se queda fuera.' : row.nota;
          const where = `${row.hoja}, fila ${entero(row.fila)}`;
          return (
            <li key={`${row.hoja}-${row.fila}`} className={classes.row}>
              {changes(row) ? (
                <Checkbox
                  classNames={{ label: classes.where ?? '' }}
                  label={where}
                  checked={!left.has(row)}
                  onChange={(event) => onLeave([row], !event.currentTarget.checked)}
                />
              ) : (
                <span className={classes.where}>{where}</span>
              )}
              <span className={classes.what}>
                <strong>{row.nombre || row.clave || 'Sin nombre'}</strong>
                {row.clave && row.nombre ? ` · ${row.clave}` : ''}
                {note && <span className={classes.note}>{note}</span>}
              </span>
              <Chip tone={tone} icon={icon}>
                {label}
              </Chip>
            </li>
          );
        })}
      </ul>
      <Pager
        page={current}
        pageSize={PAGE}
        total={wanted.length}
        noun={['fila', 'filas']}
        onPage={setPage}
      />
    </div>
  );
}
