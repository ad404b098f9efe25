import { Button } from '@mantine/core';
import { IconCalendarDue, IconCertificate, IconClockExclamation } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from 'react-router';
import { daysLeft, daysUntil } from '../../features/profile/expiry.ts';
import { fecha } from '../../lib/format.ts';
import { PATHS } from '../../lib/paths.ts';
import { conexionQuery, datosSubscripcionQuery } from '../../lib/queries.ts';
import { Banner } from '../../ui/banner.tsx';
import { useCompanyToday } from '../../ui/use-today.ts';
import { AFTERWARDS } from './gate.ts';

/** A mere warning is only shown on these pages; a serious one on every screen. */
const CALM_PLACES: readonly string[] = [PATHS.home, PATHS.profile];

/** Before the end of a subscription: as many as the e-mail that says so (`operations/tell-subscription-ends.ts`). */
const ENDING_DAYS = 7;

/** The most urgent upcoming problem, or null. */
export function useWarning() {
  const { data } = useQuery(conexionQuery);
  const { pathname } = useLocation();
  const isCalm = CALM_PLACES.includes(pathname);
  const ending = useSubscriptionEnding();
  const seen = data?.avisos.filter(({ gravedad }) => gravedad === 'grave' || isCalm);
  const aviso = seen?.find(({ gravedad }) => gravedad === 'grave') ?? seen?.[0];
  if (!aviso) return isCalm ? ending : null;
  const isCertificate = aviso.tipo === 'certificado';
  const [what, ...then] = aviso.mensaje.split(/(?<=\.) /);
  return (
    <Banner
      tone={aviso.gravedad === 'grave' ? 'red' : 'amber'}
      icon={isCertificate ? IconCertificate : IconClockExclamation}
      title={what}
      action={
        isCertificate &&
        pathname !== PATHS.profile && (
          <Button component={Link} to={`${PATHS.profile}#certificado`} size="sm" variant="default">
            Renovar
          </Button>
        )
      }
    >
      {then.length > 0 ? then.join(' ') : undefined}
    </Banner>
  );
}

/** Nothing renews it by itself, and once it has ended most of the panel is closed. */
function useSubscriptionEnding() {
  const { data } = useQuery(datosSubscripcionQuery);
  const today = useCompanyToday();
  if (!data) return null;
  const days = daysUntil(data.expirationdate, today);
  if (days > ENDING_DAYS) return null;
  const isDemo = data.type === 'Demo';
  const what = isDemo ? 'Tu demo' : 'Tu suscripción';
  return (
    <Banner
      tone="amber"
      icon={IconCalendarDue}
      title={
        days <= 0
          ? `${what} acaba hoy.`
          : `${what} acaba el ${fecha(data.expirationdate)}: ${daysLeft(days)}.`
      }
      action={
        <Button component={Link} to={PATHS.renewal} size="sm" variant="default">
          {isDemo ? 'Elegir un plan' : 'Renovar la suscripción'}
        </Button>
      }
    >
      {AFTERWARDS}
    </Banner>
  );
}
