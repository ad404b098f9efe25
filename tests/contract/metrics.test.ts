import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { noteDispatcher } from '../../src/store/app-settings.ts';
import { type AccountApp, openAccountApp } from './account-app.ts';

let app: AccountApp;
beforeAll(async () => {
  app = await openAccountApp();
});
afterAll(() => app.close());

/** Names of Prometheus metrics in a text, without the suffixes of a histogram. */
const namesIn = (text: string) =>
  new Set(
    [...text.matchAll(/\b(?:huella|process|nodejs)_[a-z0-9_]+/g)].map(([name]) =>
      name.replace(/_(bucket|count|sum)$/, ''),
    ),
  );

it('contains every metric that the dashboard and the alerts use, and all of ours are used in one', async () => {
  await app.app.inject('/salud'); // Something is measured.
  const { body } = await app.app.inject('/metricas');
  const told = new Set([...body.matchAll(/^# HELP (\S+)/gm)].map(([, name = '']) => name));
  const dashboard = JSON.parse(readFileSync('deploy/grafana.json', 'utf8')) as {
    panels: { title: string; targets: { expr: string }[] }[];
  };
  const shown = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  const alerts = readFileSync('deploy/alertas.yaml', 'utf8');
  const asked = namesIn(`${shown.join('\n')}\n${alerts.replace(/"[^"]*"/g, '')}`);
  expect([...asked].filter((name) => !told.has(name))).toEqual([]);
  const ours = [...told].filter((name) => name.startsWith('huella_'));
  expect(ours.length).toBeGreaterThan(10);
  expect(ours.filter((name) => !asked.has(name))).toEqual([]);

  // A rate needs two scrapes, even if one fails: four of those of deploy/prometheus.yml, every 30 s.
  const windows = [...shown.join('\n').matchAll(/\[(\w+)\]/g)].map(([, window]) => window);
  expect([...new Set(windows)].sort()).toEqual(['2m', '5m']);

  // A renamed route would leave its panel empty.
  for (const [, route = ''] of shown.join('\n').matchAll(/route="([^"]+)"/g)) {
    expect(app.app.hasRoute({ method: 'POST', url: route }), route).toBe(true);
  }
  const manual = readFileSync('docs/operacion.md', 'utf8');
  const alertsIn = (text: string, pattern: RegExp) =>
    [...text.matchAll(pattern)].map(([, name]) => name).sort();
  expect(alertsIn(manual, /^\| (Huella\w+)/gm)).toEqual(alertsIn(alerts, /alert: (\w+)/g));
});

it('has from the start what an alert computes the increase of', async () => {
  const { body } = await app.app.inject('/metricas');
  const alerts = readFileSync('deploy/alertas.yaml', 'utf8');
  const counted = [
    ...alerts.matchAll(/increase\(\w+{route="([^"]+)",status=~?"([^"]+)"}/g),
  ].flatMap(([, route = '', statuses = '']) =>
    statuses.split('|').map((status) => ({ route, status })),
  );
  expect(counted).toHaveLength(3);
  for (const { route, status } of counted) {
    expect(body).toContain(
      `huella_http_segundos_count{method="POST",route="${route}",status="${status}"} 0\n`,
    );
  }
});

it('says for how long no dispatcher has been seen, even if there has never been one', async () => {
  const secondsIn = (text: string) =>
    Number(/^huella_despachador_visto_hace_segundos (\d+)$/m.exec(text)?.[1]);
  const before = secondsIn((await app.app.inject('/metricas')).body);
  app.advanceClock(200);
  const after = secondsIn((await app.app.inject('/metricas')).body);
  expect(after).toBeGreaterThanOrEqual(before + 200);
  expect(after).toBeLessThan(before + 300); // A second or more may have gone by.
  // Once there has been one, by the database's clock: this process's is wrong, as the alert of its own says.
  await noteDispatcher(app.sql);
  expect(secondsIn((await app.app.inject('/metricas')).body)).toBeLessThan(60);
});

it('says how far the clock of its process differs from the database’s', async () => {
  const ahead = async () => {
    const { body } = await app.app.inject('/metricas');
    return Number(/^huella_reloj_adelanto_segundos (\S+)$/m.exec(body)?.[1]);
  };
  const before = await ahead(); // Earlier tests moved this clock.
  app.advanceClock(450);
  expect(Math.abs((await ahead()) - before - 450)).toBeLessThan(100);
  app.advanceClock(-900);
  expect(Math.abs((await ahead()) - before + 450)).toBeLessThan(100);
});

it('is available only from this machine, and not through a proxy on it', async () => {
  const ask = (from: object) => app.app.inject({ url: '/metricas', ...from });
  expect((await ask({})).statusCode).toBe(200);
  const others = [
    { remoteAddress: '10.1.2.3' },
    { headers: { 'x-forwarded-for': '8.8.8.8' } },
    { headers: { forwarded: 'for=8.8.8.8' } },
  ];
  for (const other of others) expect((await ask(other)).statusCode).toBe(401);
});
