/** A clock that stands still until it is moved. */
export interface TestClock {
  readonly now: () => Date;
  readonly advance: (seconds: number) => void;
}

export function fixedClock(start = '2026-11-20T10:00:00Z'): TestClock {
  let moment = Date.parse(start);
  return {
    now: () => new Date(moment),
    advance: (seconds) => {
      moment += seconds * 1000;
    },
  };
}
