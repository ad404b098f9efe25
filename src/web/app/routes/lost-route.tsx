import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { PATHS } from '../../lib/paths.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageTitle } from '../../ui/page-title.tsx';

/** An address of the panel without a screen. Inside the frame, so that its menu leads on. */
export function Component() {
  return (
    <>
      <PageTitle title="Página no encontrada" />
      <section className="hu-card">
        <EmptyState
          mark={false}
          title="Esta dirección no lleva a ninguna pantalla de Huella"
          action={
            <Button variant="default" component={Link} to={PATHS.home}>
              Ir a Inicio
            </Button>
          }
        >
          Mira si está completa, o busca en el menú lo que querías abrir.
        </EmptyState>
      </section>
    </>
  );
}
