import type { Context } from './context.ts';

/** One line of a table of rules. */
export interface Rule<S> {
  readonly code: number;
  /** When the rule speaks; always, if it does not say. */
  readonly when?: (subject: S, context: Context) => boolean;
  /** What has to hold then. */
  readonly must: (subject: S, context: Context) => boolean;
}

/** The AEAT gives one code per registro: the first rule broken, in the order of the table. */
export function firstBroken<S>(
  rules: readonly Rule<S>[],
  subject: S,
  context: Context,
): number | undefined {
  return rules.find(
    ({ when, must }) => (!when || when(subject, context)) && !must(subject, context),
  )?.code;
}
