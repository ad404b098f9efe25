import { IconCheck } from '@tabler/icons-react';
import { Link } from 'react-router';
import {
  DEFAULT_PLAN,
  monthlyCents,
  PLANS,
  type Plan,
  savingsCents,
} from '../../../domain/plans.ts';
import { eurosOfCents } from '../../lib/format.ts';
import { PATHS } from '../../lib/paths.ts';
import { Chip } from '../../ui/chip.tsx';
import shared from './landing.module.css';
import classes from './prices.module.css';

const INCLUDED = [
  'Registro en la AEAT de cada factura',
  'Facturas, simplificadas y rectificativas',
  'PDF con QR y envío por correo',
  'Lectura de facturas en PDF o foto',
  'Clientes, productos e importación desde Excel',
  'Conexión con Business Central',
] as const;

export function Prices() {
  return (
    <section id="precios" className={`${shared.container} ${shared.section}`}>
      <h2 className={shared.h2}>Tres precios. Todo incluido en los tres.</h2>
      <p className={`${shared.lead} ${classes.lead}`}>
        Lo que ves es lo que se carga en tu tarjeta, impuestos incluidos.
      </p>
      <div className={classes.plans}>
        {PLANS.map((plan) => (
          <PlanCard key={plan.code} plan={plan} />
        ))}
      </div>
      <ul className={classes.included}>
        {INCLUDED.map((item) => (
          <li key={item}>
            <IconCheck size={18} stroke={1.8} aria-hidden="true" /> {item}
          </li>
        ))}
      </ul>
      <p className={`${shared.cardText} ${classes.demo}`}>
        ¿Prefieres verlo antes? Crea una cuenta con la suscripción Demo: no te pedimos tarjeta.
      </p>
    </section>
  );
}

function PlanCard({ plan }: { readonly plan: Plan }) {
  const isDefault = plan.code === DEFAULT_PLAN;
  const saving = savingsCents(plan);
  return (
    <article className={`hu-card ${classes.plan}`} data-default={isDefault || undefined}>
      <div className={classes.head}>
        <h3>{plan.name}</h3>
        {saving > 0n && <Chip tone="green">{`Ahorras ${eurosOfCents(saving)}`}</Chip>}
      </div>
      <p className={classes.price}>
        <strong className="hu-figures">{eurosOfCents(plan.priceCents)}</strong>{' '}
        <span>{plan.every}</span>
      </p>
      <p className={shared.cardText}>
        {plan.months > 1n
          ? `Sale a ${eurosOfCents(monthlyCents(plan))} al mes.`
          : 'Lo renuevas tú, mes a mes.'}
      </p>
      <Link
        to={`${PATHS.signUpAccess}?plan=${plan.code}`}
        className={shared.button}
        data-filled={isDefault || undefined}
      >
        Elegir {plan.name.toLowerCase()}
      </Link>
    </article>
  );
}
