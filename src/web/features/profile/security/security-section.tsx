import { Section } from '../section.tsx';
import { EventLog } from './event-log.tsx';
import { OpenSessions } from './open-sessions.tsx';
import { SecondFactor } from './second-factor.tsx';
import classes from './security.module.css';

/** Who can sign in, where the account is open, and what happened to it. */
export function SecuritySection() {
  return (
    <Section
      id="seguridad"
      title="Seguridad"
      help="Quién puede entrar en tu cuenta, desde dónde está abierta y qué ha pasado con ella."
    >
      <div className={classes.parts}>
        <SecondFactor />
        <OpenSessions />
        <EventLog />
      </div>
    </Section>
  );
}
