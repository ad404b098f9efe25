import { expect, it } from 'vitest';
import type { InvoiceRow } from '../../../contract/invoices.ts';
import {
  clientTable,
  invoiceTable,
  type ListProgress,
  listFile,
  ROWS_PER_CALL,
} from './list-file.ts';

const row = (change: Partial<InvoiceRow>): InvoiceRow => ({
  PostingDate: '2026-11-25',
  DocNo: '00001/26',
  CIF: 'A58818501',
  Name: 'Talleres Ruiz',
  Status: 'Registrada',
  Amount: 1234.5,
  VatAmount: 259.25,
  AmountIncludingVat: 1493.75,
  Tipo: 'F1',
  Huella: 'A1',
  ...change,
});

const pagesOf = (pages: readonly InvoiceRow[][]) => async (page: number) => ({
  rows: pages[page - 1] ?? [],
  total: ROWS_PER_CALL + 1,
  page,
  pageSize: ROWS_PER_CALL,
});

/** The lines of the file made from those pages, without the header. */
async function linesOf(pages: readonly InvoiceRow[][], table = invoiceTable()): Promise<string[]> {
  const made = await listFile({ pageOf: pagesOf(pages) }, table);
  return ((await made?.file.text()) ?? '').trimEnd().split('\r\n').slice(1);
}

const FIRST_PAGE = Array.from({ length: ROWS_PER_CALL }, (_, n) => row({ DocNo: `${n}/26` }));

it('has every page of the list, with nothing that a spreadsheet would run as a formula', async () => {
  const other = row({
    Name: '=1+1; y otra',
    Amount: -0.29,
    VatAmount: 0,
    AmountIncludingVat: -0.29,
  });
  const lines = await linesOf([FIRST_PAGE, [other]]);
  expect(lines).toHaveLength(ROWS_PER_CALL + 1);
  expect(lines[0]).toBe(
    '25/11/2026;0/26;F1;;A58818501;Talleres Ruiz;1234,50;259,25;1493,75;1234,50;259,25;1493,75;Registrada;A1',
  );
  expect(lines.at(-1)).toBe(
    `25/11/2026;00001/26;F1;;A58818501;"'=1+1; y otra";-0,29;0,00;-0,29;-0,29;0,00;-0,29;Registrada;A1`,
  );
});

it('has an invoice only once if it moved to the next page meanwhile', async () => {
  const [last] = FIRST_PAGE.slice(-1);
  const lines = await linesOf([FIRST_PAGE, [last as InvoiceRow, row({})]]);
  expect(lines).toHaveLength(ROWS_PER_CALL + 1);
});

it('adds up: an annulled invoice counts zero, and one that replaces another counts the change', async () => {
  const says = (total: number) => ({ Amount: total, VatAmount: 0, AmountIncludingVat: total });
  const lines = await linesOf([
    [
      row({ DocNo: '1', ...says(100) }),
      row({ DocNo: '2', ...says(50), Status: 'Anulada' }),
      // It replaces the first with 80; 10 was credited on the second; the ticket was exchanged.
      row({ DocNo: '3', Tipo: 'R4', Metodo: 'S', ...says(80), Sustituido: says(100) }),
      row({ DocNo: '4', Tipo: 'R1', Metodo: 'I', ...says(-10) }),
      row({ DocNo: '5', Tipo: 'F2', ...says(20.05) }),
      row({ DocNo: '6', Tipo: 'F3', ...says(20.05), Sustituido: says(20.05) }),
      row({
        DocNo: '7',
        Tipo: 'R4',
        Metodo: 'S',
        Status: 'Anulada',
        ...says(70),
        Sustituido: says(80),
      }),
    ],
  ]);
  const cells = lines.map((line) => line.split(';'));
  expect(cells.map((line) => [line[3], line[8], line[11]])).toEqual([
    ['', '100,00', '100,00'],
    ['', '50,00', '0,00'],
    ['Por sustitución', '80,00', '-20,00'],
    ['Por diferencias', '-10,00', '-10,00'],
    ['', '20,05', '20,05'],
    ['', '20,05', '0,00'],
    ['Por sustitución', '70,00', '0,00'],
  ]);
});

it('has what the clients withheld, if any did', async () => {
  const says = (total: number) => ({ Amount: total, VatAmount: 0, AmountIncludingVat: total });
  const lines = await linesOf([
    [
      row({ DocNo: '1', ...says(100), Retencion: 15 }),
      row({ DocNo: '2', ...says(50), Retencion: 7.5, Status: 'Anulada' }),
      row({
        ...says(80),
        DocNo: '3',
        Tipo: 'R4',
        Metodo: 'S',
        Retencion: 5.6,
        Sustituido: { ...says(100), Retencion: 15 },
      }),
      row({ DocNo: '4', ...says(20) }),
    ],
  ]);
  const cells = lines.map((line) => line.split(';'));
  expect(cells.map((line) => line.slice(14))).toEqual([
    ['15,00', '15,00'],
    ['7,50', '0,00'],
    ['5,60', '-9,40'],
    ['0,00', '0,00'],
  ]);
});

