import type { ChildProcess, SpawnOptions } from 'node:child_process';

export function startGroup(
  command: string,
  args: readonly string[],
  options: SpawnOptions,
): ChildProcess;
export function endGroups(): void;
