import { once } from 'node:events';
import { expect, it } from 'vitest';
import { endGroups, startGroup } from '../scripts/groups.mjs';

it('what a stage of the tests has started ends with it', { timeout: 20_000 }, async () => {
  const stage = startGroup('sh', ['-c', 'echo begun; sleep 60 | sleep 60'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(stage.stdout ?? stage, 'data');
  endGroups();
  await once(stage, 'close'); // Of its output too, which its own children hold open.
  expect(stage.signalCode).toBe('SIGINT');
});
