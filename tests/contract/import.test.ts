import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { openXlsx, readXlsx, saveXlsx, writeXlsx } from 'hucre/xlsx';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findProgram } from '../../scripts/programs.mjs';
import type {
  ColumnasLeidas,
  Correspondencia,
  DestinoImportar,
  Importacion,
  ImportExcelAnswer,
  SaveDataAnswer,
} from '../../src/contract/imports.ts';
import { decimalToEs } from '../../src/domain/money.ts';
import { fillTemplate, line } from '../support/fill-template.ts';
import {
  type Answer,
  expectOk,
  openWorld,
  type TestCompany,
  untilTrue,
  type World,
} from '../support/world.ts';
import { zipOf } from '../support/zip-of.ts';

let world: World;
let company: TestCompany;

beforeAll(async () => {
  world = await openWorld();
  company = await world.signUp('B12345674');
});
afterAll(() => world.close());

const upload = (file: Uint8Array, who = company): Promise<Answer<ImportExcelAnswer>> =>
  who.call('POST', '/api/PostData/ImportExcel', { File: Buffer.from(file).toString('base64') });

const columnsOf = (file: Uint8Array, who = company): Promise<Answer<ColumnasLeidas>> =>
  who.call('POST', '/api/PostData/LeerColumnas', { File: Buffer.from(file).toString('base64') });

/** The proposed answers, as sent by a user who presses «Ver qué pasará» without touching anything. */
function proposed({ hojas, decimal, campos }: ColumnasLeidas): Correspondencia {
  const mapped = hojas.flatMap(({ hoja, fila, destino, propuestas }) => {
    if (!destino) return [];
    const fijos = campos[destino].flatMap(({ clave, fijo }) =>
      fijo ? [[clave, fijo.inicial] as const] : [],
    );
    return [
      { hoja, fila, destino, columnas: propuestas[destino], fijos: Object.fromEntries(fijos) },
    ];
  });
  return { decimal, hojas: mapped };
}

const uploadAs = (
  file: Uint8Array,
  Columnas: Correspondencia,
  who = company,
): Promise<Answer<ImportExcelAnswer>> =>
  who.call('POST', '/api/PostData/ImportExcel', {
    File: Buffer.from(file).toString('base64'),
    Columnas: JSON.stringify(Columnas),
  });

const save = (
  { clientes, items, facturas, importId }: ImportExcelAnswer,
  who = company,
): Promise<Answer<SaveDataAnswer>> =>
  who.call('POST', '/api/PostData/SaveData', {
    Clientes: clientes,
    Items: items,
    Facturas: facturas,
    importId,
  });

async function namesOf(who: TestCompany): Promise<string[]> {
  const all = expectOk(await who.call<{ Name: string }[]>('GET', '/api/GetData/GetClientes'));
  return all.map(({ Name }) => Name);
}

/** The message for a file that is refused as a whole. */
async function refusalOf(file: Uint8Array): Promise<unknown> {
  const { status, body } = await upload(file);
  expect(status).toBe(400);
  return (body as unknown as { message: unknown }).message;
}

const MUNOZ = ['', 'Ferretería Muñoz & Hijos <S.L.> 🔩', 'B-58.818.501', 'C/ Mayor, 3', '28013'];

describe('GetTemplateExcel', () => {
  it('returns a workbook with the sheets, the lists and its version mark', async () => {
    const base64 = expectOk(await company.call<string>('GET', '/api/GetData/GetTemplateExcel'));
    const workbook = await readXlsx(Buffer.from(base64, 'base64'));
    expect(workbook.sheets.map(({ name }) => name)).toEqual([
      ...['Instrucciones', 'Clientes', 'Productos', 'Facturas', 'Listas'],
    ]);
    const [, clientes, , , listas] = workbook.sheets;
    expect(clientes?.rows[0]?.slice(0, 3)).toEqual([
      ...['Código', 'Nombre o razón social*', 'NIF/CIF'],
    ]);
    expect(clientes?.dataValidations).toHaveLength(4);
    expect(listas?.rows[0]?.[0]).toBe('huella-plantilla-importacion');
    expect(workbook.properties?.custom?.plantilla_version).toBe(3);
  });

  it('contains nothing to import as downloaded: its examples are not data', async () => {
    const base64 = expectOk(await company.call<string>('GET', '/api/GetData/GetTemplateExcel'));
    expect(await refusalOf(Buffer.from(base64, 'base64'))).toBe(
      'La plantilla no tiene datos. Escríbelos desde la fila 4.',
    );
  });

  it('is read as it was before it had «Población», but not in a future version', async () => {
    const filled = await readXlsx(
      await fillTemplate({
        Clientes: [['', 'Lienzos, S.L.', 'B12345674', '', '01001', 'Vitoria']],
      }),
    );
    const saved = (version: number) =>
      writeXlsx({
        sheets: filled.sheets.map(({ name, rows }) => ({
          name,
          rows: rows.map((row, i) => {
            if (name === 'Listas' && i === 0) return [row[0] ?? null, String(version)];
            return name === 'Clientes' ? row.toSpliced(5, 1) : row;
          }),
        })),
      });
    const { clientes, errores } = expectOk(await upload(await saved(1)));
    expect(errores).toEqual([]);
    expect(clientes).toMatchObject([{ Name: 'Lienzos, S.L.', postCode: '01001' }]);
    expect(await refusalOf(await saved(4))).toMatch(/otra versión de la plantilla/);
  });

  it('survives LibreOffice: opened, saved again and filled in, it is still the template', async (context) => {
    if (!hasCalc) context.skip('soffice is not installed');
    const blankRows = 2_000; // As when it is downloaded.
    const filled = await fillTemplate(
      { Clientes: [['', 'Lienzos, S.L.', 'B12345674', '', '01001']] },
      blankRows,
    );
    const saved = throughCalc(filled);
    const workbook = await readXlsx(saved);
    expect(workbook.sheets[1]?.dataValidations).toHaveLength(4);
    expect(workbook.namedRanges?.map(({ name }) => name)).toContain('lista_paises');
    const { clientes, errores } = expectOk(await upload(saved));
    expect(errores).toEqual([]);
    expect(clientes).toMatchObject([{ Name: 'Lienzos, S.L.', postCode: '01001' }]);
  });

  it('survives LibreOffice with its errors: every comment, every value, and the same errors again', async (context) => {
    if (!hasCalc) context.skip('soffice is not installed');
    const file = await fillTemplate({
      Clientes: [
        ['0007', 'Ñandú & Hijos <S.L.> 🔩', 'B12345670', 'C/ Mayor, 3', '01001'],
        ['', '=1+1', 'B12345674', '', '101'],
      ],
      Facturas: [line('A-1', 'A58818501', { cantidad: '' })],
    });
    const base64 = expectOk(
      await company.call<string>('POST', '/api/PostData/ImportExcelErrores', {
        File: file.toString('base64'),
      }),
    );
    const marked = Buffer.from(base64, 'base64');
    const saved = throughCalc(marked);
    const [before, after] = await Promise.all([marked, saved].map((one) => readXlsx(one)));
    const commentsOf = (sheet: number, workbook = before) =>
      [...(workbook?.sheets[sheet]?.cells ?? [])].flatMap(([cell, { comment }]) =>
        comment ? [`${cell} ${comment.text}`] : [],
      );
    for (const sheet of [1, 3]) {
      expect(commentsOf(sheet, after).toSorted()).toEqual(commentsOf(sheet).toSorted());
    }
    expect(commentsOf(1)).toHaveLength(2);
    const first = expectOk(await upload(file));
    const again = expectOk(await upload(saved));
    expect(again.errores).toEqual(first.errores.map((error) => ({ ...error })));
    expect(again.filas).toEqual(first.filas);
  });
});

const hasCalc = findProgram('soffice') !== '';

