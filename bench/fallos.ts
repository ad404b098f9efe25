/**
 * What is left behind when processes of the product are killed at random while it registers and sends, and how long
 * it takes until as many invoices per second are registered as before: the run of `npm run test:fallos`, which tells
 * more of each round.
 *
 *   npm run bench -- B18 [--rondas=50] [--json]
 */
import { runFaults, type Victim } from '../tests/support/fault-run.ts';
import { median, printTable } from './support.ts';

const rounds = Number(process.argv.find((a) => a.startsWith('--rondas='))?.split('=')[1] ?? 50);
const seed = Date.now() % 1_000_000;
const VICTIMS: readonly Victim[] = ['web', 'dispatcher', 'postgres', 'simulators'];
const GOAL_SECONDS = 3;
/** Counted, in seconds, when the usual rate had not come back before the next kill. */
const NOT_IN_ITS_ROUND = 60;

const report = await runFaults({ rounds, seed });
const { lost, gaps, doubles, differences } = report;
const none = (what: string, found: readonly string[]) => ({
  id: 'B18',
  what,
  figure: found.length,
  unit: 'facturas',
  goal: 0,
  isCost: true,
  note: `${report.registered} registradas en ${report.rounds.length} rondas, semilla ${seed}`,
});

printTable([
  none('perdidas', lost),
  none('huecos', gaps),
  none('dobles', doubles),
  none('distintas en la AEAT', differences),
  ...VICTIMS.flatMap((victim) => {
    const times = report.rounds
      .filter(({ victims }) => victims.includes(victim))
      .map(({ recoveryMs }) => Math.min(recoveryMs / 1000, NOT_IN_ITS_ROUND));
    if (times.length === 0) return [];
    return {
      id: 'B18',
      what: `ritmo de antes tras el fin de ${victim}, mediana`,
      figure: median(times),
      unit: 's',
      goal: GOAL_SECONDS,
      isCost: true,
      note: `${times.length} veces; en ${times.filter((time) => time > GOAL_SECONDS).length}, más tarde`,
    };
  }),
]);
