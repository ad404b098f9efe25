import { Button } from '@mantine/core';
import { type ReactNode, useContext, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import type { Cobros } from '../../../../contract/cobros.ts';
import type { Diferencia, GuideAdvice } from '../../../../domain/correction-guide.ts';
import type { Rechazo } from '../../../../domain/invoice.ts';
import { decimalToText } from '../../../../domain/money.ts';
import { eurosOfCents } from '../../../lib/format.ts';
import { editPath, invoicePath, PATHS } from '../../../lib/paths.ts';
import { PanelClosed } from '../../../ui/page-title.tsx';
import { CancelDialog } from './cancel-dialog.tsx';
import classes from './guide.module.css';
import { GiveUpButton, WithoutEffectButton } from './leave-buttons.tsx';

const TITLES: Record<GuideAdvice['kind'], string> = {
  nada: 'No tienes que hacer nada',
  esperar: 'Todavía no se corrige nada',
  reclamar: 'Reclámala: no se corrige',
  editar: 'Edita el borrador',
  subsanar: 'Corrígela y vuelve a registrarla',
  dejar: 'Déjala como la tiene la AEAT',
  'sin-efecto': 'Déjala sin efecto',
  anular: 'Anúlala',
  antes: 'Anula antes la otra',
  canjear: 'Canjéala por una factura completa',
  rectificar: 'Haz una rectificativa',
};

interface AdviceProps {
  readonly advice: GuideAdvice;
  readonly docNo: string;
  readonly rechazo: Rechazo | undefined;
  readonly cobros: Cobros | undefined;
}

/** What to do, why, and a button to begin it, if there is one. */
export function Advice(props: AdviceProps) {
  const { advice } = props;
  const isClosed = useContext(PanelClosed);
  return (
    <section className={classes.advice} aria-labelledby="consejo">
      <h2 id="consejo" className={classes.adviceTitle}>
        {TITLES[advice.kind]}
      </h2>
      <p>{advice.porque}</p>
      {advice.kind === 'rectificar' && (
        <p className={classes.kindOf}>
          Será una <strong>{advice.tipo}</strong>,{' '}
          {advice.metodo === 'I' ? 'por diferencias' : 'por sustitución'}.
        </p>
      )}
      {advice.kind === 'rectificar' && advice.diferencia && (
        <Difference diferencia={advice.diferencia} />
      )}
      {(!isClosed || NEEDS_NOTHING.includes(advice.kind)) && <Action {...props} />}
    </section>
  );
}

/** Advice that registers nothing, and so needs neither certificate nor subscription. */
const NEEDS_NOTHING: readonly GuideAdvice['kind'][] = [
  'nada',
  'esperar',
  'reclamar',
  'dejar',
  'sin-efecto',
  'antes',
];

function Difference({ diferencia }: { readonly diferencia: Diferencia }) {
  return (
    <dl className={classes.difference}>
      <div>
        <dt>Antes</dt>
        <dd>{eurosOfCents(diferencia.antesCents)}</dd>
      </div>
      <div>
        <dt>Después</dt>
        <dd>{eurosOfCents(diferencia.despuesCents)}</dd>
      </div>
      <div>
        <dt>Diferencia</dt>
        <dd>{eurosOfCents(diferencia.diferenciaCents)}</dd>
      </div>
    </dl>
  );
}

function Action({ advice, docNo, rechazo, cobros }: AdviceProps) {
  const navigate = useNavigate();
  const no = encodeURIComponent(docNo);
  switch (advice.kind) {
    case 'nada':
    case 'esperar':
    case 'reclamar':
      return <Go to={invoicePath(docNo)}>Volver a la factura</Go>;
    case 'editar':
      return <Go to={editPath(docNo)}>Editar</Go>;
    case 'subsanar':
      return <Go to={editPath(docNo)}>Corregir</Go>;
    case 'dejar':
      return (
        <GiveUpButton
          docNo={docNo}
          rechazo={rechazo}
          isMain
          onDone={() => navigate(invoicePath(docNo))}
        />
      );
    case 'sin-efecto':
      return (
        <WithoutEffectButton
          docNo={docNo}
          rechazo={rechazo}
          onDone={() => navigate(invoicePath(docNo))}
        />
      );
    case 'canjear':
      return <Go to={`${PATHS.create}?canjear=${no}`}>Canjear por factura completa</Go>;
    case 'rectificar':
      return (
        <Go
          to={`${PATHS.create}?rectificar=${no}&tipo=${advice.tipo}&metodo=${advice.metodo}${totalAsked(advice)}`}
        >
          Hacer la rectificativa
        </Go>
      );
    case 'antes':
      return <Go to={invoicePath(advice.docNo)}>Ver la {advice.docNo}</Go>;
    case 'anular':
      return <Cancel docNo={docNo} cobros={cobros} />;
  }
}

/** The amount of the rectificativa, if the guide asked for it: the difference, or the full new amount. */
function totalAsked({ metodo, diferencia }: Extract<GuideAdvice, { kind: 'rectificar' }>): string {
  if (!diferencia) return '';
  const cents = metodo === 'I' ? diferencia.diferenciaCents : diferencia.despuesCents;
  return `&total=${decimalToText(cents, 2, 2)}`;
}

function Go({ to, children }: { readonly to: string; readonly children: ReactNode }) {
  return (
    <Button component={Link} to={to}>
      {children}
    </Button>
  );
}

function Cancel({ docNo, cobros }: Pick<AdviceProps, 'docNo' | 'cobros'>) {
  const [isAsking, setIsAsking] = useState(false);
  const navigate = useNavigate();
  return (
    <>
      <Button color="red" onClick={() => setIsAsking(true)}>
        Anular
      </Button>
      {isAsking && (
        <CancelDialog
          docNo={docNo}
          cobros={cobros}
          onClose={() => setIsAsking(false)}
          onDone={() => navigate(invoicePath(docNo))}
        />
      )}
    </>
  );
}
