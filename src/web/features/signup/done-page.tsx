import { Button } from '@mantine/core';
import { Link, useLocation } from 'react-router';
import { PATHS } from '../../lib/paths.ts';
import access from '../../ui/access.module.css';
import { BRAND_HUELLA } from '../../ui/brand.ts';
import { usePageTitle } from '../../ui/page-title.tsx';
import { Sello } from '../../ui/sello.tsx';
import classes from './signup.module.css';

export function Component() {
  const heading = usePageTitle('Estamos configurando tu empresa');
  const { state } = useLocation();
  const email = (state as { email?: string } | null)?.email;
  return (
    <div className={classes.done}>
      <Sello huella={BRAND_HUELLA} size={140} />
      <h1 ref={heading} tabIndex={-1} className={access.title}>
        Estamos configurando tu empresa
      </h1>
      <p role="status">
        Enviaremos los datos de acceso a <strong>{email ?? 'tu correo'}</strong>. Suele tardar menos
        de un minuto.
      </p>
      <Button component={Link} to={PATHS.signIn} state={{ email }} size="lg">
        Iniciar sesión
      </Button>
    </div>
  );
}