/** What LibreOffice makes of a workbook that it opens and saves. */
function throughCalc(file: Uint8Array): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'huella-calc-'));
  try {
    writeFileSync(join(folder, 'libro.xlsx'), file);
    execFileSync('soffice', [
      ...[`-env:UserInstallation=file://${folder}/profile`, '--headless'],
      ...['--convert-to', 'xlsx:Calc MS Excel 2007 XML', '--outdir', join(folder, 'out')],
      join(folder, 'libro.xlsx'),
    ]);
    return readFileSync(join(folder, 'out', 'libro.xlsx'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe('ImportExcel', () => {
  it('says what each row would do, and saves nothing', async () => {
    const file = await fillTemplate({
      Clientes: [
        [
          '',
          'Nueva, S.A.',
          'B12345674',
          '',
          '28013',
          'Madrid',
          'españa',
          '',
          '30D',
          'transferencia bancaria',
        ],
        // Its NIF is that of an existing customer.
        ['', 'Cliente de Prueba, S.A.', 'a58818501', '', '08013'],
      ],
      Productos: [['P001', 'Hora de consultoría', '1.234,50 €', 'h']],
      Facturas: [line('A-1', 'B12345674'), line('A-1', 'B12345674', { precio: '10' })],
    });
    const answer = expectOk(await upload(file));
    expect(answer.errores).toEqual([]);
    expect(answer.clientes).toMatchObject([
      {
        accion: 'nuevo',
        municipio: 'Madrid',
        countryCode: 'ES',
        PaymentTerms: '30D',
        PaymentMethod: 'TRANSF',
      },
      { accion: 'igual', No: company.customerNo },
    ]);
    expect(answer.items).toMatchObject([{ UnitPrice: 1234.5, UnitOfMeasure: 'HORA' }]);
    // 2 × 45,00 + 2 × 10,00 = 110,00; with 21 % of IVA, 133,10.
    expect(answer.facturas).toMatchObject([
      { referencia: 'A-1', total: 133.1, invoiceDate: '2026-01-15', accion: 'nuevo' },
    ]);
    expect(answer.facturas[0]?.invoiceItems).toHaveLength(2);
    expect(answer.resumen.clientes).toEqual({ nuevo: 1, actualizado: 0, igual: 1, erroneo: 0 });
    expect(await namesOf(company)).not.toContain('Nueva, S.A.');
  });

  it('reports how much of a file has been read and checked', async () => {
    // Records the reported progress, because how often one can ask meanwhile depends on the machine.
    await world.sql.unsafe(`
      create table percents_noted (at bigserial, percent int);
      create function keep_percent() returns trigger language plpgsql security definer as $$
      begin insert into percents_noted (percent) values (new.percent); return null; end $$;
      create trigger keep_percent after update on import_readings
        for each row execute function keep_percent()`);
    const rows = Array.from({ length: 4_000 }, (_, i) => ['', `Producto ${i}`, '1,5', 'UD']);
    const file = await fillTemplate({ Productos: rows });
    expectOk(await upload(file));
    const noted = await world.sql<{ percent: number }[]>`
      select percent from percents_noted where percent > 0 order by at`;
    await world.sql`drop function keep_percent cascade`;
    const percents = noted.map(({ percent }) => percent);
    expect(percents).toEqual(percents.toSorted((a, b) => a - b));
    expect(percents[0]).toBeLessThan(100);
    const { body } = await company.call<Importacion>('GET', '/api/GetData/GetImportacion');
    expect(body).not.toHaveProperty('leyendo');
  });

  it('knows that another process is reading, until that one has been silent for long', async () => {
    const importacion = () => company.call<Importacion>('GET', '/api/GetData/GetImportacion');
    const file = await fillTemplate({ Productos: [['', 'Uno', '1,5', 'UD']] });
    await world.sql`
      insert into import_readings (company_id, token, percent)
      values (${company.id}, gen_random_uuid(), 37)`;
    expect(expectOk(await importacion()).leyendo).toBe(37);
    expect((await upload(file)).status).toBe(409);

    await world.sql`update import_readings set updated_at = now() - interval '31 seconds'`;
    expect(expectOk(await importacion())).not.toHaveProperty('leyendo');
    expectOk(await upload(file));
    expect(await world.sql`select 1 from import_readings`).toHaveLength(0);
  });

  it('points at each wrong cell: sheet, row, column, and what to write', async () => {
    const file = await fillTemplate({
      Clientes: [
        ['', '', 'B12345674'],
        ['', 'NIF mal', 'B12345670'],
        ['', 'CP corto', '', '', '1001', '', 'Narnia'],
        ['', 'Uno', 'B12345674'],
        ['', 'Otra vez', 'B12345674'],
      ],
      Productos: [['', 'Sin precio', 'gratis']],
      Facturas: [
        line('F-1', 'B99999999'),
        line('F-2', 'A58818501', { fecha: '31/02/2026' }),
        line('F-3', 'A58818501', { cantidad: '' }),
        line('F-4', 'A58818501', { impuesto: 'IVA 18' }),
        line('F-5', 'A58818501', { total: '100' }),
        line('F-6', 'A58818501', { fecha: '01/01/2090' }),
        line('F-7', 'A58818501'),
        line('F-7', 'B12345674'),
      ],
    });
    const { errores, filas, resumen } = expectOk(await upload(file));
    const at = (celda: string, hoja: string) =>
      errores.find((error) => error.celda === celda && error.hoja === hoja);
    const noteAt = (fila: number, hoja: string) =>
      filas.find((row) => row.fila === fila && row.hoja === hoja)?.nota;
    expect(at('B4', 'Clientes')).toMatchObject({ fila: 4, columna: 'Nombre o razón social' });
    expect(at('C5', 'Clientes')?.valor).toBe('B12345670');
    expect(at('G6', 'Clientes')?.mensaje).toContain('Narnia');
    expect(at('C8', 'Clientes')?.mensaje).toBe(
      'El NIF B12345674 está repetido: ya está en la fila 7.',
    );
    expect(at('C4', 'Productos')?.mensaje).toContain('no es un número');
    expect(at('D4', 'Facturas')?.mensaje).toContain('B99999999');
    expect(at('B5', 'Facturas')?.mensaje).toContain('31/02/2026');
    expect(at('G6', 'Facturas')?.mensaje).toBe('Falta: Cantidad.');
    expect(at('J7', 'Facturas')?.mensaje).toContain('IVA 18');
    // 2 × 45,00 at 21 % is 108,90.
    expect(at('N8', 'Facturas')?.mensaje).toContain('108,90');
    expect(at('B9', 'Facturas')?.mensaje).toContain('futura');
    expect(at('D11', 'Facturas')?.mensaje).toContain('distinto');
    // The list of rows has no cells: its sentences say which column, and whether there is more.
    expect(noteAt(4, 'Clientes')).toBe('Falta: Nombre o razón social.');
    expect(noteAt(4, 'Productos')).toMatch(/^Precio sin IVA · .*no es un número/);
    expect(resumen.facturas).toEqual({ nuevo: 0, actualizado: 0, igual: 0, erroneo: 7 });
  });

  it('names all wrong cells of a row at once, and none that only follows from another', async () => {
    const file = await fillTemplate({
      Clientes: [
        // A term that is unknown is left out.
        ['', '', 'B12345670', '', '101', '', 'ES', 'nada', 'Tarde'],
        // Whether a number is a NIF, and a code a postal code, depends on the country.
        ['', 'Lejos', 'X1', '', 'AB', '', 'Narnia', 'nada'],
      ],
      // And so is a unit.
      Productos: [['', '', '-1', 'Palmo']],
      Facturas: [
        ['F-1', 'ayer', 'F1', 'B99999999', 'Mesa', '', '0', '45', '200', 'EXENTO20'],
        [
          'F-2',
          '2026-11-01',
          'F1',
          'B12345674',
          'Mesa',
          '',
          'dos',
          '-45',
          '',
          'IVA18',
          '',
          '',
          '',
          '1',
        ],
        // A customer may be missing and a price negative in some types of invoice, and this one's is not known.
        ['F-3', '2026-11-01', 'F9', '', 'Mesa', '', '1', '-45', '', 'IVA21'],
      ],
    });
    const { errores } = expectOk(await upload(file));
    const cellsOf = (name: string) =>
      errores.filter(({ hoja }) => hoja === name).map(({ celda }) => celda);
    expect(cellsOf('Clientes')).toEqual(['B4', 'C4', 'E4', 'H4', 'G5', 'H5']);
    expect(cellsOf('Productos')).toEqual(['B4', 'C4']);
    expect(cellsOf('Facturas')).toEqual(['B4', 'D4', 'G4', 'I4', 'D5', 'G5', 'J5', 'C6']);
  });

  it('returns the same file with comments on the wrong cells', async () => {
    const file = await fillTemplate({ Clientes: [['', '=HYPERLINK("http://x")', 'B12345670']] });
    const base64 = expectOk(
      await company.call<string>('POST', '/api/PostData/ImportExcelErrores', {
        File: file.toString('base64'),
      }),
    );
    const workbook = await readXlsx(Buffer.from(base64, 'base64'));
    const sheet = workbook.sheets[1];
    expect(sheet?.cells?.get('3,2')?.comment?.text).toContain('NIF');
    // What looks like a formula stays text, and cannot become one.
    expect(sheet?.cells?.get('3,1')?.formula).toBeUndefined();
    expect(sheet?.rows[3]?.[1]).toBe(`'=HYPERLINK("http://x")`);
    const again = expectOk(await upload(Buffer.from(base64, 'base64')));
    expect(again.errores).toHaveLength(1);
    expect(again.filas[0]?.nombre).toBe('=HYPERLINK("http://x")');
  });

  it('finds moved columns by their name, and reads numbers, dates and formulas of Excel', async () => {
    const workbook = await openXlsx(await fillTemplate({ Productos: [['', 'x', '1', '']] }));
    const sheet = workbook.sheets[2];
    if (!sheet) throw new Error('The template has no sheet of products.');
    sheet.rows = [
      ['Precio sin IVA', 'NOMBRE', 'unidad', 'Codigo', 'Precio con IVA', 'Tipo de IVA'],
      [0.1 + 0.2, 'Tornillo', 'kg', 'T1'],
      [null, 'Con fórmula', '', 'T2'],
    ];
    sheet.cells = new Map([
      ['2,0', { value: 2, type: 'formula', formula: '1+1', formulaResult: 2 }],
    ]);
    const { items, errores } = expectOk(await upload(await saveXlsx(workbook)));
    expect(errores).toEqual([]);
    expect(items).toMatchObject([
      { No: 'T1', UnitPrice: 0.3, UnitOfMeasure: 'KG' },
      { No: 'T2', UnitPrice: 2 },
    ]);
  });

  it('returns numbers from Excel as they would be typed: no decimals become thousands', async () => {
    const workbook = await openXlsx(await fillTemplate({ Productos: [['', 'x', '1', '']] }));
    const [, , products, invoices] = workbook.sheets;
    if (!products || !invoices) throw new Error('The template has no products or no invoices.');
    products.rows.splice(3, 1, ['T1', 'Tornillo', 1.459, 'UD', 'nada']);
    invoices.rows.splice(3, 0, [
      ...['A-1', '15/01/2026', 'F2', '', 'Tela', '', 2.375, 1.459, '', 'IVA21', '', '', '', 4.125],
    ]);
    const before = expectOk(await upload(await saveXlsx(workbook)));
    expect(before.errores.map(({ valor }) => valor)).toEqual(['nada', '4,125']);
    const base64 = expectOk(
      await company.call<string>('POST', '/api/PostData/ImportExcelErrores', {
        File: Buffer.from(await saveXlsx(workbook)).toString('base64'),
      }),
    );
    const mended = await openXlsx(Buffer.from(base64, 'base64'));
    mended.sheets[2]?.rows[3]?.splice(4, 1, 'IVA21');
    mended.sheets[3]?.rows[3]?.splice(13, 1, '4,19');
    for (const { cells } of mended.sheets.slice(2, 4)) cells?.clear();
    const { items, facturas, errores } = expectOk(await upload(await saveXlsx(mended)));
    expect(errores).toEqual([]);
    expect(items).toMatchObject([{ UnitPrice: 1.459 }]);
    expect(facturas).toMatchObject([{ invoiceItems: [{ quantity: '2,375', price: '1,459' }] }]);
  });

  it('refuses what is not the template, with an explanation', async () => {
    expect(await refusalOf(Buffer.from('nombre;nif\nUno;B1'))).toBe(
      'El archivo no es la plantilla oficial. Descárgala de nuevo.',
    );
    expect(await refusalOf(Buffer.from('89504e470d0a1a0a0000000d', 'hex'))).toBe(
      'El archivo no es un Excel (.xlsx) ni un texto con columnas (.csv).',
    );
    expect(await refusalOf(Buffer.from('<html><table><tr><td>Uno'))).toContain('página web');
    expect(await refusalOf(Buffer.from('d0cf11e0a1b11ae10000', 'hex'))).toContain('contraseña');
    const other = await writeXlsx({ sheets: [{ name: 'Clientes', rows: [['Nombre']] }] });
    expect(await refusalOf(other)).toBe(
      'El archivo no es la plantilla oficial. Descárgala de nuevo.',
    );
    const cut = (await fillTemplate({ Clientes: [MUNOZ] })).subarray(0, 9_000);
    expect(await refusalOf(cut)).toContain('dañado');
    expect(
      await refusalOf(
        zipOf([
          ['xl/workbook.xml', 'x'],
          ['xl/vbaProject.bin', 'x'],
        ]),
      ),
    ).toContain('macros');
    expect(
      await refusalOf(
        zipOf([
          ['xl/workbook.xml', 'x'],
          ['../../etc/passwd', 'x'],
        ]),
      ),
    ).toContain('dañado');
  });

  it.each(['ImportExcel', 'LeerColumnas', 'ImportExcelErrores'])(
    'answers 413 to a file of more than 5 MB sent to %s',
    async (call) => {
      const form = new FormData();
      form.set('File', new Blob([Buffer.alloc(5 * 1024 * 1024 + 1, 'a')]), 'grande.xlsx');
      const { status, body } = await company.call('POST', `/api/PostData/${call}`, form);
      expect(status).toBe(413);
      expect(body).toMatchObject({
        message: 'El archivo no puede pasar de 5 MB. Repártelo en varios.',
      });
    },
  );

  it('refuses zip bombs before unpacking them, by their declared and by their actual size', async () => {
    const zeros = Buffer.alloc(60 * 1024 * 1024);
    expect(
      await refusalOf(
        zipOf([
          ['xl/workbook.xml', 'x'],
          ['xl/worksheets/sheet1.xml', zeros],
        ]),
      ),
    ).toContain('demasiado grande');
    const lie = zipOf(
      [
        [
          'xl/workbook.xml',
          '<workbook><sheets><sheet name="Clientes" r:id="r1"/></sheets></workbook>',
        ],
        [
          'xl/_rels/workbook.xml.rels',
          '<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/></Relationships>',
        ],
        ['xl/worksheets/sheet1.xml', zeros],
      ],
      1_000,
    );
    expect(await refusalOf(lie)).toContain('dañado');
    const many = Array.from({ length: 300 }, (_, i): [string, string] => [`xl/${i}.xml`, 'x']);
    expect(await refusalOf(zipOf([['xl/workbook.xml', 'x'], ...many]))).toContain(
      'demasiado grande',
    );
  });

  it('warns about what does not prevent saving, names what changes, and fills in a line from its product', async () => {
    const own = await world.signUp('B58378431');
    const first = await fillTemplate({
      Clientes: [['K1', 'Uno', 'B12345674', '', '28013', '', 'España', 'a@uno.es;b@uno.es']],
      Productos: [['P7', 'Hora de taller', '31,25', 'Hora']],
      Facturas: [
        ['L-1', '15/01/2026', '', 'K1', 'p7', '', '2', '', '', 'IVA21'],
        ['L-1', '15/01/2026', '', 'K1', '', 'P7', '1', '30', '', 'IVA21'],
        ['L-2', '15/01/2026', '', 'K1', '', 'NO-ESTA', '1', '', '', 'IVA21'],
      ],
    });
    const preview = expectOk(await upload(first, own));
    expect(preview.avisos.map(({ columna, filas }) => [columna, filas])).toEqual([
      ['Dirección', 1],
      ['Email', 1],
    ]);
    expect(preview.facturas[0]?.invoiceItems).toMatchObject([
      { description: 'Hora de taller', price: '31,25', productNo: 'P7' },
      { description: 'Hora de taller', price: '30', productNo: 'P7' },
    ]);
    expect(preview.errores.map(({ celda, columna }) => [celda, columna])).toEqual([
      ['F6', 'Código de producto'],
      ['F6', 'Código de producto'],
    ]);
    expectOk(await save(preview, own));
    const second = await fillTemplate({
      Clientes: [['K1', 'Uno', 'B12345674', 'Calle Mayor, 1', '28014']],
      Productos: [['P7', 'Hora de taller', '33', 'Hora']],
    });
    const changes = expectOk(await upload(second, own));
    expect(changes.filas.map(({ nota }) => nota)).toEqual([
      'Cambia: Dirección, Código postal.',
      'Cambia: Precio sin IVA.',
    ]);
  });

  it('reads a credit with or without its sign, and says how to write what is deducted from an invoice', async () => {
    const credit = (referencia: string, cantidad: string, precio: string) =>
      line(referencia, 'A58818501', { tipo: 'R1', cantidad, precio }).with(11, '00001/LO');
    const file = await fillTemplate({
      Clientes: [['', 'Uno', 'A58818501', 'Calle Mayor, 1', '28013']],
      Facturas: [
        credit('A-1', '-2', '45'),
        credit('A-2', '2', '-45'),
        credit('A-3', '-2', '45'),
        credit('A-3', '1', '45'),
        line('F-1', 'A58818501'),
        line('F-1', 'A58818501', { cantidad: '-1', precio: '10' }),
        line('F-2', 'A58818501', { precio: '-10' }),
      ],
    });
    const { facturas, errores, avisos } = expectOk(await upload(file));
    expect(facturas.map(({ referencia, total }) => [referencia, total])).toEqual([
      ['A-1', -108.9],
      ['A-2', -108.9],
      ['F-1', 96.8],
    ]);
    expect(facturas[0]?.invoiceItems).toMatchObject([{ quantity: '2', price: '45' }]);
    const otherWay =
      'Si es un descuento, usa la columna «Descuento %»; si es una devolución, haz una rectificativa (R1 a R5).';
    expect(errores.map(({ celda, mensaje }) => [celda, mensaje])).toEqual([
      [
        'G6',
        'En una rectificativa las líneas van todas con el mismo signo: escribe en cada una solo lo que se devuelve.',
      ],
      ['H10', `El precio no puede ser negativo. ${otherWay}`],
    ]);
    expect(avisos.map(({ columna, mensaje }) => [columna, mensaje])).toEqual([
      [
        'Cantidad',
        `Con una cantidad negativa la factura entra como borrador, pero no se podrá registrar. ${otherWay}`,
      ],
    ]);
  });

  it('returns only the wrong rows, with all lines of a wrong invoice', async () => {
    const file = await fillTemplate({
      Clientes: [
        ['', 'Buena', 'B12345674'],
        ['', 'Mala', 'B12345670'],
      ],
      Facturas: [
        line('X-1', 'A58818501'),
        line('X-2', 'A58818501'),
        line('X-2', 'A58818501', { cantidad: '' }),
      ],
    });
    const base64 = expectOk(
      await company.call<string>('POST', '/api/PostData/ImportExcelErrores', {
        File: file.toString('base64'),
        SoloErrores: true,
      }),
    );
    const { sheets } = await readXlsx(Buffer.from(base64, 'base64'));
    const filled = (sheet: number, column: number) =>
      sheets[sheet]?.rows.slice(3).flatMap((row) => row[column] ?? []);
    expect(filled(1, 1)).toEqual(['Mala']);
    expect(filled(3, 0)).toEqual(['X-2', 'X-2']);
    expect(sheets[3]?.cells?.get('4,6')?.comment?.text).toBe('Falta: Cantidad.');
  });

  it('names the cells of merged data and of moved columns', async () => {
    const workbook = await openXlsx(await fillTemplate({ Productos: [['', 'x', '1', '']] }));
    const sheet = workbook.sheets[2];
    if (!sheet) throw new Error('The template has no sheet of products.');
    sheet.rows = [
      ['Precio sin IVA', 'NOMBRE', 'unidad', 'Codigo', 'Precio con IVA', 'Tipo de IVA'],
      ['caro', 'Tornillo', 'kg', 'T1'],
      [2, 'Tuerca', '', 'T2'],
    ];
    sheet.cells = new Map();
    sheet.merges = [{ startRow: 2, startCol: 1, endRow: 3, endCol: 1 }];
    const { errores } = expectOk(await upload(await saveXlsx(workbook)));
    expect(errores).toMatchObject([
      { celda: 'A2', valor: 'caro', columna: 'Precio sin IVA' },
      { celda: 'B3', mensaje: expect.stringContaining('combinada') },
    ]);
  });

  it('warns of columns that are not of the template', async () => {
    const workbook = await openXlsx(await fillTemplate({ Productos: [['', 'Uno', '1', '']] }));
    workbook.sheets[2]?.rows[0]?.push('Proveedor', 'Stock');
    const { avisos, errores } = expectOk(await upload(await saveXlsx(workbook)));
    expect(errores).toEqual([]);
    expect(avisos).toMatchObject([
      {
        hoja: 'Productos',
        fila: 1,
        mensaje: 'Estas columnas no son de la plantilla y no se importan: «Proveedor», «Stock».',
      },
    ]);
    workbook.sheets[2]?.rows[0]?.push(...Array.from({ length: 8 }, (_, i) => `Dato ${i}`));
    const [more] = expectOk(await upload(await saveXlsx(workbook))).avisos;
    expect(more?.mensaje).toMatch(/: «Proveedor», «Stock», .*«Dato 5» y 2 más\.$/);
  });

  it('refuses more rows than a sheet may have', async () => {
    const rows = Array.from({ length: 5_001 }, (_, i) => ['', `Producto ${i}`, '1']);
    expect(await refusalOf(await fillTemplate({ Productos: rows }))).toContain('como mucho 5.000');
  });
});

describe('a file of another program', () => {
  it('has the usual tax of the company where it says none', async () => {
    const bar = await world.signUp();
    expectOk(
      await bar.call('POST', '/api/PostData/SetDatosEmpresa3', { ImpuestoPorDefecto: 'IVA10' }),
    );
    const products = Buffer.from('Nombre;PVP\nMenú del día;12,10', 'latin1');
    const read = expectOk(await columnsOf(products, bar));
    const { items } = expectOk(await uploadAs(products, proposed(read), bar));
    // 12.10 with 10 %, and no tax of its own: in an invoice it takes the usual one.
    expect(items).toMatchObject([{ UnitPrice: 11 }]);
    expect(items[0]?.VATProdPostingGroup || '').toBe('');
    const taxOf = (who: ColumnasLeidas) =>
      who.campos.Facturas.find(({ clave }) => clave === 'tax')?.fijo?.inicial;
    expect(taxOf(read)).toBe('IVA10');
    expect(taxOf(expectOk(await columnsOf(products)))).toBe('IVA21');
  });

  it('is recognised by the names of its columns, and read with its own decimal and date signs', async () => {
    const own = await world.signUp('A81948077');
    // As a Spanish program on Windows writes it: a title above, Windows-1252, semicolons, decimal comma.
    const csv = [
      'Listado de facturas;;;;;',
      'Nº Factura;Fecha emisión;NIF Cliente;Descripción;Base imponible;% IVA;Importe total',
      '2026/1;15/01/2026 10:31;A-58818501;Reparación;1.234,50;21,00;1.493,75',
      '2026/2;16/01/2026;A58818501;Libros;100;4 %;104,00',
      '2026/3;17/01/2026;A58818501;Mal;12.50;21;',
    ].join('\r\n');
    const file = Buffer.from(csv, 'latin1');
    expect((await upload(file, own)).body).toMatchObject({ codigo: 'NOT_THE_TEMPLATE' });
    const columns = expectOk(await columnsOf(file, own));
    expect(columns).toMatchObject({
      decimal: ',',
      hojas: [{ fila: 2, filas: 3, destino: 'Facturas' satisfies DestinoImportar }],
    });
    expect(columns.hojas[0]?.propuestas.Facturas).toEqual({
      referencia: 0,
      invoiceDate: 1,
      cliente: 2,
      description: 3,
      price: 4,
      tax: 5,
      total: 6,
    });
    const answer = expectOk(await uploadAs(file, proposed(columns), own));
    expect(answer.facturas).toMatchObject([
      {
        referencia: '2026/1',
        invoiceDate: '2026-01-15',
        total: 1493.75,
        invoiceItems: [{ quantity: '1', price: '1234,5', tax: 'IVA21' }],
      },
      { total: 104, invoiceItems: [{ tax: 'IVA4' }] },
    ]);
    // The error names the cell and column of this file, and does not guess what 12.50 may mean.
    expect(answer.errores).toMatchObject([
      { hoja: 'Archivo', celda: 'E5', valor: '12.50', mensaje: expect.stringContaining('«,»') },
    ]);
    expect(expectOk(await save(answer, own)).facturas).toBe(2);
    expect(
      expectOk(await own.call<Importacion>('GET', '/api/GetData/GetImportacion')),
    ).toMatchObject({ estado: 'terminada', hechas: 2, total: 2, resultado: { facturas: 2 } });
    const again = expectOk(await uploadAs(file, proposed(columns), own));
    expect(again.importadoEl).toBeDefined();
    expect(again.resumen.facturas).toMatchObject({ igual: 2, erroneo: 1 });
  });

  it('may be a workbook with one sheet for each kind, with its columns in any order', async () => {
    const other = await writeXlsx({
      sheets: [
        {
          name: 'Hoja1',
          rows: [
            ['CIF', 'Razón Social', 'C.P.'],
            ['B12345674', 'Uno, S.L.', '01001'],
          ],
        },
        {
          name: 'Artículos',
          rows: [
            ['Precio', 'Descripción'],
            [12.5, 'Tornillo'],
            ['3', 'Tuerca'],
          ],
        },
        { name: 'Notas', rows: [['nada que ver']] },
      ],
    });
    const columns = expectOk(await columnsOf(other));
    expect(columns.hojas.map(({ hoja, destino }) => [hoja, destino])).toEqual([
      ['Hoja1', 'Clientes'],
      ['Artículos', 'Productos'],
    ]);
    const answer = expectOk(await uploadAs(other, proposed(columns)));
    expect(answer.errores).toEqual([]);
    expect(answer.clientes).toMatchObject([{ Name: 'Uno, S.L.', postCode: '01001' }]);
    expect(answer.items).toMatchObject([{ UnitPrice: 12.5 }, { UnitPrice: 3 }]);
  });

  it('takes ways of paying, terms and recargo in its own words, and leaves out what it cannot tell', async () => {
    const csv = [
      'Razón Social;F. Pago;Vto.;Recargo',
      'Uno, S.L.;Recibo;30 días;S',
      'Dos, S.L.;Giro 60 días;A 60 días;N',
      'Tres, S.L.;Como siempre;;',
      'Cuatro, S.L.;Pagaré a 90 días;;',
      'Cinco, S.L.;RECIBO DOMICILIADO;;',
    ];
    const file = Buffer.from(csv.join('\n'));
    const columns = proposed(expectOk(await columnsOf(file)));
    const { clientes, errores, avisos } = expectOk(await uploadAs(file, columns));
    expect(errores).toEqual([]);
    expect(clientes).toMatchObject([
      { PaymentMethod: 'DOMIC', PaymentTerms: '30D', CustomerPostingGroup: 'NACRE' },
      { PaymentMethod: 'GIRO', PaymentTerms: '60D', CustomerPostingGroup: 'NAC' },
      { PaymentMethod: 'TRANSF', PaymentTerms: '30D', CustomerPostingGroup: 'NAC' },
      { PaymentMethod: 'PAGARE' },
      { PaymentMethod: 'DOMIC' },
    ]);
    expect(avisos).toContainEqual(
      expect.objectContaining({
        columna: 'Forma de pago',
        fila: 4,
        mensaje: expect.stringMatching(/^«Como siempre» no está en la lista.*de tu perfil\.$/),
      }),
    );
  });

  it('gives a postal code the zero that a spreadsheet took away, and says so', async () => {
    const csv = [
      'Razón Social;C.P.;País',
      'Álava, S.L.;1001;España',
      'Barcelona, S.L.;8 001;',
      'Bern AG;3011;Suiza',
      'Acme Inc.;10001;EE.UU.',
    ];
    const file = Buffer.from(csv.join('\n'));
    const own = await world.signUp();
    const columns = proposed(expectOk(await columnsOf(file, own)));
    const answer = expectOk(await uploadAs(file, columns, own));
    expect(answer.errores).toEqual([]);
    expect(answer.clientes.map(({ postCode }) => postCode)).toEqual([
      ...['01001', '08001', '3011', '10001'],
    ]);
    expect(answer.avisos).toContainEqual(
      expect.objectContaining({
        columna: 'Código postal',
        fila: 2,
        filas: 2,
        mensaje: 'Le falta el cero de delante: se le pone.',
      }),
    );
    // Without NIF and code, a client is known by its name and its complete postal code.
    expectOk(await save(answer, own));
    const again = expectOk(await uploadAs(file, columns, own));
    expect(again.resumen.clientes).toMatchObject({ nuevo: 0, igual: 4 });
  });

  it('joins a name and an address that are in several columns, in whatever order', async () => {
    const own = await world.signUp();
    const clients = Buffer.from(
      [
        'Apellidos;Nombre;DNI;Calle;Nº;Piso;C.P.',
        'Pérez Gil;Ana;12345678Z;Calle Mayor;12;3.º B;28013',
        ';Talleres Gil, S.L.;B12345674;Calle Nueva;7;-;28013',
      ].join('\n'),
    );
    const columns = expectOk(await columnsOf(clients, own));
    expect(columns.campos.Clientes.filter(({ sigueA }) => sigueA === 'Name')).toMatchObject([
      { clave: 'Name2', titulo: 'Apellidos', obligatorio: false },
    ]);
    const answer = expectOk(await uploadAs(clients, proposed(columns), own));
    expect(answer.errores).toEqual([]);
    expect(answer.clientes).toMatchObject([
      { Name: 'Ana Pérez Gil', Address: 'Calle Mayor, 12, 3.º B', postCode: '28013' },
      { Name: 'Talleres Gil, S.L.', Address: 'Calle Nueva, 7' },
    ]);
    expect(answer.avisos.filter(({ fila }) => fila === 1)).toEqual([]);
    expect(expectOk(await save(answer, own)).clientes).toBe(2);
    expect(
      expectOk(await uploadAs(clients, proposed(columns), own)).resumen.clientes,
    ).toMatchObject({ igual: 2 });
  });

  it.each([
    [
      'Ana Pérez;12345678Z;28013',
      'La fila de los títulos parece tener datos: no se importa. Si lo son,',
    ],
    [
      'Ana Pérez;Sin NIF;Madrid',
      'No se reconoce ningún título en la fila de los títulos, que no se importa. Si son datos,',
    ],
  ])('warns that its first row is not imported where that has no titles: %s', async (row, told) => {
    const clients = Buffer.from(`${row}\nLuis Gil;87654321X;28014`);
    const columns = expectOk(await columnsOf(clients));
    const [sheet] = columns.hojas;
    const { avisos, clientes } = expectOk(
      await uploadAs(clients, {
        decimal: ',',
        hojas: [
          {
            hoja: sheet?.hoja ?? '',
            fila: sheet?.fila ?? 0,
            destino: 'Clientes',
            columnas: { Name: 0, VATRegistrationNo: 1, postCode: 2 },
            fijos: {},
          },
        ],
      }),
    );
    expect(clientes).toMatchObject([{ Name: 'Luis Gil' }]);
    expect(avisos).toContainEqual(
      expect.objectContaining({
        fila: 1,
        mensaje: `${told} escribe encima una fila con los títulos.`,
      }),
    );
  });

  it('warns of the suppliers in a list of contacts', async () => {
    const contacts = Buffer.from(
      ['Nombre;Tipo', 'Uno, S.L.;Cliente', 'Dos, S.L.;Proveedor', 'Tres, S.L.;Acreedor'].join('\n'),
    );
    const columns = proposed(expectOk(await columnsOf(contacts)));
    const { avisos, clientes, filas } = expectOk(await uploadAs(contacts, columns));
    expect(clientes).toHaveLength(3);
    expect(filas.map(({ parece }) => parece)).toEqual([undefined, 'proveedor', 'proveedor']);
    expect(avisos).toContainEqual({
      hoja: 'Archivo',
      columna: '',
      fila: 3,
      filas: 2,
      mensaje:
        'El archivo dice que es un proveedor: se importa como cliente. Si no es cliente tuyo, déjalo fuera.',
    });
  });

  it('warns of the persons that Odoo has beside their company', async () => {
    const contacts = Buffer.from(
      ['Nombre;NIF', '"Azulejos Rey, S.L.";B12345674', '"Azulejos Rey, S.L., Ana Gil";'].join('\n'),
    );
    const columns = proposed(expectOk(await columnsOf(contacts)));
    const { avisos, filas } = expectOk(await uploadAs(contacts, columns));
    expect(filas.map(({ parece }) => parece)).toEqual([undefined, 'contacto']);
    expect(avisos).toContainEqual({
      hoja: 'Archivo',
      columna: 'Nombre o razón social',
      fila: 3,
      filas: 1,
      mensaje: expect.stringMatching(/^Parece una persona de otra empresa de la lista/),
    });
  });

  it('leaves the NIF that Odoo gives them with their company, wherever that stands', async () => {
    const contacts = Buffer.from(
      [
        'Nombre;NIF',
        '"Azulejos Rey, S.L., Ana Gil";ESB12345674',
        '"Azulejos Rey, S.L.";ESB12345674',
      ].join('\n'),
    );
    const columns = proposed(expectOk(await columnsOf(contacts)));
    const { clientes, errores, filas } = expectOk(await uploadAs(contacts, columns));
    expect(errores).toEqual([]);
    expect(filas.map(({ parece }) => parece)).toEqual(['contacto', undefined]);
    expect(clientes).toMatchObject([
      { Name: 'Azulejos Rey, S.L., Ana Gil', VATRegistrationNo: '' },
      { Name: 'Azulejos Rey, S.L.', VATRegistrationNo: 'B12345674' },
    ]);
  });

  it('leaves out the sums under its list, and takes the first of several e-mails', async () => {
    const own = await world.signUp();
    // As Contaplus writes it: what it is and when, a blank row, and how many at the end.
    const clients = Buffer.from(
      [
        'LISTADO DE CLIENTES;;;FECHA: 27/11/2026;',
        ';;;;',
        'CÓDIGO;TÍTULO;N.I.F.;DOMICILIO;E-MAIL',
        '43000001;FERRETERÍA MUÑOZ, S.L.;B-12345674;C/ MAYOR, 3;ana@muñoz.es, luis@muñoz.es',
        '43000002;TOTAL ENERGÍA, S.L.;;S/N;admin@total.es / cobros@total.es',
        ';;;;',
        'TOTAL CLIENTES: 2;;;;',
        ...Array.from({ length: 300 }, () => '; ;;;'),
      ].join('\r\n'),
      'latin1',
    );
    const answer = expectOk(
      await uploadAs(clients, proposed(expectOk(await columnsOf(clients, own))), own),
    );
    expect(answer.errores).toEqual([]);
    expect(answer.clientes).toMatchObject([
      { No: '43000001', VATRegistrationNo: 'B12345674', Email: 'ana@xn--muoz-hqa.es' },
      { No: '43000002', Name: 'TOTAL ENERGÍA, S.L.', Email: 'admin@total.es' },
    ]);
    expect(answer.avisos).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ columna: 'Email', filas: 2 }),
        expect.objectContaining({
          fila: 7,
          mensaje: 'La última fila es de totales: no se importa.',
        }),
      ]),
    );
    // A client may be called «Total», if it says more of itself or has a code; and one row is no list with its sum.
    for (const rows of [
      ['Nombre;Domicilio', 'Uno;C/ A', 'Total;C/ B'],
      ['Código;Nombre', '1;Uno', '2;Total'],
      ['Nombre;Domicilio', 'Total;'],
      ['Nombre;Domicilio', 'Uno;C/ A', 'Total;', ' ;', 'Total;C/ B'],
    ]) {
      const file = Buffer.from(rows.join('\n'));
      const columns = proposed(expectOk(await columnsOf(file, own)));
      const { clientes } = expectOk(await uploadAs(file, columns, own));
      expect(clientes.at(-1)).toMatchObject({ Name: 'Total' });
    }
  });

  it('takes units in its own words, leaves out what is none, and asks for one of the two prices', async () => {
    const csv = ['Artículo;Descripción;Precio;Ud.', 'A1;Tubo;3,10;Mts.', 'A2;Codo;1,20;Palmo'];
    const file = Buffer.from(csv.join('\n'));
    const columns = expectOk(await columnsOf(file));
    const prices = columns.campos.Productos.filter(({ clave }) => /price/i.test(clave));
    expect(prices.map(({ clave, oBien }) => [clave, oBien])).toEqual([
      ['UnitPrice', 'priceWithTax'],
      ['priceWithTax', undefined],
    ]);
    const { items, errores, avisos } = expectOk(await uploadAs(file, proposed(columns)));
    expect(errores).toEqual([]);
    expect(items).toMatchObject([
      { No: 'A1', Name: 'Tubo', UnitOfMeasure: 'M' },
      { No: 'A2', Name: 'Codo', UnitOfMeasure: 'UD' },
    ]);
    expect(avisos).toMatchObject([
      { columna: 'Unidad', fila: 3, mensaje: expect.stringMatching(/^«Palmo».*«Unidad»\.$/) },
    ]);
  });

  it('takes the tax of each product, and subtracts it from a price that includes it', async () => {
    const csv = ['Artículo;P.V.P.;IVA', 'Pan;1,04;4%', 'Tarta;35,20;10', 'Vela;12,10;', 'Aro;;21'];
    const file = Buffer.from(csv.join('\n'));
    const columns = proposed(expectOk(await columnsOf(file)));
    expect(columns.hojas[0]?.columnas).toEqual({
      Name: 0,
      priceWithTax: 1,
      VATProdPostingGroup: 2,
    });
    const { items, errores } = expectOk(await uploadAs(file, columns));
    // 1.04 / 1.04, 35.20 / 1.10 and, with the general rate, 12.10 / 1.21.
    expect(items).toMatchObject([
      { Name: 'Pan', UnitPrice: 1, VATProdPostingGroup: 'IVA4' },
      { Name: 'Tarta', UnitPrice: 32, VATProdPostingGroup: 'IVA10' },
      { Name: 'Vela', UnitPrice: 10 },
    ]);
    expect(errores.map(({ columna, fila }) => [columna, fila])).toEqual([['Precio sin IVA', 5]]);
  });

  it('is read with its own signs in every cell, and what the user chooses for all is read with the user’s', async () => {
    const csv = [
      'Invoice;Date;Tipo;Description;Price;Tax rate',
      'W-1;15/01/2026;F2;Cloth;1.459;21.00',
      'W-2;15/01/2026;F2;Cloth;1,459.25;21',
      'W-3;15/01/2026;F2;Cloth;dear;21',
    ].join('\n');
    const file = Buffer.from(csv);
    const { decimal, hojas } = proposed(expectOk(await columnsOf(file)));
    expect(decimal).toBe('.');
    const fijos = { quantity: '1,5' };
    const columns = { decimal, hojas: hojas.map((hoja) => ({ ...hoja, fijos })) };
    const answer = expectOk(await uploadAs(file, columns));
    expect(answer.errores.map(({ celda }) => celda)).toEqual(['E4']);
    expect(answer.facturas).toMatchObject([
      { invoiceItems: [{ quantity: '1,5', price: '1,459' }] },
      { invoiceItems: [{ quantity: '1,5', price: '1459,25', tax: 'IVA21' }] },
    ]);
    const base64 = expectOk(
      await company.call<string>('POST', '/api/PostData/ImportExcelErrores', {
        File: file.toString('base64'),
        Columnas: JSON.stringify(columns),
      }),
    );
    const { sheets } = await readXlsx(Buffer.from(base64, 'base64'));
    expect(sheets[3]?.rows.slice(3, 6).map((row) => row[7])).toEqual(['1,459', '1459,25', 'dear']);
  });

  it('refuses a file without rows, with unclosed quotes or with unidentified columns', async () => {
    expect((await columnsOf(Buffer.from('nombre;nif'))).body).toMatchObject({
      message: 'El archivo no tiene filas debajo de los títulos.',
    });
    for (const text of ['hola, esto es un texto', 'hola\nqué tal']) {
      expect((await columnsOf(Buffer.from(text))).body).toMatchObject({
        message: 'El archivo no es un Excel (.xlsx) ni un texto con columnas (.csv).',
      });
    }
    const open = Buffer.from(`nombre;nif\n"Uno;${'x'.repeat(20_000)}`);
    expect((await columnsOf(open)).body).toMatchObject({
      message: expect.stringContaining('comillas'),
    });
    const file = Buffer.from('nombre;nif\nUno;B12345674');
    const { status, body } = await company.call<{ message: string }>(
      'POST',
      '/api/PostData/ImportExcel',
      { File: file.toString('base64'), Columnas: '{"decimal":"?"}' },
    );
    expect([status, body.message]).toEqual([400, expect.stringContaining('columna')]);
  });
});

