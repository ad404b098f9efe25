import { huellaEnGrupos } from '../../lib/format.ts';
import { Sello } from '../../ui/sello.tsx';
import { EXAMPLE } from './example.ts';
import shared from './landing.module.css';
import classes from './one-cent.module.css';

export function OneCent() {
  const { invoice, changed } = EXAMPLE;
  return (
    <section className={`${shared.container} ${shared.section} ${classes.block}`}>
      <div className={classes.words}>
        <h2 className={shared.h2}>Un céntimo cambia la huella entera.</h2>
        <p className={shared.lead}>
          La huella es un resumen SHA-256 de los datos de la factura y de la huella anterior. Si
          alguien cambia una factura ya emitida, la suya deja de coincidir con la registrada.
        </p>
        <p className={shared.lead}>
          Dibujamos las 64 cifras de cada huella como un sello, para que la reconozcas de un
          vistazo.
        </p>
      </div>
      <div className={classes.cards}>
        <Card total={invoice.total} huella={invoice.huella} />
        <Card total={changed.total} huella={changed.huella} changed />
      </div>
    </section>
  );
}

interface CardProps {
  readonly total: string;
  readonly huella: string;
  readonly changed?: boolean;
}

function Card({ total, huella, changed = false }: CardProps) {
  // The figure that changed is the last one before the euro sign.
  const cut = total.length - 3;
  return (
    <figure className={`hu-card ${classes.card}`}>
      <figcaption>
        <span>Factura {EXAMPLE.invoice.number}</span>
        <strong className="hu-figures">
          {total.slice(0, cut)}
          <span className={changed ? classes.changed : undefined}>{total.slice(cut, cut + 1)}</span>
          {total.slice(cut + 1)}
        </strong>
      </figcaption>
      <span className={classes.sello}>
        <Sello huella={huella} size={248} tone={changed ? 'mismatch' : 'accent'} />
      </span>
      <p className={classes.digits}>
        {changed && <span className="hu-hidden">No coincide: </span>}
        {huellaEnGrupos(huella).map((group) => (
          <span key={group}>{group} </span>
        ))}
      </p>
    </figure>
  );
}
