import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { findProgram } from '../../scripts/programs.mjs';
import { scratch } from '../support/scratch.ts';

/**
 * The alert rules, evaluated by Prometheus itself: each with figures that call somebody and with figures that do not.
 */

const run = promisify(execFile);
const PROMTOOL = findProgram('promtool');
if (!PROMTOOL) console.warn('alerts.test.ts: promtool is not on this machine, skipped.');

const RULES = 'deploy/alertas.yaml';
const HTTP = 'huella_http_segundos';
const NOTIFICATION = `${HTTP}_count{route="/api/Redsys/Notification",status="400"}`;
const SIGN_IN = `${HTTP}_count{route="/api/Auth/login",status="401"}`;

/** A series and its values minute by minute, in promtool's notation: `1x5` is six times 1, `0+2x5` counts up by two. */
type Figures = readonly [series: string, values: string][];

interface Case {
  readonly alert: string;
  readonly what: string;
  /** From the first minute on. */
  readonly figures: Figures;
  /** When it is evaluated. */
  readonly at: string;
  readonly fires: boolean;
}

const fires = (alert: string, at: string, what: string, ...figures: Figures): Case => {
  return { alert, at, what, figures, fires: true };
};
const rests = (alert: string, at: string, what: string, ...figures: Figures): Case => {
  return { alert, at, what, figures, fires: false };
};

const CASES: readonly Case[] = [
  fires('HuellaCaida', '2m', 'does not answer', ['up{job="huella",instance="web1"}', '0x5']),
  rests('HuellaCaida', '5m', 'is renewed', ['up{job="huella",instance="web1"}', '1 0 1x5']),
  fires('HuellaSinMedidas', '6m', 'nothing is asked', ['up{job="node"}', '1x10']),
  rests('HuellaSinMedidas', '6m', 'it does not answer', ['up{job="huella"}', '0x10']),
  fires(
    'HuellaSinDespachador',
    '3m',
    'all have been silent',
    ['huella_despachador_visto_hace_segundos{instance="web1"}', '190x5'],
    ['huella_despachador_visto_hace_segundos{instance="web2"}', '195x5'],
  ),
  rests(
    'HuellaSinDespachador',
    '5m',
    'one web has heard one',
    ['huella_despachador_visto_hace_segundos{instance="web1"}', '190x5'],
    ['huella_despachador_visto_hace_segundos{instance="web2"}', '12x5'],
  ),
  fires('HuellaRegistrosEsperando', '6m', 'over an hour', [
    'huella_registro_mas_antiguo_segundos',
    '3700x10',
  ]),
  rests('HuellaRegistrosEsperando', '9m', 'under an hour', [
    'huella_registro_mas_antiguo_segundos',
    '3500x10',
  ]),
  fires('HuellaSinConexionConLaAEAT', '11m', 'many companies', [
    'huella_empresas_sin_conexion',
    '11x15',
  ]),
  rests('HuellaSinConexionConLaAEAT', '14m', 'a few', ['huella_empresas_sin_conexion', '10x15']),
  fires('HuellaRegistrosRechazados', '6m', 'a company for a day', [
    'huella_empresas_con_rechazo_antiguo',
    '1x10',
  ]),
  rests(
    'HuellaRegistrosRechazados',
    '1450m',
    'always some, each mended within a day',
    ['huella_registros_rechazados', '2x1500'],
    ['huella_empresas_con_rechazo_antiguo', '0x1500'],
  ),
  fires('HuellaEnviosDetenidos', '61m', 'an hour', ['huella_envios_detenidos', '1x70']),
  rests('HuellaEnviosDetenidos', '70m', 'mended within', [
    'huella_envios_detenidos',
    '1x40 0 1x40',
  ]),
  fires('HuellaEmpresasDetenidas', '0m', 'at once', ['huella_empresas_detenidas', '1x2']),
  rests('HuellaEmpresasDetenidas', '2m', 'none', ['huella_empresas_detenidas', '0x2']),
  fires('HuellaCertificadosCaducan', '0m', 'one', ['huella_certificados_caducan_7_dias', '1x2']),
  rests('HuellaCertificadosCaducan', '2m', 'none', ['huella_certificados_caducan_7_dias', '0x2']),
  fires('HuellaCertificadosRechazados', '61m', 'an hour', [
    'huella_certificados_rechazados',
    '1x70',
  ]),
  rests('HuellaCertificadosRechazados', '59m', 'less than an hour', [
    'huella_certificados_rechazados',
    '1x70',
  ]),
  fires('HuellaReloj', '11m', 'late', ['huella_desfase_reloj_segundos', '-31x15']),
  fires('HuellaReloj', '11m', 'early', ['huella_desfase_reloj_segundos', '31x15']),
  rests('HuellaReloj', '14m', 'nearly right', ['huella_desfase_reloj_segundos', '-29x15']),
  fires(
    'HuellaRelojDeProceso',
    '6m',
    'one process late, the other right',
    ['huella_reloj_adelanto_segundos{instance="web1"}', '0.002x10'],
    ['huella_reloj_adelanto_segundos{instance="web2"}', '-31x10'],
  ),
  rests('HuellaRelojDeProceso', '9m', 'nearly right', [
    'huella_reloj_adelanto_segundos{instance="web1"}',
    '29x10',
  ]),
  fires('HuellaCorreoFallido', '6m', 'given up', ['huella_correos_fallidos', '1x20']),
  fires(
    'HuellaCorreoFallido',
    '6m',
    'our server takes nothing',
    ['huella_correos_fallidos', '0x20'],
    ['huella_correo_detenido_segundos', '1801x20'],
  ),
  rests(
    'HuellaCorreoFallido',
    '19m',
    'on its way, however much',
    ['huella_correos_fallidos', '0x20'],
    ['huella_correo_detenido_segundos', '1800x20'],
    ['huella_correos_pendientes', '9000x20'],
  ),
  fires('HuellaPagos', '0m', 'one', ['huella_pagos_por_revisar', '1x2']),
  rests('HuellaPagos', '2m', 'none', ['huella_pagos_por_revisar', '0x2']),
  fires('HuellaPagosSinFactura', '0m', 'one', ['huella_pagos_sin_factura', '1x2']),
  rests('HuellaPagosSinFactura', '2m', 'none', ['huella_pagos_sin_factura', '0x2']),
  fires('HuellaFirmaDelTPV', '8m', 'one more', [NOTIFICATION, '3x5 4x20']),
  fires('HuellaFirmaDelTPV', '8m', 'the first of a process', [NOTIFICATION, '0x5 1x20']),
  rests('HuellaFirmaDelTPV', '30m', 'long ago', [NOTIFICATION, '0x5 1x40']),
  fires('HuellaAccesosFallidos', '15m', 'twelve', [SIGN_IN, '0+1x20']),
  fires('HuellaAccesosFallidos', '8m', 'eleven at once', [SIGN_IN, '0x5 11x20']),
  rests('HuellaAccesosFallidos', '20m', 'a few', [SIGN_IN, '0+0.5x30']),
  fires(
    'HuellaErrores',
    '12m',
    'two in a hundred',
    [`${HTTP}_count{route="/",status="200"}`, '0+98x20'],
    [`${HTTP}_count{route="/",status="500"}`, '0+2x20'],
  ),
  rests(
    'HuellaErrores',
    '12m',
    'one in two hundred',
    [`${HTTP}_count{route="/",status="200"}`, '0+199x20'],
    [`${HTTP}_count{route="/",status="500"}`, '0+1x20'],
  ),
  fires(
    'HuellaLenta',
    '16m',
    'two in a hundred',
    [`${HTTP}_bucket{le="1"}`, '0+98x20'],
    [`${HTTP}_bucket{le="2.5"}`, '0+100x20'],
    [`${HTTP}_bucket{le="+Inf"}`, '0+100x20'],
  ),
  rests(
    'HuellaLenta',
    '19m',
    'one in two hundred',
    [`${HTTP}_bucket{le="1"}`, '0+199x20'],
    [`${HTTP}_bucket{le="2.5"}`, '0+200x20'],
    [`${HTTP}_bucket{le="+Inf"}`, '0+200x20'],
  ),
];

