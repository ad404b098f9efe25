import { Link } from 'react-router';
import { PATHS } from '../lib/paths.ts';
import { usePageTitle } from '../ui/page-title.tsx';
import classes from './full-screen.module.css';

/** In the public frame, so that a lost visitor finds the header and the legal data. */
export function Component() {
  const heading = usePageTitle('Página no encontrada');
  return (
    <div className={`${classes.screen} ${classes.underHeader}`}>
      <h1 ref={heading} tabIndex={-1} className={classes.title}>
        Página no encontrada
      </h1>
      <p className={classes.text}>Esta dirección no lleva a ninguna pantalla de Huella.</p>
      <p className={classes.actions}>
        <Link className={classes.button} to={PATHS.landing}>
          Ir al inicio
        </Link>
      </p>
    </div>
  );
}
