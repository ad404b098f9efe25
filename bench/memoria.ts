/**
 * B6: RegistroAlta in memory, from the issued invoice to the XML of its message, against a
 * hand-written loop of SHA-256 and template text. Same invoice, same cadena; interleaved, medians.
 *
 *   npm run bench:memoria [-- --json] [-- --registros=100000]
 */
import { createHash } from 'node:crypto';
import { checkEstructura } from '../src/domain/verifactu/estructura.ts';
import {
  type Anterior,
  anteriorOf,
  registroAltaFromInvoice,
} from '../src/domain/verifactu/registro.ts';
import { regFactuXml, registroXml } from '../src/domain/verifactu/xml.ts';
import { issued, item, SISTEMA } from '../tests/fixtures/verifactu/invoices.ts';
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

/** The product: the registro, its huella and link, the check of every field, escaping, batches. */
function ours(): number {
  let anterior: Anterior | null = null;
  let bytes = 0;
  for (let made = 0; made < total; made += BATCH) {
    const fragments: string[] = [];
    for (let i = made; i < made + BATCH; i++) {
      const registro = registroAltaFromInvoice(
        { ...INVOICE, numSerie: `${String(i + 1).padStart(6, '0')}/26` },
        { anterior, SistemaInformatico: SISTEMA, FechaHoraHusoGenRegistro: AT },
      );
      if (checkEstructura(registro).length > 0) throw new Error('Not what the schema asks for.');
      fragments.push(registroXml(registro));
      anterior = anteriorOf(registro);
    }
    bytes += regFactuXml({ ObligadoEmision: OBLIGADO }, fragments).length;
    heap.push(process.memoryUsage().heapUsed);
  }
  return bytes;
}

/** As short as it can be written: nothing is checked, escaped or named. */
function bare(): number {
  const sample = registroXml(
    registroAltaFromInvoice(INVOICE, {
      anterior: { ...OWN, NumSerieFactura: '@PREV@', Huella: '@HPREV@' },
      SistemaInformatico: SISTEMA,
      FechaHoraHusoGenRegistro: AT,
    }),
  );
  const own = /<sum1:Huella>([0-9A-F]{64})</.exec(sample)?.[1] ?? '';
  const [a = '', b = '', c = '', d = '', e = ''] = sample
    .replace(INVOICE.numSerie, '\0')
    .replace('@PREV@', '\0')
    .replace('@HPREV@', '\0')
    .replace(own, '\0')
    .split('\0');
  let [previous, huella] = ['000000/26', 'F'.repeat(64)];
  let bytes = 0;
  for (let made = 0; made < total; made += BATCH) {
    let message = '<Envelope><Body>';
    for (let i = made; i < made + BATCH; i++) {
      const number = `${String(i + 1).padStart(6, '0')}/26`;
      const before = huella;
      huella = createHash('sha256')
        .update(
          `IDEmisorFactura=89890001K&NumSerieFactura=${number}&FechaExpedicionFactura=20-11-2026&TipoFactura=F1&CuotaTotal=${INVOICE.cuotaTotal}&ImporteTotal=${INVOICE.total}&Huella=${before}&FechaHoraHusoGenRegistro=${AT}`,
        )
        .digest('hex')
        .toUpperCase();
      message += `${a}${number}${b}${previous}${c}${before}${d}${huella}${e}`;
      previous = number;
    }
    bytes += Buffer.byteLength(`${message}</Body></Envelope>`);
  }
  return bytes;
}

const OWN = {
  IDEmisorFactura: '89890001K',
  NumSerieFactura: '',
  FechaExpedicionFactura: '20-11-2026',
};

function perSecond(work: () => number): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return total / ((user + system) / 1e6);
}

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
    note: `montón: ${peak(heap.slice(0, half))} MB en la primera mitad, ${peak(heap.slice(half))} MB en la segunda`,
  },
]);
