import { expect, it } from 'vitest';
import { theme } from './theme.ts';

interface Moving {
  readonly transitionDuration?: number;
  readonly transitionProps?: { readonly duration?: number };
}

it('has no animation longer than 160 ms', () => {
  const durations = Object.entries(theme.components ?? {}).flatMap(([name, component]) => {
    const { transitionDuration, transitionProps }: Moving = component?.defaultProps ?? {};
    const duration = transitionDuration ?? transitionProps?.duration;
    return duration === undefined ? [] : [[name, duration] as const];
  });
  // Components that the library itself would animate for 200 ms or more.
  expect(durations.map(([name]) => name)).toEqual(
    expect.arrayContaining(['Collapse', 'Drawer', 'Modal', 'Notifications', 'SegmentedControl']),
  );
  expect(durations.filter(([, duration]) => duration > 160)).toEqual([]);
});
