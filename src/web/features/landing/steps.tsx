import { Mark } from '../../ui/logo.tsx';
import shared from './landing.module.css';
import classes from './steps.module.css';

const STEPS = [
  [
    '1. Crea tu cuenta',
    'Tus datos de acceso y los de tu empresa. Pagas con tarjeta o eliges la demo.',
  ],
  [
    '2. Sube tu certificado digital',
    'El de tu empresa o el de su representante. Lo guardamos cifrado.',
  ],
  [
    '3. Registra tu primera factura',
    'La escribes, la revisas y la registras. Desde el ordenador, el móvil o la tableta.',
  ],
] as const;

/** The mark gains an arc with each step. */
export function Steps() {
  return (
    <section className={`${shared.container} ${shared.section}`}>
      <h2 className={shared.h2}>Empiezas en tres pasos.</h2>
      <ol className={classes.steps}>
        {STEPS.map(([title, text], i) => (
          <li key={title}>
            <span className={classes.mark}>
              <Mark size={56} arcs={(i + 1) as 1 | 2 | 3} />
            </span>
            <div>
              <h3 className={shared.cardTitle}>{title}</h3>
              <p className={shared.text}>{text}</p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
