/**
 * The time of the simulated world: real time, plus the application's own offset (`worldOffsetSeconds`), plus how far
 * the AEAT's clock is ahead of that (`aeatOffsetSeconds`).
 */
export interface SimulatedClock {
  /** Seconds the application's clock is ahead of real time. */
  worldOffsetSeconds: number;
  /** Seconds the AEAT's clock is ahead of the application's. */
  aeatOffsetSeconds: number;
  worldNow(): Date;
  aeatNow(): Date;
}

export function simulatedClock(realNow: () => Date = () => new Date()): SimulatedClock {
  return {
    worldOffsetSeconds: 0,
    aeatOffsetSeconds: 0,
    worldNow() {
      return new Date(realNow().getTime() + this.worldOffsetSeconds * 1000);
    },
    aeatNow() {
      return new Date(this.worldNow().getTime() + this.aeatOffsetSeconds * 1000);
    },
  };
}

const MADRID = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/Madrid',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
  timeZoneName: 'longOffset',
});

/** The AEAT uses peninsular time: `2026-11-20T10:00:52+01:00`. */
export function madridTimestamp(instant: Date): string {
  const parts: Record<string, string> = {};
  for (const { type, value } of MADRID.formatToParts(instant)) parts[type] = value;
  const offset = parts.timeZoneName?.slice('GMT'.length) || '+00:00';
  return `${parts.year}-${parts.month}-${parts.day}T${parts.hour}:${parts.minute}:${parts.second}${offset}`;
}