describe('alert rules', () => {
  it.skipIf(!PROMTOOL)('fire when somebody has to act, and not otherwise', async () => {
    const folder = mkdtempSync(join(scratch, 'alerts-'));
    const file = join(folder, 'alerts.json');
    writeFileSync(file, JSON.stringify({ rule_files: [resolve(RULES)], tests: CASES.map(testOf) }));
    const said = await run(PROMTOOL, ['test', 'rules', file]).catch(
      (error: { stdout: string; stderr: string }) => error,
    );
    rmSync(folder, { recursive: true });
    expect(`${said.stdout}${said.stderr}`).toMatch(/SUCCESS/);
  });

  it.skipIf(!PROMTOOL)('are loaded by the configuration that comes with them', async () => {
    const folder = mkdtempSync(join(scratch, 'alerts-'));
    writeFileSync(join(folder, 'huella.token'), 'secreto');
    const file = join(folder, 'prometheus.yml');
    writeFileSync(
      file,
      readFileSync('deploy/prometheus.yml', 'utf8')
        .replace('- alertas.yaml', `- ${resolve(RULES)}`)
        .replace('/etc/prometheus/huella.token', 'huella.token'),
    );
    const said = await run(PROMTOOL, ['check', 'config', file]).catch(
      (error: { stdout: string; stderr: string }) => error,
    );
    rmSync(folder, { recursive: true });
    expect(`${said.stdout}${said.stderr}`).toMatch(/SUCCESS: \d+ rules found/);
  });

  it('are all tested, firing and not firing', () => {
    const names = [...readFileSync(RULES, 'utf8').matchAll(/- alert: (\w+)/g)].map(
      ([, name]) => name,
    );
    const tried = (way: boolean) =>
      CASES.filter((one) => one.fires === way).map(({ alert }) => alert);
    expect([...new Set(tried(true))]).toEqual(names);
    expect([...new Set(tried(false))]).toEqual(names);
  });
});

/** JSON, which is valid YAML. */
function testOf({ alert, what, figures, at, fires: isFiring }: Case) {
  return {
    name: `${alert}: ${what}`,
    interval: '1m',
    input_series: figures.map(([series, values]) => ({ series, values })),
    promql_expr_test: [
      {
        expr: `count(ALERTS{alertname="${alert}",alertstate="firing"}) or vector(0)`,
        eval_time: at,
        exp_samples: [{ labels: '{}', value: isFiring ? 1 : 0 }],
      },
    ],
  };
}
