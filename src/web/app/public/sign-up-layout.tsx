import { Link, Outlet } from 'react-router';
import { PATHS } from '../../lib/paths.ts';
import { BRAND_HUELLA, HUELLA_00039, HUELLA_00040 } from '../../ui/brand.ts';
import { Logo } from '../../ui/logo.tsx';
import { Sello } from '../../ui/sello.tsx';
import { LegalBar } from '../legal-bar.tsx';
import classes from './public.module.css';
import { PublicHeader } from './public-header.tsx';

const POINTS = [
  {
    huella: HUELLA_00039,
    title: 'Cada factura, registrada',
    text: 'Se envía a la AEAT al emitirla, en orden y con su huella.',
  },
  {
    huella: HUELLA_00040,
    title: 'Sin intermediarios',
    text: 'Tu empresa, tu certificado y tu registro.',
  },
  {
    huella: BRAND_HUELLA,
    title: 'Desde cualquier pantalla',
    text: 'Ordenador, móvil o tableta. No instalas nada.',
  },
] as const;

/** Two panels: three selling points at the left, the step at the right. */
export function Component() {
  return (
    <div className={classes.split}>
      <aside className={classes.deep} aria-label="Qué es Huella">
        <Link to={PATHS.landing} className={classes.deepLogo} aria-label="Huella, ir a la portada">
          <Logo />
        </Link>
        <p className={classes.claim}>Facturación verificable para tu empresa</p>
        <ol className={classes.points}>
          {POINTS.map(({ huella, title, text }) => (
            <li key={title}>
              <Sello huella={huella} size={60} tone="on-deep" />
              <div>
                <p className={classes.pointTitle}>{title}</p>
                <p className={classes.pointText}>{text}</p>
              </div>
            </li>
          ))}
        </ol>
        <Sello
          huella={BRAND_HUELLA}
          size={600}
          tone="on-deep-quiet"
          className={classes.watermark ?? ''}
        />
      </aside>
      <div className={classes.right}>
        <PublicHeader place="sign-up" />
        <main className={classes.step}>
          <Outlet />
        </main>
      </div>
      <LegalBar place="public" />
    </div>
  );
}
