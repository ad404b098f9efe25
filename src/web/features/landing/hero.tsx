import { Link } from 'react-router';
import { monthlyCents, PLANS } from '../../../domain/plans.ts';
import { eurosOfCents } from '../../lib/format.ts';
import { PATHS } from '../../lib/paths.ts';
import { CadenaPicture } from './cadena-picture.tsx';
import classes from './hero.module.css';
import shared from './landing.module.css';

const [, , annual] = PLANS;

export function Hero() {
  return (
    <section className={classes.hero}>
      <div className={`${shared.container} ${classes.words}`}>
        <div>
          <p className={classes.kicker}>Facturación verificable para tu empresa</p>
          <h1 className={shared.h1}>Cada factura deja su huella.</h1>
        </div>
        <div className={classes.column}>
          <p className={shared.lead}>
            Creas la factura; Huella la encadena con la anterior y la registra en la AEAT, como pide
            VERI*FACTU. Tu cliente la recibe con su código QR.
          </p>
          <p className={classes.buttons}>
            <Link to={PATHS.signUp} className={shared.button} data-filled>
              Registrarse
            </Link>
            <a href="#precios" className={shared.button}>
              Ver precios
            </a>
          </p>
          <p className={classes.under}>
            Desde <span className="hu-figures">{eurosOfCents(monthlyCents(annual))}</span> al mes
            con el plan anual. La demo no pide tarjeta.
          </p>
        </div>
      </div>
      <CadenaPicture />
    </section>
  );
}
