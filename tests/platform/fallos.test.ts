import { expect, it } from 'vitest';
import { runFaults, type Victim } from '../support/fault-run.ts';

/** `npm run test:fallos` kills fifty, at random; otherwise one of each process. */
const rounds = Number(process.env.FALLOS_RONDAS ?? 4);
const seed = Number(process.env.FALLOS_SEMILLA ?? Date.now() % 1_000_000);

it(
  'loses, duplicates and skips no invoice, whichever process is killed while registering and sending',
  async () => {
    const isShort = process.env.FALLOS_RONDAS === undefined;
    const report = await runFaults({
      rounds,
      seed,
      each: isShort,
      log: isShort ? () => undefined : (line) => console.log(line),
    });
    if (!isShort) print(report);
    expect(report, `FALLOS_SEMILLA=${seed}`).toMatchObject({
      lost: [],
      doubles: [],
      gaps: [],
      differences: [],
    });
    expect(report.rounds).toHaveLength(rounds);
  },
  60_000 + rounds * 30_000,
);

function print({ registered, rounds: done }: Awaited<ReturnType<typeof runFaults>>): void {
  console.log(`Semilla ${seed}: ${registered} facturas registradas en ${done.length} rondas.`);
  const all = ['web', 'dispatcher', 'postgres', 'simulators'] as const;
  for (const victim of all)
    console.log(
      line(
        victim,
        done.filter(({ victims }) => victims.includes(victim)).map((r) => r.recoveryMs),
      ),
    );
}

function line(victim: Victim, times: number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => {
    const time = sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
    return Number.isFinite(time) ? `a los ${Math.round(time)} ms` : 'no en su ronda';
  };
  return `${victim}: ${sorted.length} veces, ritmo de antes ${at(0.5)} (mediana), ${at(1)} (la peor)`;
}
