import type { Context } from './context.ts';

/** One line of a table of rules. */
export interface Rule<S> {
  readonly code: number;
  /** When the rule applies; always, if omitted. */
  readonly when?: (subject: S, context: Context) => boolean;
  /** What must then hold. */
  readonly must: (subject: S, context: Context) => boolean;
}

/** The AEAT returns one code per registro: that of the first broken rule, in the order of the table. */
export function firstBroken<S>(
  rules: readonly Rule<S>[],
  subject: S,
  context: Context,
): number | undefined {
  return rules.find(
    ({ when, must }) => (!when || when(subject, context)) && !must(subject, context),
  )?.code;
}
