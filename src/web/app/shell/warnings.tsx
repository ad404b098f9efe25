import { Button } from '@mantine/core';
import { IconCertificate, IconClockExclamation } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from 'react-router';
import { PATHS } from '../../lib/paths.ts';
import { conexionQuery } from '../../lib/queries.ts';
import { Banner } from '../../ui/banner.tsx';

/** A mere warning is only shown on these pages; a serious one on every screen. */
const CALM_PLACES: readonly string[] = [PATHS.home, PATHS.profile];

/** The most urgent upcoming problem, or null. */
export function useWarning() {
  const { data } = useQuery(conexionQuery);
  const { pathname } = useLocation();
  const seen = data?.avisos.filter(
    ({ gravedad }) => gravedad === 'grave' || CALM_PLACES.includes(pathname),
  );
  const aviso = seen?.find(({ gravedad }) => gravedad === 'grave') ?? seen?.[0];
  if (!aviso) return null;
  const isCertificate = aviso.tipo === 'certificado';
  return (
    <Banner
      tone={aviso.gravedad === 'grave' ? 'red' : 'amber'}
      icon={isCertificate ? IconCertificate : IconClockExclamation}
      title={aviso.mensaje}
      action={
        isCertificate &&
        pathname !== PATHS.profile && (
          <Button component={Link} to={`${PATHS.profile}#certificado`} size="sm" variant="default">
            Renovar
          </Button>
        )
      }
    />
  );
}