describe('a price of up to six decimals', () => {
  interface Kept {
    readonly Name: string;
    readonly UnitPrice: number;
  }
  const pricesOf = async (who: TestCompany) =>
    new Map(
      expectOk(await who.call<Kept[]>('GET', '/api/GetData/GetProductos')).map((one) => [
        one.Name,
        one.UnitPrice,
      ]),
    );

  it('is the same typed in the template or sent as a number, and is saved as such', async () => {
    const own = await world.signUp('B87654323');
    const file = await fillTemplate({
      Productos: [
        ['', 'Con coma', '1,459'],
        ['', 'Con miles', '1.459'],
        ['', 'Medio', '2,375'],
      ],
      Facturas: [line('D-1', '', { tipo: 'F2', cantidad: '12,500', precio: '2,375' })],
    });
    const preview = expectOk(await upload(file, own));
    expect(preview.items.map(({ UnitPrice }) => UnitPrice)).toEqual([1.459, 1459, 2.375]);
    // 12,5 × 2,375 = 29,6875, and 21 %.
    expect(preview.facturas).toMatchObject([{ total: 35.92 }]);
    expectOk(await save(preview, own));
    const number = { No: 'TOR', Name: 'Tornillo', UnitOfMeasure: 'UD', UnitPrice: 3.125 };
    expectOk(await own.call('POST', '/api/PostData/SaveData', { Items: [number] }));
    expect(Object.fromEntries(await pricesOf(own))).toMatchObject({
      'Con coma': 1.459,
      'Con miles': 1459,
      Medio: 2.375,
      Tornillo: 3.125,
    });
    const again = expectOk(await upload(file, own));
    expect(new Set(again.filas.map(({ accion }) => accion))).toEqual(new Set(['igual']));
    expect(expectOk(await save(preview, own))).toEqual({ clientes: 0, items: 0, facturas: 0 });
  });

  it('survives the template, ImportExcel and SaveData, as does a line that takes it', async () => {
    const own = await world.signUp('B02826113');
    const millionths = fc.oneof(
      fc.integer({ min: 0, max: 9_999_999 }).map((thousandths) => thousandths * 1_000),
      fc.integer({ min: 0, max: 999_999_999 }),
    );
    const prices = fc.sample(millionths, { numRuns: 300, seed: 1 });
    const typed = prices.map((price) => decimalToEs(BigInt(price), 6));
    const file = await fillTemplate({
      Clientes: [MUNOZ.with(2, 'B12345674')],
      Productos: typed.map((price, i) => [`P${i}`, `Producto ${i}`, price]),
      Facturas: typed.map((_, i) => [
        ...['E-1', '15/01/2026', '', 'B12345674', '', `P${i}`, '1,125', '', '', 'IVA21'],
      ]),
    });
    const preview = expectOk(await upload(file, own));
    expect(preview.errores).toEqual([]);
    expect(expectOk(await save(preview, own))).toEqual({ clientes: 1, items: 300, facturas: 1 });
    const kept = await pricesOf(own);
    expect(prices.map((_, i) => kept.get(`Producto ${i}`))).toEqual(prices.map((one) => one / 1e6));
    const draft = expectOk(
      await own.call<{ invoiceItems: { quantity: string; price: string }[] }>(
        ...(['POST', '/api/PostData/GetEditInvoice', { No: 'B-1' }] as const),
      ),
    );
    const plain = ({ price }: { price: string }) => Number(price.replace(',', '.'));
    expect(draft.invoiceItems.map(plain)).toEqual(prices.map((one) => one / 1e6));
    expect(draft.invoiceItems.every(({ quantity }) => quantity === '1,125')).toBe(true);
  });
});

