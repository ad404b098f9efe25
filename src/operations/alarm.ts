/** A pause that can be cut short, and is cut short already if that came before it. */
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
