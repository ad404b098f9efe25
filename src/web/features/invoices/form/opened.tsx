import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { PATHS } from '../../../lib/paths.ts';
import { FailedCard } from '../../../ui/failed-state.tsx';
import { PageTitle } from '../../../ui/page-title.tsx';
import { FormSkeleton } from './form-skeleton.tsx';
import type { Opening } from './open-form.ts';
import type { OpeningState } from './use-opening.ts';

export interface OpenedProps {
  readonly title: string;
  readonly state: OpeningState;
  readonly children: (opening: Opening) => ReactNode;
}

/** A form, once what it starts from has been loaded: until then, a skeleton or the failure. */
export function Opened({ title, state, children }: OpenedProps) {
  switch (state.kind) {
    case 'loading':
      return <FormSkeleton title={title} />;
    case 'failed':
      return (
        <>
          <PageTitle title={title} />
          <FailedCard
            title="No hemos podido abrir la factura"
            error={state.error}
            onRetry={state.retry}
            otherwise={
              <Button variant="default" component={Link} to={PATHS.pending}>
                Ver las pendientes
              </Button>
            }
          />
        </>
      );
    case 'open':
      return children(state.opening);
  }
}