describe('SaveData', () => {
  it('takes the answer of ImportExcel as it is', async () => {
    const file = await fillTemplate({ Clientes: [['', 'Sin Prisa, S.L.', '', '', '28001']] });
    const own = await world.signUp('B35000009');
    const preview = expectOk(await upload(file, own));
    const saved = await own.call('POST', '/api/PostData/SaveData', preview);
    expect(expectOk(saved)).toEqual({ clientes: 1, items: 0, facturas: 0 });
    expect(await namesOf(own)).toContain('Sin Prisa, S.L.');
  });

  it('saves customers, products and drafts; the same file again duplicates nothing', async () => {
    const own = await world.signUp('B58818501');
    const file = await fillTemplate({
      Clientes: [MUNOZ.with(2, 'B12345674'), ['', 'Sin NIF', '', '', '28001']],
      Productos: [
        ['', 'Tornillo', '0,125'],
        ['P00001', 'Tuerca', '3'],
      ],
      Facturas: [
        line('A-1', 'B12345674'),
        line('A-2', 'B-12345674', { tipo: 'F2', concepto: 'Café' }),
        line('A-3', '', { tipo: 'F2' }),
      ],
    });
    const before = (await namesOf(own)).length;
    const preview = expectOk(await upload(file, own));
    expect(preview.errores).toEqual([]);
    const clientsOf = ({ filas }: ImportExcelAnswer) =>
      filas.filter(({ hoja }) => hoja === 'Facturas').map(({ cliente }) => cliente);
    expect(clientsOf(preview)).toEqual([0, 0, undefined]);
    expect(expectOk(await save(preview, own))).toEqual({ clientes: 2, items: 2, facturas: 3 });
    expect(clientsOf(expectOk(await upload(file, own)))).toEqual([undefined, undefined, undefined]);

    const clientes = expectOk(
      await own.call<{ No: string; Name: string }[]>('GET', '/api/GetData/GetClientes'),
    );
    expect(clientes).toHaveLength(before + 2);
    expect(clientes.map(({ Name }) => Name)).toContain(MUNOZ[1]);
    const productos = expectOk(
      await own.call<{ No: string }[]>('GET', '/api/GetData/GetProductos'),
    );
    // P00001 is taken in the same file: the other one gets the next code.
    expect(productos.map(({ No }) => No).toSorted()).toEqual(['P00001', 'P00002']);
    const drafts = expectOk(
      await own.call<{ DocNo: string; Name: string; Status: string; AmountIncludingVat: number }[]>(
        'GET',
        '/api/GetData/GetPendingInvoices',
      ),
    );
    expect(drafts.map(({ DocNo }) => DocNo).toSorted()).toEqual(['B-1', 'B-2', 'B-3']);
    expect(drafts.every(({ Status }) => Status === 'Borrador')).toBe(true);
    expect(drafts.find(({ DocNo }) => DocNo === 'B-1')).toMatchObject({
      Name: MUNOZ[1],
      AmountIncludingVat: 108.9,
    });

    const again = expectOk(await upload(file, own));
    expect(new Set(again.filas.map(({ accion }) => accion))).toEqual(new Set(['igual']));
    expect(expectOk(await save(again, own))).toEqual({ clientes: 0, items: 0, facturas: 0 });
    // The first payload, sent again by pressing twice, is also the same data.
    expect(expectOk(await save(preview, own))).toEqual({ clientes: 0, items: 0, facturas: 0 });
    expect(
      expectOk(await own.call<unknown[]>('GET', '/api/GetData/GetPendingInvoices')),
    ).toHaveLength(3);
  });

  it('finds the saved customer of an invoice that names it by the code of the file', async () => {
    const own = await world.signUp('A78923125');
    const file = await fillTemplate({
      Clientes: [MUNOZ.with(0, 'MI-7').with(2, 'A58818501')], // The company has this NIF under a code of its own.
      Facturas: [line('A-1', 'mi-7')],
    });
    const preview = expectOk(await upload(file, own));
    expect(preview.errores).toEqual([]);
    expect(preview.filas.map(({ accion, cliente }) => [accion, cliente])).toEqual([
      ['actualizado', undefined],
      ['nuevo', undefined],
    ]);
    expect(expectOk(await save(preview, own))).toEqual({ clientes: 1, items: 0, facturas: 1 });
    expect(
      expectOk(await own.call<{ CIF: string }[]>('GET', '/api/GetData/GetPendingInvoices')),
    ).toMatchObject([{ CIF: 'A58818501' }]);
    const again = expectOk(await upload(file, own));
    expect(again.filas.map(({ accion }) => accion)).toEqual(['igual', 'igual']);
  });

  it('saves once when the request is sent twice at the same time', async () => {
    const own = await world.signUp('A28599033');
    const preview = expectOk(
      await upload(
        await fillTemplate({
          Clientes: [MUNOZ.with(2, 'B12345674')],
          Facturas: [line('A-1', 'B12345674')],
        }),
        own,
      ),
    );
    const answers = (await Promise.all([save(preview, own), save(preview, own)])).map(expectOk);
    expect(answers.map(({ facturas }) => facturas).toSorted()).toEqual([0, 1]);
    expect((await namesOf(own)).filter((name) => name === MUNOZ[1])).toHaveLength(1);
  });

  it('changes a draft that came from the file, unless a user has changed it since', async () => {
    const first = expectOk(
      await upload(await fillTemplate({ Facturas: [line('C-1', 'A58818501')] })),
    );
    expectOk(await save(first));
    const other = await fillTemplate({ Facturas: [line('C-1', 'A58818501', { precio: '50' })] });
    const second = expectOk(await upload(other));
    expect(second.filas).toMatchObject([{ accion: 'actualizado' }]);
    expect(expectOk(await save(second)).facturas).toBe(1);
    const [draft] = expectOk(
      await company.call<{ DocNo: string; Amount: number }[]>(
        'GET',
        '/api/GetData/GetPendingInvoices',
      ),
    );
    expect(draft?.Amount).toBe(100);

    const edited = { ...second.facturas[0], notas: 'mía', draftNo: draft?.DocNo, accionFactura: 0 };
    const { referencia: _r, cliente: _c, total: _t, fila: _f, accion: _a, ...form } = edited;
    expectOk(await company.call('POST', '/api/PostData/SetFacturas', form));
    const third = expectOk(
      await upload(await fillTemplate({ Facturas: [line('C-1', 'A58818501')] })),
    );
    expect(third.filas).toMatchObject([
      { accion: 'igual', nota: expect.stringContaining('se queda como lo dejaste') },
    ]);
  });

  it('does not mistake another invoice for a registered one because its reference is reused', async () => {
    const own = await world.signUp('A15075062');
    const uploadLine = async (...given: Parameters<typeof line>) =>
      expectOk(await upload(await fillTemplate({ Facturas: [line(...given)] }), own));
    const first = await uploadLine('1', 'A58818501');
    expectOk(await save(first, own));
    expectOk(await own.call('POST', '/api/PostData/RegistrarTodas'));
    const [registered] = await untilTrue(
      () => world.sql<{ doc_no: string }[]>`
        select doc_no from invoices where company_id = ${own.id} and status <> 'Borrador'`,
      (rows) => rows.length === 1,
    );

    expect((await uploadLine('1', 'A58818501')).filas).toMatchObject([
      { accion: 'igual', nota: `Ya la importaste y está registrada: es la ${registered?.doc_no}.` },
    ]);
    const other = await uploadLine('1', 'A58818501', { concepto: 'Otra cosa', precio: '900' });
    expect(other.facturas).toEqual([]);
    expect(other.errores).toMatchObject([
      {
        celda: 'A4',
        mensaje: expect.stringContaining(`La referencia 1 ya es de la ${registered?.doc_no}`),
      },
    ]);
    // Not even if it was previewed before that one was registered.
    const [factura] = first.facturas;
    if (!factura) throw new Error('There was an invoice.');
    const late = await save(
      { ...first, facturas: [{ ...factura, invoiceDate: '2026-01-14' }] },
      own,
    );
    expect(late.status).toBe(400);
    expect(JSON.stringify(late.body)).toContain('La referencia 1 ya es de la');
  });

  it('warns when a draft is to be replaced by one with another date or customer', async () => {
    const own = await world.signUp('A08663619');
    const uploadLine = async (...given: Parameters<typeof line>) =>
      expectOk(await upload(await fillTemplate({ Facturas: [line(...given)] }), own));
    expectOk(await save(await uploadLine('1', 'A58818501'), own));
    const avisosOf = ({ avisos }: ImportExcelAnswer) => avisos.map(({ mensaje }) => mensaje);
    expect(avisosOf(await uploadLine('1', 'A58818501', { precio: '50' }))).toEqual([]);
    const other = await uploadLine('1', 'A58818501', { fecha: '20/01/2026' });
    expect(other.filas).toMatchObject([
      { accion: 'actualizado', nota: 'Se cambia el borrador B-1: tenía otra fecha (15/01/2026).' },
    ]);
    expect(avisosOf(other)).toEqual([
      'Con su referencia ya hay un borrador con otra fecha, que se cambia. Si es otra factura, usa otra referencia.',
    ]);
    const nobody = await uploadLine('1', '', { tipo: 'F2' });
    expect(nobody.filas[0]?.nota).toBe(
      `Se cambia el borrador B-1: tenía otro cliente (${own.customerNo}).`,
    );
    expect(avisosOf(nobody)).toHaveLength(1);
  });

  it('saves nothing when one row is wrong, whatever the preview said', async () => {
    const good = expectOk(
      await upload(await fillTemplate({ Facturas: [line('D-1', 'A58818501')] })),
    );
    const answer = await save({
      ...good,
      clientes: [{ ...emptyClient, Name: 'Buena', VATRegistrationNo: 'B12345674' }],
      facturas: [{ ...(good.facturas[0] as never as object), cliente: 'B00000000' } as never],
    });
    expect(answer.status).toBe(400);
    const clientes = expectOk(
      await company.call<{ Name: string }[]>('GET', '/api/GetData/GetClientes'),
    );
    expect(clientes.map(({ Name }) => Name)).not.toContain('Buena');
  });

  it('refuses a list instead of its three, and says what is wrong with a row without a name', async () => {
    const refused = async (body: object) =>
      (await company.call('POST', '/api/PostData/SaveData', body)) as unknown as Answer<{
        message: string[];
      }>;
    expect(await refused([])).toMatchObject({
      status: 400,
      body: { message: ['Tiene que ser un objeto.'] },
    });
    expect(
      (await refused({ Clientes: [{ ...emptyClient, Name: '', VATRegistrationNo: '' }] })).body
        .message,
    ).toEqual(['Escribe el nombre del cliente.']);
  });

  it('keeps two companies apart', async () => {
    const other = await world.signUp('A08001851');
    const preview = expectOk(
      await upload(await fillTemplate({ Clientes: [MUNOZ.with(2, 'B12345674')] }), other),
    );
    expectOk(await save(preview, other));
    const mine = expectOk(
      await company.call<{ Name: string }[]>('GET', '/api/GetData/GetClientes'),
    );
    expect(mine.map(({ Name }) => Name)).not.toContain(MUNOZ[1]);
  });
});

const emptyClient = {
  No: '',
  Address: '',
  postCode: '',
  countryCode: 'ES',
  Email: '',
  PaymentMethod: '',
  PaymentTerms: '',
  CustomerPostingGroup: '',
};
