import { useMediaQuery } from '@mantine/hooks';
import { IconArrowUpRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { CSSProperties, ReactNode } from 'react';
import type { Resumen } from '../../../contract/invoices.ts';
import { numberToCents } from '../../../domain/money.ts';
import { cuenta, importe, nombreMes, trimestre } from '../../lib/format.ts';
import { trimestrePorTipoQuery } from '../../lib/queries.ts';
import { MODELO } from '../../ui/invoices/use-tax-name.ts';
import { SkeletonBar } from '../../ui/skeleton-rows.tsx';
import { type Comparison, compare } from './comparison.ts';
import classes from './home.module.css';
import { AND_OTHERS, inTwoLines, ratesOf } from './rates.ts';

/** The month in which the IVA, or the IGIC, of each quarter is declared. */
const DECLARED_IN = ['abril', 'julio', 'octubre', 'enero'] as const;

/** Widths at which a line below a figure has room for more letters, and for how many. */
const ROOMY = '(min-width: 80em), (min-width: 48em) and (max-width: 68.74em)';
const LETTERS = { roomy: 27, tight: 22 };

export interface FiguresProps {
  readonly resumen: Resumen | undefined;
  /** The company's tax: `IVA`, `IGIC` or `IPSI`. */
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
    <section
      className={`hu-card ${classes.figures}`}
      aria-label="Facturado"
      style={{ '--letters': lettersOf(resumen) } as CSSProperties}
    >
      <Figure
        label={`Facturado en ${nombreMes(month)}`}
        euros={resumen.mes.base}
        detail={<TaxAndCount tax={tax} of={resumen.mes} />}
      >
        <Compared
          comparison={compare(resumen.mes.base, resumen.mesAnterior.base, `en ${previousMonth}`)}
        />
      </Figure>
      <Figure
        label={<Long first="Facturado en el ">{`${trimestre(quarter)} trimestre`}</Long>}
        euros={resumen.trimestre.base}
        detail={<TaxAndCount tax={tax} of={resumen.trimestre} isTaxLong />}
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
        detail={<QuarterRates trimestre={resumen.trimestre} tax={tax} />}
        hasRoom
      >
        {MODELO[tax] !== undefined && (
          <span className="hu-muted">
            Modelo {MODELO[tax]} de {DECLARED_IN[quarter - 1]}
          </span>
        )}
      </Figure>
    </section>
  );
}

interface FigureProps {
  readonly label: ReactNode;
  readonly euros: number;
  readonly detail: ReactNode;
  /** The detail may take two lines, whatever it shows now. */
  readonly hasRoom?: boolean;
  readonly children: ReactNode;
}

/** The letters of the longest figure, with its unit. They determine the size of all three: twelve digits fit too. */
function lettersOf(resumen: Resumen): number {
  const figures = [resumen.mes.base, resumen.trimestre.base, resumen.trimestre.iva];
  return Math.max(...figures.map((euros) => importe(euros).length)) + ' €'.length;
}

function Figure({ label, euros, detail, hasRoom, children }: FigureProps) {
  return (
    <div className={classes.figure}>
      <p className={classes.figureLabel}>{label}</p>
      <p className={`${classes.figureValue} hu-figures`}>
        {importe(euros)}
        <span className={classes.figureUnit}>{'\u00a0€'}</span>
      </p>
      <p className={`${classes.figureDetail} hu-muted`} data-roomy={hasRoom}>
        {detail}
      </p>
      <p className={classes.figureFoot}>{children}</p>
    </div>
  );
}

interface TaxAndCountProps {
  readonly tax: string;
  readonly of: Resumen['trimestre'];
  /** A phone has no room for the tax. */
  readonly isTaxLong?: boolean;
}

function TaxAndCount({ tax, of, isTaxLong = false }: TaxAndCountProps) {
  return (
    <span className={classes.rates}>
      <span className={isTaxLong ? classes.long : undefined}>{`${tax} ${importe(of.iva)} `}</span>
      <span className={classes.rate}>{cuenta(of.facturas, 'factura', 'facturas')}</span>
    </span>
  );
}

interface QuarterRatesProps {
  readonly trimestre: Resumen['trimestre'];
  readonly tax: string;
}

/** The tax of the quarter by rates; its base where there are none, or where they do not add up to the figure. */
function QuarterRates({ trimestre, tax }: QuarterRatesProps) {
  const isRoomy = useMediaQuery(ROOMY, false, { getInitialValueInEffect: false });
  const { data, isLoading, isPlaceholderData } = useQuery(trimestrePorTipoQuery(trimestre));
  if (isLoading) return null;
  const { words, cents } = ratesOf(data?.filas ?? [], tax);
  const areTheirs = isPlaceholderData || cents === numberToCents(trimestre.iva);
  if (words.length === 0 || !areTheirs) return `Base ${importe(trimestre.base)}`;
  return (
    <span className={classes.rates}>
      {inTwoLines(words, isRoomy ? LETTERS.roomy : LETTERS.tight).map((word) => (
        <span key={word} className={word === AND_OTHERS ? undefined : classes.rate}>
          {word}
        </span>
      ))}
    </span>
  );
}

/** Words for which a phone has no room; screen readers get them all the same. */
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
          <p className={classes.figureDetail} data-roomy={figure === 2 || undefined}>
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
