import { IconArrowLeft } from '@tabler/icons-react';
import { Link } from 'react-router';
import access from '../../ui/access.module.css';
import { usePageTitle } from '../../ui/page-title.tsx';
import classes from './signup.module.css';

export interface StepHeadProps {
  readonly title: string;
  readonly subtitle?: string;
  /** Omitted when renewing: there are no steps then. */
  readonly step?: { readonly number: 1 | 2 | 3; readonly name: string };
  /** Omitted when renewing too: the header leads to the panel. */
  readonly backTo?: string;
}

/** «Volver», «Paso 2 de 3 - Datos de empresa», the bars, and the title, which gets the focus. */
export function StepHead({ title, subtitle, step, backTo }: StepHeadProps) {
  const heading = usePageTitle(title);
  return (
    <div>
      {backTo && (
        <Link to={backTo} className={classes.back}>
          <IconArrowLeft size={16} aria-hidden="true" /> Volver
        </Link>
      )}
      {step && (
        <>
          <p className={classes.step}>{`Paso ${step.number} de 3 - ${step.name}`}</p>
          <div className={classes.bars} aria-hidden="true">
            {[1, 2, 3].map((bar) => (
              <span key={bar} data-done={bar <= step.number || undefined} />
            ))}
          </div>
        </>
      )}
      <h1 ref={heading} tabIndex={-1} className={access.title}>
        {title}
      </h1>
      {subtitle && <p className={access.subtitle}>{subtitle}</p>}
    </div>
  );
}
