import { IconArrowUpRight } from '@tabler/icons-react';
import { Link } from 'react-router';
import { PATHS } from '../../lib/paths.ts';
import { useProvider } from '../../lib/provider.ts';
import { BRAND_HUELLA } from '../../ui/brand.ts';
import { Logo } from '../../ui/logo.tsx';
import { Sello } from '../../ui/sello.tsx';
import classes from './closing.module.css';
import shared from './landing.module.css';

/** The AEAT's own page where anyone can check an invoice of a VERI*FACTU system. */
const CHECK_AN_INVOICE =
  'https://sede.agenciatributaria.gob.es/Sede/iva/sistemas-informaticos-facturacion-verifactu.html';

/** The closing call and the map of the product. */
export function Closing() {
  return (
    <>
      <section className={classes.call}>
        <div className={`${shared.container} ${classes.inner}`}>
          <h2 className={shared.h2}>Tu próxima factura puede ser la primera de la cadena.</h2>
          <p>Empieza con la demo, sin tarjeta, o con el plan que prefieras.</p>
          <p className={classes.buttons}>
            <Link to={PATHS.signUp} className={classes.white}>
              Registrarse
            </Link>
            <Link to={PATHS.signIn} className={classes.outline}>
              Iniciar sesión
            </Link>
          </p>
        </div>
        <Sello
          huella={BRAND_HUELLA}
          size={642}
          tone="on-deep-quiet"
          className={classes.sello ?? ''}
        />
      </section>
      <ProductMap />
    </>
  );
}

function ProductMap() {
  const { enlaces } = useProvider();
  return (
    <section className={`${shared.container} ${classes.map}`} aria-label="Mapa del sitio">
      <div>
        <Logo />
        <p className="hu-muted">Facturación verificable para tu empresa.</p>
      </div>
      <nav aria-label="Producto">
        <p>Producto</p>
        <a href="#que-hace">Qué hace</a>
        <a href="#precios">Precios</a>
        <a href="#dudas">Dudas</a>
        <Away href={enlaces.comoFunciona}>Cómo funciona</Away>
      </nav>
      <nav aria-label="Cuenta">
        <p>Cuenta</p>
        <Link to={PATHS.signUp}>Registrarse</Link>
        <Link to={PATHS.signIn}>Iniciar sesión</Link>
        <Link to={PATHS.recovery}>Recuperar contraseña</Link>
      </nav>
      <nav aria-label="Cumplimiento">
        <p>Cumplimiento</p>
        <Link to={PATHS.publicDeclaration}>Declaración responsable</Link>
        <a href={PATHS.verify}>Verificar registros</a>
        <Away href={CHECK_AN_INVOICE}>Comprobar una factura</Away>
      </nav>
    </section>
  );
}

/** Its arrow stays beside the last word: after a no-break space a line may still break before an image. */
function Away({ href, children }: { readonly href: string; readonly children: string }) {
  const last = children.lastIndexOf(' ') + 1;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children.slice(0, last)}
      <span className={classes.last}>
        {children.slice(last)}
        {'\u00a0'}
        <IconArrowUpRight size={14} aria-hidden="true" />
      </span>
      <span className="hu-hidden">, se abre en otra pestaña</span>
    </a>
  );
}
