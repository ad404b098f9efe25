import { ActionIcon } from '@mantine/core';
import { IconChartBar, IconTable } from '@tabler/icons-react';
import { type CSSProperties, useState } from 'react';
import type { Resumen } from '../../../contract/invoices.ts';
import { euros, nombreMes } from '../../lib/format.ts';
import { Hint } from '../../ui/hint.tsx';
import { SkeletonBar } from '../../ui/skeleton-rows.tsx';
import classes from './chart.module.css';
import home from './home.module.css';
import { tickLabel, ticks } from './scale.ts';

type Month = Resumen['meses'][number];

export interface ChartProps {
  /** Twelve months, oldest first; undefined while loading. */
  readonly meses: readonly Month[] | undefined;
  /** Takes the whole row when there is nothing beside it. */
  readonly wide: boolean;
}

/** The invoiced amounts of the last twelve months, as bars or as a table. */
export function Chart({ meses, wide }: ChartProps) {
  const [asTable, setAsTable] = useState(false);
  const total = meses?.reduce((sum, { base }) => sum + base, 0) ?? 0;
  const toggle = asTable ? 'Ver como gráfico' : 'Ver como tabla';
  return (
    <section
      className={`hu-card ${home.chart}`}
      data-wide={wide || undefined}
      aria-labelledby="facturado"
    >
      <div className={home.cardHead}>
        <h2 id="facturado">Facturado, últimos 12 meses</h2>
        <div className={classes.aside}>
          <p className="hu-muted hu-figures">
            {meses ? <>Base imponible: {euros(total)}</> : <SkeletonBar width={120} />}
          </p>
          {meses && (
            <Hint label={toggle}>
              <ActionIcon size="sm" aria-label={toggle} onClick={() => setAsTable(!asTable)}>
                {asTable ? (
                  <IconChartBar size={16} stroke={1.7} />
                ) : (
                  <IconTable size={16} stroke={1.7} />
                )}
              </ActionIcon>
            </Hint>
          )}
        </div>
      </div>
      {asTable && meses ? <Table meses={meses} /> : <Bars meses={meses} />}
    </section>
  );
}

/** Only visual: the table says the same to screen readers. */
function Bars({ meses }: { readonly meses: readonly Month[] | undefined }) {
  const values = meses?.map(({ base }) => base) ?? [];
  const marks = ticks(values);
  const bottom = marks[0] ?? 0;
  const span = (marks.at(-1) ?? 0) - bottom || 1;
  const share = (value: number) => ((value - bottom) / span) * 100;
  const isEmpty = meses !== undefined && values.every((value) => value === 0);

  return (
    <div
      className={classes.chart}
      style={
        { '--letters': Math.max(...marks.map((mark) => tickLabel(mark).length)) } as CSSProperties
      }
      aria-hidden={!isEmpty}
      aria-busy={!meses}
    >
      {meses &&
        marks.map((mark) => (
          <div
            key={mark}
            className={classes.mark}
            style={{ '--at': isEmpty ? 0 : share(mark) } as CSSProperties}
          >
            <span>{tickLabel(mark)}</span>
          </div>
        ))}
      {isEmpty && <p className={classes.empty}>Aquí verás lo que facturas cada mes.</p>}
      <div className={classes.bars}>
        {(meses ?? EMPTY_YEAR).map(({ mes, base }, i, all) => (
          <Hint
            key={mes}
            label={`${nombreMes(mes)} de ${mes.slice(0, 4)} · ${euros(base)}`}
            disabled={!meses}
          >
            <div className={classes.month} data-now={i === all.length - 1 || undefined}>
              <div className={classes.track}>
                <div
                  className={classes.bar}
                  data-waiting={!meses || undefined}
                  style={
                    {
                      '--from': share(Math.min(0, base)),
                      '--to': share(Math.max(0, base)),
                    } as CSSProperties
                  }
                />
              </div>
              <span
                className={classes.name}
                data-initial={meses && nombreMes(mes).charAt(0).toUpperCase()}
              >
                {meses && nombreMes(mes).slice(0, 3)}
              </span>
            </div>
          </Hint>
        ))}
      </div>
    </div>
  );
}

const EMPTY_YEAR: readonly Month[] = Array.from({ length: 12 }, (_, i) => ({
  mes: `0000-${String(i + 1).padStart(2, '0')}`,
  base: 0,
}));

function Table({ meses }: { readonly meses: readonly Month[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
    <section className={classes.scroll} tabIndex={0} aria-label="Facturado, mes a mes">
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">Mes</th>
            <th scope="col">Base imponible</th>
          </tr>
        </thead>
        <tbody>
          {meses.toReversed().map(({ mes, base }) => (
            <tr key={mes}>
              <th scope="row">{`${nombreMes(mes)} de ${mes.slice(0, 4)}`}</th>
              <td className="hu-figures">{euros(base)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
