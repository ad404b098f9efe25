import { IconArrowUpRight } from '@tabler/icons-react';
import type { CSSProperties, ReactNode } from 'react';
import type { Resumen } from '../../../contract/invoices.ts';
import { cuenta, importe, nombreMes, trimestre } from '../../lib/format.ts';
import { SkeletonBar } from '../../ui/skeleton-rows.tsx';
import { type Comparison, compare } from './comparison.ts';
import classes from './home.module.css';

/** The month in which each quarter's IVA is declared. */
const DECLARED_IN = ['abril', 'julio', 'octubre', 'enero'] as const;

export interface FiguresProps {
  readonly resumen: Resumen | undefined;
  /** What the company charges: `IVA`, `IGIC` or `IPSI`. */
  readonly tax: string;
}

/** One card with three figures: the month, the quarter and the quarter's tax. */
export function Figures({ resumen, tax }: FiguresProps) {
  if (!resumen) return <FiguresSkeleton />;
  const month = resumen.meses.at(-1)?.mes ?? '';
  const monthNumber = Number(month.slice(5, 7));
  const quarter = Math.ceil(monthNumber / 3);
  const previousMonth = nombreMes(resumen.meses.at(-2)?.mes ?? '');
  const previousQuarter = quarter === 1 ? 4 : quarter - 1;

  return (
    <section className={`hu-card ${classes.figures}`} aria-label="Facturado">
      <Figure
        label={`Facturado en ${nombreMes(month)}`}
        euros={resumen.mes.base}
        detail={`${tax} ${importe(resumen.mes.iva)} · ${cuenta(resumen.mes.facturas, 'factura', 'facturas')}`}
      >
        <Compared
          comparison={compare(resumen.mes.base, resumen.mesAnterior.base, `en ${previousMonth}`)}
        />
      </Figure>
      <Figure
        label={<Long first="Facturado en el ">{`${trimestre(quarter)} trimestre`}</Long>}
        euros={resumen.trimestre.base}
        detail={
          <Long first={`${tax} ${importe(resumen.trimestre.iva)} · `}>
            {cuenta(resumen.trimestre.facturas, 'factura', 'facturas')}
          </Long>
        }
      >
        <Compared
          comparison={compare(
            resumen.trimestre.base,
            resumen.trimestreAnterior.base,
            `el\u00a0${trimestre(previousQuarter)}`,
          )}
        />
      </Figure>
      <Figure
        label={
          <>
            {tax}
            <Long first=" repercutido">{`, ${trimestre(quarter)} trimestre`}</Long>
          </>
        }
        euros={resumen.trimestre.iva}
        detail={`Base ${importe(resumen.trimestre.base)}`}
      >
        {tax === 'IVA' && (
          <span className="hu-muted">Modelo 303 de {DECLARED_IN[quarter - 1]}</span>
        )}
      </Figure>
    </section>
  );
}

interface FigureProps {
  readonly label: ReactNode;
  readonly euros: number;
  readonly detail: ReactNode;
  readonly children: ReactNode;
}

function Figure({ label, euros, detail, children }: FigureProps) {
  const text = importe(euros);
  return (
    <div className={classes.figure}>
      <p className={classes.figureLabel}>{label}</p>
      {/* As many letters as it has say how large they may be: twelve digits fit too. */}
      <p
        className={`${classes.figureValue} hu-figures`}
        style={{ '--letters': text.length + 2 } as CSSProperties}
      >
        {text}
        <span className={classes.figureUnit}>{'\u00a0€'}</span>
      </p>
      <p className={`${classes.figureDetail} hu-muted`}>{detail}</p>
      <p className={classes.figureFoot}>{children}</p>
    </div>
  );
}

/** Words that a phone has no room for; who listens hears them all the same. */
function Long({ first, children }: { readonly first: string; readonly children: ReactNode }) {
  return (
    <>
      <span className={classes.long}>{first}</span>
      {children}
    </>
  );
}

function Compared({ comparison }: { readonly comparison: Comparison | null }) {
  if (!comparison) return null;
  return (
    <span className={comparison.direction === 'up' ? classes.rise : 'hu-muted'}>
      {comparison.direction === 'up' && <IconArrowUpRight size={15} aria-hidden="true" />}
      {comparison.text}
    </span>
  );
}

function FiguresSkeleton() {
  return (
    <section className={`hu-card ${classes.figures}`} aria-label="Facturado" aria-busy="true">
      {[0, 1, 2].map((figure) => (
        <div key={figure} className={classes.figure}>
          <p className={classes.figureLabel}>
            <SkeletonBar width={132} />
          </p>
          <p className={classes.figureValue}>
            <SkeletonBar width={156} />
          </p>
          <p className={classes.figureDetail}>
            <SkeletonBar width={148} />
          </p>
          <p className={classes.figureFoot}>
            <SkeletonBar width={124} />
          </p>
        </div>
      ))}
    </section>
  );
}
