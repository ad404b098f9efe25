/**
 * B6: RegistroAlta in memory, from the issued invoice to the XML of its message, against a
 * hand-written loop of SHA-256 and template text. Same invoice, same cadena; interleaved, medians.
 *
 *   npm run bench:memoria [-- --json] [-- --registros=100000]
 */

import { hash } from 'node:crypto';
import { checkEstructura } from '../src/domain/verifactu/estructura.ts';
import { type Anterior, registroAltaFromInvoice } from '../src/domain/verifactu/registro.ts';
import { registroXml } from '../src/domain/verifactu/xml.ts';
import { issued, item, SISTEMA } from '../tests/fixtures/verifactu/invoices.ts';
import { anteriorOf, regFactuXml } from '../tests/support/verifactu.ts';
import { median, printTable } from './support.ts';

const PAIRS = 5;
const BATCH = 1000;
const total = Number(
  process.argv.find((a) => a.startsWith('--registros='))?.split('=')[1] ?? 100_000,
);
const OBLIGADO = { NombreRazon: 'CERTIFICADO UNO TELEMATICAS', NIF: '89890001K' };
const INVOICE = issued({
  items: [item('100'), item('20', 'IVA10'), item('3', 'IVA4'), item('45.5'), item('7', 'IVA10')],
});
const AT = '2026-11-20T10:00:37+01:00';
const heap: number[] = [];

/** Both start after this registro. */
const BEFORE: Anterior = {
  IDEmisorFactura: '89890001K',
  NumSerieFactura: '000000/26',
  FechaExpedicionFactura: '20-11-2026',
  Huella: 'F'.repeat(64),
};
type Messages = Generator<Buffer, void>;

/** The product: registro, huella and link, the check of every field, escaping, batches. */
function* ours(count: number): Messages {
  let anterior = BEFORE;
  for (let made = 0; made < count; made += BATCH) {
    const fragments: string[] = [];
    for (let i = made; i < made + BATCH; i++) {
      const registro = registroAltaFromInvoice(
        { ...INVOICE, numSerie: numSerieOf(i) },
        { anterior, SistemaInformatico: SISTEMA, FechaHoraHusoGenRegistro: AT },
      );
      if (checkEstructura(registro).length > 0) throw new Error('Not what the schema asks for.');
      fragments.push(registroXml(registro));
      anterior = anteriorOf(registro);
    }
    yield Buffer.from(regFactuXml({ ObligadoEmision: OBLIGADO }, fragments));
  }
}

/** The same bytes, written as briefly as possible: nothing is checked, escaped or named. */
function* bare(count: number): Messages {
  const [message = ''] = [...ours(BATCH)].map(String);
  const [start = '', first = '', second = ''] = message.split(/(?=<sum:RegistroFactura>)/);
  const end = message.slice(message.lastIndexOf('</sum:RegistroFactura>') + 22);
  const huellas = [...second.matchAll(/<sum1:Huella>([0-9A-F]{64})</g)].map(([, huella]) => huella);
  const [a = '', b = '', c = '', d = '', e = ''] = second.split(
    new RegExp(`${numSerieOf(1)}|${numSerieOf(0)}|${huellas[0]}|${huellas[1]}`),
  );
  if (first.length !== second.length) throw new Error('Not the registros that were expected.');
  const constant = `&FechaExpedicionFactura=20-11-2026&TipoFactura=F1&CuotaTotal=${INVOICE.cuotaTotal}&ImporteTotal=${INVOICE.total}&Huella=`;
  let [previous, huella] = [BEFORE.NumSerieFactura, BEFORE.Huella];
  for (let made = 0; made < count; made += BATCH) {
    let text = start;
    for (let i = made; i < made + BATCH; i++) {
      const number = numSerieOf(i);
      const before = huella;
      huella = hash(
        'sha256',
        `IDEmisorFactura=89890001K&NumSerieFactura=${number}${constant}${before}&FechaHoraHusoGenRegistro=${AT}`,
        'hex',
      ).toUpperCase();
      text += `${a}${number}${b}${previous}${c}${before}${d}${huella}${e}`;
      previous = number;
    }
    yield Buffer.from(`${text}${end}`);
  }
}

function numSerieOf(index: number): string {
  return `${String(index + 1).padStart(6, '0')}/26`;
}

/** A reference that produces something else would be worthless. */
function assertSame(): void {
  const [left, right] = [ours(2 * BATCH), bare(2 * BATCH)].map((made) => Buffer.concat([...made]));
  if (!left || !right?.equals(left)) throw new Error('The bare loop writes other bytes.');
}

/** Per second of CPU time, so that other processes do not count. */
function perSecond(work: (count: number) => Messages): number {
  const start = process.cpuUsage();
  for (const _message of work(total)) heap.push(process.memoryUsage.rss());
  const { user, system } = process.cpuUsage(start);
  return total / ((user + system) / 1e6);
}

assertSame();
perSecond(ours);
perSecond(bare);
const figures: number[] = [];
const limits: number[] = [];
heap.length = 0;
for (let pair = 0; pair < PAIRS; pair++) {
  limits.push(perSecond(bare));
  figures.push(perSecond(ours));
}
const half = Math.floor(heap.length / 2);
const peak = (values: readonly number[]) => Math.round(Math.max(...values) / 1e6);
printTable([
  {
    id: 'B6',
    what: `${total} RegistroAlta en memoria, ${PAIRS} veces`,
    figure: median(figures),
    unit: 'registros/s de CPU',
    limit: median(limits),
    goal: 0.25,
    note: `memoria: ${peak(heap.slice(0, half))} MB en la primera mitad, ${peak(heap.slice(half))} MB en la segunda`,
  },
]);
