import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { PATHS } from '../../lib/paths.ts';
import { readToken } from '../../lib/session.ts';
import { BRAND_HUELLA } from '../../ui/brand.ts';
import { useDocumentTitle, usePageTitle } from '../../ui/page-title.tsx';
import { Sello } from '../../ui/sello.tsx';
import { SELLO_RINGS } from '../../ui/sello-path.ts';
import classes from '../full-screen.module.css';
import { startUpProgressQuery } from './start-up.ts';

export function StartUpLoading() {
  useDocumentTitle('Cargando');
  const { data: progress } = useQuery(startUpProgressQuery);
  return (
    <main className={classes.screen} aria-busy="true">
      <Sello huella={BRAND_HUELLA} size={112} rings={Math.floor(progress * SELLO_RINGS)} />
      <div role="status">
        <h1 className={classes.title}>Cargando tu información...</h1>
        <p className={classes.text}>Por favor espera mientras cargamos todos los datos.</p>
      </div>
    </main>
  );
}

export function StartUpFailed() {
  const heading = usePageTitle('Error al cargar la información');
  const retry = () => {
    if (readToken() !== null) window.location.reload();
    else window.location.assign(PATHS.landing);
  };
  return (
    <main className={classes.screen}>
      <Sello size={112} tone="denied" />
      <div role="alert">
        <h1 ref={heading} tabIndex={-1} className={classes.title}>
          Error al cargar la información
        </h1>
        <p className={classes.text}>
          Hubo un problema al intentar cargar tus datos. Por favor, inténtalo de nuevo.
        </p>
      </div>
      <p className={classes.actions}>
        <Button size="lg" onClick={retry}>
          Intentar nuevamente
        </Button>
      </p>
    </main>
  );
}
