import { Button } from '@mantine/core';
import { IconCircle, IconCircleCheck } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { FirstStep } from './first-steps-of.ts';
import classes from './home.module.css';

/** The checklist for new companies. It disappears when it is done. */
export function FirstSteps({ steps }: { readonly steps: readonly FirstStep[] }) {
  const done = steps.filter((step) => step.done).length;
  return (
    <section className={`hu-card ${classes.steps}`} aria-labelledby="pasos">
      <div className={classes.cardHead}>
        <h2 id="pasos">Primeros pasos</h2>
        <p className="hu-muted hu-figures">{`${done} de ${steps.length}`}</p>
      </div>
      <div className={classes.progress} aria-hidden="true">
        <span style={{ width: `${(done / steps.length) * 100}%` }} />
      </div>
      <ul className={classes.stepList}>
        {steps.map((step) => (
          <li key={step.name} data-done={step.done || undefined}>
            {step.done ? (
              <IconCircleCheck size={18} stroke={1.7} aria-hidden="true" />
            ) : (
              <IconCircle size={18} stroke={1.7} aria-hidden="true" />
            )}
            <span>
              {step.name}
              <span className="hu-hidden">{step.done ? ', hecho' : ', por hacer'}</span>
              {step.note && <span className={classes.stepNote}>{step.note}</span>}
              {!step.done && step.other && (
                <Link to={step.other.to} className={`hu-link ${classes.stepNote}`}>
                  {step.other.action}
                </Link>
              )}
            </span>
            {!step.done && (
              <Button component={Link} to={step.to} variant="default" size="sm">
                {step.action}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
