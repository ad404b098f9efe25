import { Link } from 'react-router';
import { PATHS } from '../../lib/paths.ts';
import { Logo } from '../../ui/logo.tsx';
import type { Gate } from './gate.ts';
import { Navigation } from './navigation.tsx';
import classes from './rail.module.css';

/** The menu on the left: with words from 1200 px on, below that icons with tooltips. */
export function Rail({ gate }: { readonly gate: Gate | null }) {
  return (
    <div className={classes.rail}>
      <Navigation
        gate={gate}
        head={
          <Link to={PATHS.panel} className={classes.logo} aria-label="Huella, ir a Inicio">
            <Logo />
          </Link>
        }
      />
    </div>
  );
}
