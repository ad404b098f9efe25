import { EmptyState } from '../../ui/empty-state.tsx';
import { PageTitle } from '../../ui/page-title.tsx';

export function Component() {
  return (
    <>
      <PageTitle title="Crea tu cuenta" />
      <EmptyState title="Esta pantalla todavía no está lista" />
    </>
  );
}
