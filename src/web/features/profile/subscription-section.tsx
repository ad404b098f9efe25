import { Button } from '@mantine/core';
import { IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { DatosSubscripcion } from '../../../contract/company.ts';
import { findPlan } from '../../../domain/plans.ts';
import { fecha } from '../../lib/format.ts';
import { PATHS } from '../../lib/paths.ts';
import { datosSubscripcionQuery, subscriptionExpiredQuery } from '../../lib/queries.ts';
import { Chip } from '../../ui/chip.tsx';
import { FailedState } from '../../ui/failed-state.tsx';
import { useCompanyToday } from '../../ui/use-today.ts';
import { daysLeft, daysUntil } from './expiry.ts';
import classes from './profile.module.css';
import { Section } from './section.tsx';

/** The plan, its end, and a link to renew it. */
export function SubscriptionSection() {
  const { data: subscription, error, refetch } = useQuery(datosSubscripcionQuery);
  const { data: isExpired = false } = useQuery(subscriptionExpiredQuery);
  const today = useCompanyToday();
  return (
    <Section
      id="suscripcion"
      title="Datos de suscripción"
      badge={
        subscription &&
        (isExpired ? (
          <Chip tone="red" icon={IconCircleX}>
            Suscripción expirada
          </Chip>
        ) : (
          <Chip tone="green" icon={IconCircleCheck}>
            Suscripción activa
          </Chip>
        ))
      }
    >
      {subscription && (
        <div className={`hu-card ${classes.plan}`}>
          <div>
            <p className={classes.planName}>{planName(subscription.type)}</p>
            <p className={classes.small}>{until(subscription, isExpired, today)}</p>
          </div>
          <Button component={Link} to={PATHS.renewal} variant="default">
            {subscription.type === 'Demo' ? 'Elegir un plan' : 'Renovar la suscripción'}
          </Button>
        </div>
      )}
      {!subscription && error && (
        <FailedState
          title="No hemos podido consultar tu suscripción"
          error={error}
          onRetry={refetch}
        />
      )}
    </Section>
  );
}

function planName(type: DatosSubscripcion['type']): string {
  return type === 'Demo' ? 'Demo' : `Plan ${(findPlan(type)?.name ?? type).toLowerCase()}`;
}

function until(
  { type, expirationdate }: DatosSubscripcion,
  isExpired: boolean,
  today: string,
): string {
  const day = fecha(expirationdate);
  if (isExpired) {
    const how = type === 'Demo' ? 'elige un plan' : 'renuévala';
    return `Terminó el ${day}. Tus facturas siguen aquí; para emitir más, ${how}.`;
  }
  const left = daysLeft(daysUntil(expirationdate, today));
  return `Hasta el ${day}, ${left}.${type === 'Demo' ? ' Sin validez fiscal.' : ''}`;
}
