import { describe, expect, it } from 'vitest';
import { fillTemplate, LISTS } from '../../tests/support/fill-template.ts';
import { describeFile } from './describe-file.ts';
import { readFile } from './read-file.ts';

it('refuses a cell with the replacement character of an unreadable letter, naming its row', async () => {
  const file = await fillTemplate({
    Productos: [
      ['P1', 'Jamón', '10,00', 'Unidad'],
      ['P2', 'Jam\ufffdn', '10,00', 'Unidad'],
    ],
  });
  const { items } = await readFile(file, LISTS, null);
  expect(items.rows.map(({ problems }) => problems)).toEqual([
    [],
    [expect.objectContaining({ key: 'Name', fila: 5, mensaje: expect.stringContaining('\ufffd') })],
  ]);
});

it('offers a product no tax that it cannot have', () => {
  const taxes = LISTS.impuestosDeProducto.map(({ value }) => value);
  expect(taxes).toEqual(expect.arrayContaining(['IVA21', 'IVA10', 'IVA4']));
  expect(taxes.length).toBeLessThan(LISTS.impuestos.length);
});

it('tells an unknown country some names of countries, as its drop-down does', async () => {
  const file = await fillTemplate({
    Clientes: [['', 'Uno, S.L.', 'B12345674', 'Calle Mayor, 1', '28013', '', 'Narnia']],
  });
  const { clientes } = await readFile(file, LISTS, null);
  expect(clientes.rows[0]?.problems).toEqual([
    expect.objectContaining({
      key: 'countryCode',
      mensaje: '«Narnia» no está en la lista. Valores: España, Afganistán, Albania, Alemania…',
    }),
  ]);
});

it('takes as many emoji as letters, as the forms do', async () => {
  const file = await fillTemplate({
    Productos: [
      ['P1', '🥖'.repeat(250), '10,00', 'Unidad'],
      ['P2', '🥖'.repeat(251), '10,00', 'Unidad'],
    ],
  });
  const { items } = await readFile(file, LISTS, null);
  expect(items.rows.map(({ problems }) => problems.map(({ mensaje }) => mensaje))).toEqual([
    [],
    ['No puede pasar de 250 caracteres: tiene 251.'],
  ]);
});

describe('the lines of an invoice in a file that names it in the first of them', () => {
  const TITLES =
    'Número;Empresa/NIF;Fecha de factura;Líneas de factura/Etiqueta;Líneas de factura/Cantidad;Líneas de factura/Precio unitario';

  async function rowsOf(...rows: readonly string[]) {
    const file = Buffer.from([TITLES, ...rows].join('\n'));
    const { hojas, decimal } = await describeFile(file, LISTS, () => {});
    const mapped = hojas.map(({ hoja, fila, propuestas }) => ({
      hoja,
      fila,
      destino: 'Facturas' as const,
      columnas: propuestas.Facturas,
      fijos: {},
    }));
    const { facturas } = await readFile(file, LISTS, { decimal, hojas: mapped });
    return facturas.rows.map(({ values, problems }) => ({
      referencia: values.referencia,
      invoiceDate: values.invoiceDate,
      cliente: values.cliente,
      missing: problems.map(({ key }) => key).filter((key) => key !== 'tax'),
    }));
  }

  const FIRST = { referencia: 'F1', invoiceDate: '2026-01-15', cliente: 'B12345674', missing: [] };

  it('all belong to it', async () => {
    const rows = await rowsOf(
      'F1;B12345674;15/01/2026;Grifo;2;48,90',
      ';;;Mano de obra;1;38',
      ';;;Cuota mensual;1;20',
      'F2;A58818501;16/01/2026;Desatasco;1;90',
    );
    expect(rows).toEqual([
      ...[FIRST, FIRST, FIRST],
      { referencia: 'F2', invoiceDate: '2026-01-16', cliente: 'A58818501', missing: [] },
    ]);
  });

  it('all belong to it, also behind a sum of those above', async () => {
    const [first, sum, second] = await rowsOf(
      'F1;B12345674;15/01/2026;Grifo;2;48,90',
      ';;;Subtotal;1;97,80',
      ';;;Codo;1;2',
    );
    expect([first, second]).toEqual([FIRST, FIRST]);
    expect(sum?.missing).toEqual(['referencia', 'invoiceDate']);
  });

  it.each([
    ['without anything above it', [';;;Grifo;2;48,90']],
    ['with a client of its own', ['F1;B12345674;15/01/2026;Grifo;2;48,90', ';A58818501;;Codo;1;2']],
    ['without a text, as sums are', ['F1;B12345674;15/01/2026;Grifo;2;48,90', ';;;;2;97,80']],
    [
      'behind one with a client of its own',
      ['F1;B12345674;15/01/2026;Grifo;2;48,90', ';A58818501;;Codo;1;2', ';;;Tubo;1;3'],
    ],
    ['behind a blank row', ['F1;B12345674;15/01/2026;Grifo;2;48,90', ';;;;;', ';;;Codo;1;2']],
    ...['Subtotal', 'Total factura F1:', 'Base imponible', 'Cuota IVA', 'I.V.A. (21%)'].map(
      (text) => [text, ['F1;B12345674;15/01/2026;Grifo;2;48,90', `;;;${text};1;97,80`]] as const,
    ),
  ] as const)('but not one %s', async (_, rows) => {
    const last = (await rowsOf(...rows)).at(-1);
    expect(last?.missing).toEqual(expect.arrayContaining(['referencia', 'invoiceDate']));
  });
});
