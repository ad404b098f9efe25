import { FailedState } from '../../ui/failed-state.tsx';
import { PanelCard } from '../../ui/panel-card.tsx';
import { SkeletonText } from '../../ui/skeleton-rows.tsx';

export interface MissingCardProps {
  readonly title: string;
  /** What could not be loaded. */
  readonly failed: string;
  readonly error: unknown;
  readonly onRetry: () => void;
}

/** A card whose content is loading or failed to load. */
export function MissingCard({ title, failed, error, onRetry }: MissingCardProps) {
  return (
    <PanelCard title={title}>
      {error ? (
        <FailedState title={failed} error={error} onRetry={onRetry} />
      ) : (
        <div aria-busy="true">
          <SkeletonText lines={3} />
        </div>
      )}
    </PanelCard>
  );
}
