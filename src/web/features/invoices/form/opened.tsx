import type { ReactNode } from 'react';
import { FailedCard } from '../../../ui/failed-state.tsx';
import { ToPending } from '../../../ui/invoices/to-history.tsx';
import { PageTitle } from '../../../ui/page-title.tsx';
import { FormSkeleton } from './form-skeleton.tsx';
import type { Opening } from './open-form.ts';
import type { OpeningState } from './use-opening.ts';

export interface OpenedProps {
  readonly title: string;
  /** What is being opened, with its article. */
  readonly what: string;
  readonly state: OpeningState;
  readonly children: (opening: Opening) => ReactNode;
}

/** A form, once what it starts from has been loaded: until then, a skeleton or the failure. */
export function Opened({ title, what, state, children }: OpenedProps) {
  switch (state.kind) {
    case 'loading':
      return <FormSkeleton title={title} />;
    case 'failed':
      return (
        <>
          <PageTitle title={title} />
          <FailedCard
            title={`No hemos podido abrir ${what}`}
            error={state.error}
            onRetry={state.retry}
            otherwise={<ToPending />}
          />
        </>
      );
    case 'open':
      return children(state.opening);
  }
}
