/** A pause that can be cut short. If the call to cut it short comes first, the pause does not begin. */
export function createAlarm() {
  let now = () => {};
  const rung = new Promise<void>((resolve) => {
    now = resolve;
  });
  return {
    now: () => now(),
    ring: async (milliseconds: number) => {
      const timer = setTimeout(now, milliseconds);
      await rung;
      clearTimeout(timer);
    },
  };
}
