import { expect, it } from 'vitest';
import type { FilaPorTipo, SumasPorTipo } from '../../../contract/invoices.ts';
import type { ListProgress } from './list-file.ts';
import { rateFile } from './rate-file.ts';

const fila = (change: Partial<FilaPorTipo>): FilaPorTipo => ({
  trimestre: '2026-4T',
  impuesto: 'IVA',
  base: 0,
  cuota: 0,
  cuotaRecargo: 0,
  facturas: 1,
  ...change,
});
const part = (filas: readonly FilaPorTipo[], more: Partial<SumasPorTipo> = {}): SumasPorTipo => ({
  filas: [...filas],
  facturas: filas.length,
  ...more,
});

/** The lines of the file made from those parts, requested one after another. */
async function linesOf(parts: readonly SumasPorTipo[], tax = 'IVA'): Promise<string[]> {
  const asked: (string | undefined)[] = [];
  const partOf = async (despues?: string) => {
    asked.push(despues);
    return parts[asked.length - 1] ?? part([]);
  };
  const made = await rateFile({ partOf }, tax);
  expect(asked).toEqual([undefined, ...parts.slice(0, -1).map(({ siguiente }) => siguiente)]);
  return ((await made?.file.text()) ?? '').trimEnd().split('\r\n');
}

it('adds up the parts by quarter and rate, to the cent', async () => {
  const lines = await linesOf([
    part(
      [
        fila({ trimestre: '2026-3T', tipo: 21, base: 0.1, cuota: 0.02 }),
        fila({ tipo: 10, base: -9, cuota: -0.9 }),
      ],
      { siguiente: '2026-11-20.7', total: 3 },
    ),
    part([
      fila({ tipo: 21, base: 100, cuota: 21, facturas: 2 }),
      fila({ tipo: 10, base: 1234.56, cuota: 123.46 }),
      fila({ causa: 'E5', base: 7 }),
      fila({ causa: 'S2', base: 8 }),
    ]),
  ]);
  expect(lines).toEqual([
    'Trimestre;Impuesto;Operaciones;Tipo (%);Facturas;Base imponible;Cuota de IVA',
    '2026-3T;IVA;Con IVA;21;1;0,10;0,02',
    '2026-4T;IVA;Con IVA;21;2;100,00;21,00',
    '2026-4T;IVA;Con IVA;10;2;1225,56;122,56',
    '2026-4T;IVA;Exentas: entregas intracomunitarias (art. 25);;1;7,00;0,00',
    '2026-4T;IVA;Inversión del sujeto pasivo;;1;8,00;0,00',
  ]);
});

it('has the recargo if there is one, and the name of the company’s tax', async () => {
  const withRecargo = [
    fila({ tipo: 21, recargo: 5.2, base: 100, cuota: 21, cuotaRecargo: 5.2 }),
    fila({ tipo: 21, base: 10, cuota: 2.1 }),
  ];
  expect(await linesOf([part(withRecargo)])).toEqual([
    'Trimestre;Impuesto;Operaciones;Tipo (%);Recargo (%);Facturas;Base imponible;Cuota de IVA;Cuota de recargo',
    '2026-4T;IVA;Con IVA;21;;1;10,00;2,10;0,00',
    '2026-4T;IVA;Con IVA;21;5,2;1;100,00;21,00;5,20',
  ]);
  const canary = [fila({ impuesto: 'IGIC', tipo: 7, base: 100, cuota: 7 })];
  expect(
    await linesOf([part([...canary, fila({ impuesto: 'IGIC', causa: 'E7' })])], 'IGIC'),
  ).toEqual([
    'Trimestre;Impuesto;Operaciones;Tipo (%);Facturas;Base imponible;Cuota de IGIC',
    '2026-4T;IGIC;Con IGIC;7;1;100,00;7,00',
    '2026-4T;IGIC;Exentas: pequeño empresario;;1;0,00;0,00',
  ]);
});

it('reports its progress, and makes no file if it is stopped halfway', async () => {
  const told: ListProgress[] = [];
  let isStopped = false;
  const made = await rateFile(
    {
      partOf: async (despues) => {
        isStopped = despues !== undefined;
        return part([fila({})], { siguiente: '2026-11-20.7', total: 3 });
      },
      onProgress: (progress) => told.push(progress),
      isStopped: () => isStopped,
    },
    'IVA',
  );
  expect(told).toEqual([{ done: 1, total: 3, isMore: false }]);
  expect(made).toBeNull();
});
