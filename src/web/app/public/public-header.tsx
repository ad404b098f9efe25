import { IconArrowUpRight, IconMenu2 } from '@tabler/icons-react';
import { Link, NavLink, useLocation } from 'react-router';
import { PATHS } from '../../lib/paths.ts';
import { useProvider } from '../../lib/provider.ts';
import { readToken } from '../../lib/session.ts';
import { Logo } from '../../ui/logo.tsx';
import classes from './public-header.module.css';

export interface PublicHeaderProps {
  /** The landing page also shows its own sections, and keeps «Registrarse» visible on a phone. */
  readonly place?: 'landing' | 'access' | 'sign-up';
}

/** Logo, «Cómo funciona», «Iniciar sesión», «Registrarse». Its menu unfolds without a script. */
export function PublicHeader({ place = 'access' }: PublicHeaderProps) {
  const { enlaces } = useProvider();
  const { key } = useLocation();
  const howItWorks = (
    <a href={enlaces.comoFunciona} target="_blank" rel="noopener noreferrer">
      Cómo funciona <IconArrowUpRight size={14} aria-hidden="true" />
      <span className="hu-hidden">, se abre en otra pestaña</span>
    </a>
  );
  const sections = place === 'landing' && (
    <>
      <a href="#precios">Precios</a>
      <a href="#dudas">Dudas</a>
    </>
  );
  const signIn = <NavLink to={PATHS.signIn}>Iniciar sesión</NavLink>;
  // The landing page is prerendered for everybody: it does not know who is looking.
  const isInside = place !== 'landing' && readToken() !== null;

  return (
    <header className={classes.header} data-place={place}>
      <Link to={PATHS.landing} className={classes.logo} aria-label="Huella, ir a la portada">
        <Logo size={place === 'landing' ? 30 : 26} />
      </Link>
      <nav className={classes.wide} aria-label="Principal">
        <span className={classes.sections}>
          {howItWorks}
          {sections}
        </span>
        {isInside ? (
          <Link to={PATHS.panel}>Ir al panel</Link>
        ) : (
          <>
            {signIn}
            <NavLink to={PATHS.signUp} className={classes.signUp ?? ''}>
              Registrarse
            </NavLink>
          </>
        )}
      </nav>
      <div className={classes.narrow}>
        {place === 'landing' && (
          <Link to={PATHS.signUp} className={classes.signUp} data-filled>
            Registrarse
          </Link>
        )}
        <details className={classes.menu} key={key}>
          <summary aria-label="Menú">
            <IconMenu2 size={22} stroke={1.8} aria-hidden="true" />
          </summary>
          <nav aria-label="Menú">
            {howItWorks}
            {sections}
            {isInside ? (
              <Link to={PATHS.panel}>Ir al panel</Link>
            ) : (
              <>
                {signIn}
                <NavLink to={PATHS.signUp}>Registrarse</NavLink>
              </>
            )}
          </nav>
        </details>
      </div>
    </header>
  );
}
