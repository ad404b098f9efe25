// `npm test`: every check there is, stage by stage, and one plain line at the end.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { endGroups, startGroup } from './groups.mjs';
import { checkNode } from './node-version.mjs';
import { untried } from './programs.mjs';
import { root } from './sources.mjs';

checkNode();
const reports = mkdtempSync(join(tmpdir(), 'huella-npm-test-'));
const bin = (name) => join(root, 'node_modules', '.bin', name);

/** A stage counts as one check that passes or fails, or as the tests in its report. */
const aside = [
  vitest('Pruebas de unidad', 'unit'),
  types('Tipos del servidor', 'tsconfig.json'),
  types('Tipos de la web', 'tsconfig.web.json'),
  types('Tipos de las pruebas en el navegador', 'tsconfig.e2e.json'),
  check('Estilo', bin('biome'), ['check', '.']),
  check('Construcción', process.execPath, ['scripts/build.mjs']),
];

let isEnding = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    isEnding = true;
    endGroups();
  });
}

const total = { passed: 0, repeated: 0, failed: 0, skipped: 0 };
const failures = [];
// Flow tests wait for processes, locks and time limits: what waits for nothing works meanwhile.
await Promise.all([
  inTurn([vitest('Pruebas de flujo y de contrato', 'flow')], { isAside: false }),
  inTurn(aside, { isAside: true }),
]);
await inTurn([playwright('Pruebas en el navegador')], { isAside: false });
rmSync(reports, { recursive: true, force: true });
// Repeated at the end, for readers who only see that.
for (const { name, tests } of failures) console.log(['', `Falla: ${name}`, ...tests].join('\n'));
const left = untried();
if (left) console.log(`\n${left}`);
console.log(`\n${inWords(total)}`);
process.exitCode = failures.length > 0 ? 1 : 0;

async function inTurn(stages, { isAside }) {
  for (const stage of stages) {
    if (isEnding) return;
    if (!isAside) console.log(`\n── ${stage.name}`);
    const started = Date.now();
    const { status, output } = await run(stage, isAside);
    const counts = stage.count(status === 0);
    // A file that cannot be loaded has no failed tests, and neither has an unhandled error.
    if (status !== 0 && counts.failed === 0) counts.failed = 1;
    for (const key of Object.keys(total)) total[key] += counts[key] ?? 0;
    if (counts.failed > 0) failures.push({ name: stage.name, tests: stage.failed?.() ?? [] });
    console.log(
      `${output}── ${stage.name}: ${inWords(counts)} (${((Date.now() - started) / 1000).toFixed(1)} s)`,
    );
  }
}

/** @returns its output if it works aside, for it is shown as it comes otherwise; or why it could not be started */
function run({ command, args, env }, isAside) {
  const child = startGroup(command, args, {
    cwd: root,
    stdio: isAside ? ['ignore', 'pipe', 'pipe'] : 'inherit',
    env: { ...process.env, ...env },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  }
  return new Promise((resolve) => {
    // One that cannot be started fails like any other: the rest go on, and are counted.
    child.once('error', ({ message }) => resolve({ status: null, output: `${message}\n` }));
    child.once('close', (status) => resolve({ status, output }));
  });
}

/** Unlike tests it has no time limits, and gives way to them. */
function check(name, command, args, env = {}) {
  const count = (isGood) => ({ passed: Number(isGood), failed: Number(!isGood), skipped: 0 });
  return { name, command: 'nice', args: ['-n', '5', command, ...args], env, count };
}

/**
 * With one checker, where four would each read the same types, and with garbage collected less often: half the
 * processor time, in less memory.
 */
function types(name, project) {
  const args = ['--noEmit', '--checkers', '1', '-p', project];
  return check(name, bin('tsc'), args, { GOGC: '400' });
}

function vitest(name, project) {
  const file = join(reports, `${project}.json`);
  return {
    name,
    command: bin('vitest'),
    args: [
      'run',
      '--project',
      project,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${file}`,
    ],
    count: () => {
      const report = readReport(file);
      return {
        passed: report?.numPassedTests ?? 0,
        failed: report?.numFailedTests ?? 0,
        skipped: (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0),
      };
    },
    failed: () =>
      (readReport(file)?.testResults ?? []).flatMap((tested) => {
        const tests = tested.assertionResults.filter(({ status }) => status === 'failed');
        const place = relative(root, tested.name);
        if (tests.length === 0)
          return tested.status === 'failed' ? [told(place, tested.message)] : [];
        return tests.map(({ fullName, failureMessages }) =>
          told(`${place} › ${fullName}`, failureMessages.join('\n')),
        );
      }),
  };
}

function playwright(name) {
  const file = join(reports, 'e2e.json');
  return {
    name,
    command: bin('playwright'),
    args: ['test'],
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: file },
    count: () => {
      const stats = readReport(file)?.stats;
      return {
        passed: stats?.expected ?? 0,
        repeated: stats?.flaky ?? 0,
        failed: stats?.unexpected ?? 0,
        skipped: stats?.skipped ?? 0,
      };
    },
    failed: () =>
      specsOf(readReport(file)?.suites ?? []).flatMap(({ title, file: place, tests }) =>
        tests
          .filter(({ status }) => status === 'unexpected')
          .map(({ projectName, results }) =>
            told(`[${projectName}] ${place} › ${title}`, results.at(-1)?.error?.message ?? ''),
          ),
      ),
  };
}

function specsOf(suites) {
  return suites.flatMap(({ specs, suites: inner = [] }) => [...specs, ...specsOf(inner)]);
}

/** A failed test, with the beginning of its message. */
function told(test, message) {
  const lines = message.split('\n').slice(0, 12);
  return ['', `  ✗ ${test}`, ...lines.map((line) => `      ${line}`)].join('\n');
}

function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

/** `1204 passed, 0 failed, 3 skipped, 1 only when repeated`: the repeated one does not count as passed. */
function inWords({ passed, failed, skipped, repeated = 0 }) {
  return [
    `${passed} passed, ${failed} failed`,
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
    ...(repeated > 0 ? [`${repeated} only when repeated`] : []),
  ].join(', ');
}
