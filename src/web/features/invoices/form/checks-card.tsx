import { Button } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleX,
} from '@tabler/icons-react';
import { useId } from 'react';
import { Chip } from '../../../ui/chip.tsx';
import classes from './checks-card.module.css';
import type { PlacedFinding, Verdict } from './findings.ts';
import { type FixContext, fixOf } from './fixes.ts';

export interface ChecksCardProps {
  readonly findings: readonly PlacedFinding[];
  readonly verdict: Verdict;
  readonly fix: FixContext;
  readonly onGoTo: (finding: PlacedFinding) => void;
  readonly onRetry: () => void;
}

/** Every finding in full, with its fix, and how many there are. */
export function ChecksCard({ findings, verdict, fix, onGoTo, onRetry }: ChecksCardProps) {
  const title = useId();
  return (
    <section className={`hu-card ${classes.card}`} aria-labelledby={title}>
      <div className={classes.head}>
        <h2 id={title} className={classes.title}>
          Comprobaciones de la AEAT
        </h2>
        <Count verdict={verdict} />
      </div>
      {findings.length > 0 && (
        <ul className={classes.list}>
          {findings.map((finding) => (
            <Finding
              key={`${finding.place} ${finding.mensaje}`}
              finding={finding}
              fix={fix}
              onGoTo={onGoTo}
            />
          ))}
        </ul>
      )}
      <Rest verdict={verdict} onRetry={onRetry} />
    </section>
  );
}

function Count({ verdict: { kind, errors, warnings } }: { verdict: Verdict }) {
  if (kind !== 'blocked' && kind !== 'warned') return null;
  const words = [
    errors > 0 ? `${errors} ${errors === 1 ? 'error' : 'errores'}` : '',
    warnings > 0 ? `${warnings} ${warnings === 1 ? 'aviso' : 'avisos'}` : '',
  ];
  return kind === 'blocked' ? (
    <Chip tone="red" icon={IconCircleX}>
      {words.filter(Boolean).join(' · ')}
    </Chip>
  ) : (
    <Chip tone="amber" icon={IconAlertTriangle}>
      {words.filter(Boolean).join(' · ')}
    </Chip>
  );
}

function Finding({
  finding,
  fix,
  onGoTo,
}: {
  readonly finding: PlacedFinding;
  readonly fix: FixContext;
  readonly onGoTo: (finding: PlacedFinding) => void;
}) {
  const isBlocking = finding.gravedad === 'bloquea';
  const Icon = finding.isMissing ? IconCircleDashed : isBlocking ? IconCircleX : IconAlertTriangle;
  const tone = finding.isMissing ? 'grey' : isBlocking ? 'red' : 'amber';
  const way = fixOf(finding, fix);
  return (
    <li className={classes.finding} data-tone={tone}>
      <Icon size={18} stroke={1.8} aria-hidden="true" />
      <div>
        <p>
          {finding.mensaje}
          {finding.codigo && <span className={classes.code}> · Código {finding.codigo}</span>}
        </p>
        {way ? (
          <Button variant="default" size="sm" onClick={way.run}>
            {way.label}
          </Button>
        ) : (
          finding.place && (
            <Button variant="default" size="sm" onClick={() => onGoTo(finding)}>
              Ir al campo
            </Button>
          )
        )}
      </div>
    </li>
  );
}

const REST = {
  'nothing-yet': 'Las verás aquí mientras escribes.',
  checking: 'Comprobando…',
  ready: 'Todo correcto.',
  warned: 'Lo demás está bien.',
  unfinished: 'Lo demás está bien.',
  blocked: 'Lo demás está bien.',
} as const;

function Rest({ verdict: { kind }, onRetry }: { verdict: Verdict; onRetry: () => void }) {
  if (kind === 'unknown') {
    return (
      <p className={classes.rest}>
        <IconCircleDashed size={18} stroke={1.8} aria-hidden="true" />
        <span>
          No hemos podido comprobarla.{' '}
          <button type="button" className="hu-link" onClick={onRetry}>
            Comprobar otra vez
          </button>
        </span>
      </p>
    );
  }
  const isWell = kind !== 'nothing-yet' && kind !== 'checking';
  const Icon = isWell ? IconCircleCheck : IconCircleDashed;
  return (
    <p className={classes.rest} data-well={isWell || undefined}>
      <Icon size={18} stroke={1.8} aria-hidden="true" />
      {REST[kind]}
    </p>
  );
}
