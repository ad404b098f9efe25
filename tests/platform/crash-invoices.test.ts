import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { signIn, signUp } from '../support/demo-company.ts';
import { removeDataDir, type Stack, startStack } from '../support/stack.ts';
import { eventually } from '../support/wait.ts';

const NIF = 'B12345674';
const ROUNDS = ['app', 'postgres', 'app'] as const;
/** A demo may register two hundred. */
const PER_ROUND = 40;

let dataDir = '';
let stack: Stack | null = null;

async function start(): Promise<Stack> {
  stack = await startStack({
    dataDir,
    env: { LOG_LEVEL: 'fatal', SIMULADOR_TIEMPO_ESPERA: '0' },
  });
  return stack;
}

afterEach(async () => {
  await stack?.remove();
  await removeDataDir(dataDir);
});

it('loses, doubles and skips no invoice when it is killed while registering and sending', async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'huella-crash-'));
  let running = await start();
  const token = await signIn(running.baseUrl, await signUp(running.baseUrl, NIF));
  await uploadCertificate(running.baseUrl, token);
  const answered: string[] = [];

  for (const victim of ROUNDS) {
    const before = answered.length;
    let isLoading = true;
    const { baseUrl } = running;
    const loads = Array.from({ length: 4 }, async () => {
      while (isLoading && answered.length < before + PER_ROUND) {
        const docNo = await register(baseUrl, token);
        if (docNo) answered.push(docNo);
      }
    });
    await eventually(async () => answered.length > before + PER_ROUND / 2);
    running.kill(victim);
    isLoading = false;
    await Promise.all(loads);
    if (victim === 'app') {
      await running.ended;
      running = await start();
    }
  }

  // What was answered is there once, without a gap, and the AEAT comes to hold the same in the same order.
  const held = await eventually(async () => {
    const rows = await heldBy(running.baseUrl);
    const waiting = await get<{ enEspera: number }>(running.baseUrl, token, 'GetConexionAEAT');
    return waiting.enEspera === 0 && rows.length >= answered.length && rows;
  }, 90);
  const numbers = held.map(({ NumSerieFactura }) => NumSerieFactura);
  expect(answered.filter((docNo) => !numbers.includes(docNo))).toEqual([]);
  expect(numbers.map((number) => Number.parseInt(number, 10))).toEqual(
    numbers.map((_, i) => i + 1),
  );
  held.forEach((row, i) => {
    expect(row.HuellaAnterior ?? '').toBe(held[i - 1]?.Huella ?? '');
  });
  const cadena = await get<{ registros: number; correcta: boolean }>(
    running.baseUrl,
    token,
    'VerificarCadena',
  );
  expect(cadena).toMatchObject({ registros: held.length, correcta: true });
  expect(await running.stop()).toBe(0);
}, 180_000);

/** Registers one invoice. @returns its number, or null when nobody answered that it is registered */
async function register(baseUrl: string, token: string): Promise<string | null> {
  const answer = await post(baseUrl, token, 'SetFacturas', {
    invoiceDate: new Date().toLocaleDateString('sv-SE', { timeZone: 'Europe/Madrid' }),
    isSimplificada: true,
    invoiceType: 1,
    invoiceItems: [{ description: 'Menú del día', quantity: '1', price: '12,50', tax: 'IVA10' }],
    accionFactura: 1,
  }).catch(() => null);
  if (!answer?.ok) return null;
  return ((await answer.json()) as { DocNo: string }).DocNo;
}

async function uploadCertificate(baseUrl: string, token: string): Promise<void> {
  const file = await fetch(`${baseUrl}/desarrollo/certificado?nif=${NIF}&nombre=Prueba`);
  const answer = await post(baseUrl, token, 'UpdateCertificate', {
    Certificate: Buffer.from(await file.arrayBuffer()).toString('base64'),
    Password: 'prueba',
  });
  expect(answer.status).toBe(200);
}

function post(baseUrl: string, token: string, call: string, body: object): Promise<Response> {
  return fetch(`${baseUrl}/api/PostData/${call}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  });
}

async function get<T>(baseUrl: string, token: string, call: string): Promise<T> {
  const answer = await fetch(`${baseUrl}/api/GetData/${call}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return (await answer.json()) as T;
}

interface Held {
  readonly NumSerieFactura: string;
  readonly Huella: string;
  readonly HuellaAnterior: string | null;
}

async function heldBy(baseUrl: string): Promise<Held[]> {
  const answer = await fetch(`${baseUrl}/desarrollo/aeat/registros?nif=${NIF}`);
  return (await answer.json()) as Held[];
}
