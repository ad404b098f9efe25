import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { ApiError, retryMessage } from '../lib/http.ts';
import { EmptyState } from './empty-state.tsx';
import { toTitle } from './focus-after.ts';

export interface FailedStateProps {
  /** What could not be loaded: «No hemos podido cargar tus clientes». */
  readonly title: string;
  readonly error: unknown;
  readonly onRetry: () => void;
  /** The way on when it does not exist (404): asking for it again would not help. */
  readonly otherwise?: ReactNode;
}

/** The failed state of a screen, in the card that would have contained it. */
export function FailedCard(props: FailedStateProps) {
  return (
    <section className="hu-card">
      <FailedState {...props} />
    </section>
  );
}

/** The failed state of a part of a screen. */
export function FailedState({ title, error, onRetry, otherwise }: FailedStateProps) {
  const isLost = error instanceof ApiError && error.status === 404;
  return (
    <div role="alert">
      <EmptyState
        mark={false}
        title={title}
        action={
          (isLost && otherwise) || (
            <Button ref={toTitle} variant="default" onClick={onRetry}>
              Intentar nuevamente
            </Button>
          )
        }
      >
        {retryMessage(error)}
      </EmptyState>
    </div>
  );
}