it.each([
  ['only by itself, as it is annulled', { Retencion: 15, Status: 'Anulada' }, ['15,00', '0,00']],
  [
    'only on what it replaces',
    { Sustituido: { Amount: 1, VatAmount: 0, AmountIncludingVat: 1, Retencion: 15 } },
    ['0,00', '-15,00'],
  ],
  ['nowhere', {}, []],
] satisfies [string, Partial<InvoiceRow>, string[]][])(
  'has what is withheld %s',
  async (_, change, cells) => {
    const [line] = await linesOf([[row(change)]]);
    expect(line?.split(';').slice(14)).toEqual(cells);
  },
);

it('reports its progress, and how many it wrote', async () => {
  const told: ListProgress[] = [];
  const made = await listFile(
    {
      pageOf: pagesOf([FIRST_PAGE, [row({})]]),
      onProgress: (progress) => told.push(progress),
    },
    invoiceTable(),
  );
  expect(told).toEqual([{ done: ROWS_PER_CALL, total: ROWS_PER_CALL + 1, isMore: false }]);
  expect(made?.invoices).toBe(ROWS_PER_CALL + 1);
});

it('makes no file if it is stopped halfway', async () => {
  let isStopped = false;
  const made = await listFile(
    {
      pageOf: pagesOf([FIRST_PAGE, [row({})]]),
      onProgress: () => {
        isStopped = true;
      },
      isStopped: () => isStopped,
    },
    invoiceTable(),
  );
  expect(made).toBeNull();
});

it('sums by client and quarter, taxes included', async () => {
  const of = (DocNo: string, PostingDate: string, change: Partial<InvoiceRow>) =>
    row({ DocNo, PostingDate, ...change });
  const says = (AmountIncludingVat: number) => ({ Amount: 0, VatAmount: 0, AmountIncludingVat });
  const replaces = { Tipo: 'R4', Metodo: 'S', Sustituido: says(100) } as const;
  const rows = [
    of('6', '2027-01-01', says(9)),
    of('5', '2026-12-31', { ...says(80), ...replaces }),
    of('4', '2026-04-01', { ...says(500), CIF: 'B12345674', Name: 'Otro' }),
    of('3', '2026-03-31', { ...says(50), Status: 'Anulada' }),
    of('2', '2026-01-02', { ...says(3.5), CIF: '', Name: 'Cliente de mostrador' }),
    of('1', '2026-01-01', says(100)),
    of('S1', '2026-01-01', { ...says(2), CIF: '', Name: '' }),
  ];
  expect(await linesOf([rows], clientTable())).toEqual([
    'B12345674;Otro;1;0,00;500,00;0,00;0,00;500,00',
    'A58818501;Talleres Ruiz;3;100,00;0,00;-20,00;9,00;89,00',
    ';Cliente de mostrador;1;3,50;0,00;0,00;0,00;3,50',
    ';Sin cliente;1;2,00;0,00;0,00;0,00;2,00',
  ]);
});

it('does not take clients of two countries with one number for the same', async () => {
  const says = (AmountIncludingVat: number) => ({ Amount: 0, VatAmount: 0, AmountIncludingVat });
  const suisse = { CIF: '123456', Name: 'Suisse SA', Pais: 'CH' };
  const maroc = { CIF: '123456', Name: 'Maroc SARL', Pais: 'MA' };
  const rows = [
    row({ DocNo: '3', ...suisse, ...says(5) }),
    row({
      DocNo: '2',
      ...maroc,
      ...says(70),
      Sustituido: { ...says(70), DeOtros: [{ ...suisse, AmountIncludingVat: 70 }] },
    }),
    row({ DocNo: '1', ...suisse, ...says(100) }),
  ];
  expect(await linesOf([rows], clientTable())).toEqual([
    '123456;Maroc SARL;1;70,00;70,00',
    '123456;Suisse SA;2;35,00;35,00',
  ]);
});

it('counts a ticket exchanged for a full invoice for its client, and no longer over the counter', async () => {
  const says = (AmountIncludingVat: number) => ({ Amount: 0, VatAmount: 0, AmountIncludingVat });
  const counter = { CIF: '', Name: 'Cliente de mostrador' };
  const rows = [
    row({
      DocNo: '2',
      Tipo: 'F3',
      PostingDate: '2026-04-01',
      ...says(180),
      Sustituido: { ...says(180), DeOtros: [{ ...counter, AmountIncludingVat: 180 }] },
    }),
    row({ DocNo: '1', Tipo: 'F2', PostingDate: '2026-03-31', ...says(180), ...counter }),
  ];
  expect(await linesOf([rows], clientTable())).toEqual([
    'A58818501;Talleres Ruiz;1;0,00;180,00;180,00',
    ';Cliente de mostrador;1;180,00;-180,00;0,00',
  ]);
});
