import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { AHORA, issued, item, SISTEMA } from '../../../tests/fixtures/verifactu/invoices.ts';
import { anteriorOf, regFactuXml } from '../../../tests/support/verifactu.ts';
import { CSV_MARK, csvLine } from '../spreadsheet-text.ts';
import { comprobar } from './comprobar.ts';
import { type Anterior, registroAltaFromInvoice } from './registro.ts';
import { verifyRegistro } from './verificar.ts';
import { regFactuDocument, registroDocument, registroXml } from './xml.ts';

type Files = Readonly<Record<string, string>>;

/** Altas of one installation, each linked to the one before. */
function altas(numbers: readonly string[], sistema = SISTEMA): string[] {
  let anterior: Anterior | null = null;
  return numbers.map((numSerie) => {
    const registro = registroAltaFromInvoice(
      { ...issued({ items: [item('100')] }), numSerie },
      { anterior, SistemaInformatico: sistema, FechaHoraHusoGenRegistro: AHORA },
    );
    anterior = anteriorOf(registro);
    return registroXml(registro);
  });
}

const check = (files: Files) =>
  comprobar(
    Object.entries(files).map(([name, text]) => ({ name, read: async () => Buffer.from(text) })),
  );

const NUMBERS = ['A-1', '=A;"2"', 'A-3'];
const { start, end } = regFactuDocument({
  ObligadoEmision: { NombreRazon: 'Uno', NIF: '89890001K' },
});

describe.each([
  {
    of: 'an export, its registros in files of several',
    files: [
      ['registros/000001-000002.xml', 0, 2],
      ['registros/000003-000003.xml', 2, 3],
    ] as const,
    document: (fragments: readonly string[]) => start + fragments.join('') + end,
  },
  {
    of: 'an export of before, each of its registros in a file',
    files: [
      ['registros/000001-A-1-alta.xml', 0, 1],
      ['registros/000002-A-2-alta.xml', 1, 2],
      ['registros/000003-A-3-alta.xml', 2, 3],
    ] as const,
    document: ([fragment = '']: readonly string[]) => registroDocument(fragment),
  },
])('$of', ({ files: FILES, document }) => {
  const XML = altas(NUMBERS);
  const documentOf = Object.fromEntries(
    FILES.map(([name, from, to]) => [name, document(XML.slice(from, to))]),
  );
  const names = XML.map((_, i) => FILES.find(([, from, to]) => i >= from && i < to)?.[0] ?? '');
  const RESPUESTA = 'respuestas/000001-000003-envio-7.xml';
  const COLUMNS = [
    ...['Secuencia', 'Tipo', 'NumSerieFactura', 'FechaExpedicionFactura', 'Huella'],
    ...['HuellaAnterior', 'FechaHoraHusoGenRegistro', 'EstadoRegistro', 'CodigoErrorRegistro'],
    ...['CSV', 'Archivo', 'SHA-256'],
  ];
  type Column = (typeof COLUMNS)[number];
  const sha = (text: string) => createHash('sha256').update(text).digest('hex');

  /** Accepted, refused and, for the third, accepted earlier: the answer to it was lost. */
  const SAID = [
    ['Correcto', '', 'A-CSV'],
    ['Incorrecto', '1100', ''],
    ['Correcto', '', ''],
  ] as const;

  const B =
    'https://www2.agenciatributaria.gob.es/static_files/common/internet/dep/aplicaciones/es/aeat/tike/cont/ws/';
  const linea = (numero: string, rest: string) =>
    `<r:RespuestaLinea><r:IDFactura><s:IDEmisorFactura>89890001K</s:IDEmisorFactura><s:NumSerieFactura>${numero}</s:NumSerieFactura><s:FechaExpedicionFactura>20-11-2026</s:FechaExpedicionFactura></r:IDFactura><r:Operacion><s:TipoOperacion>Alta</s:TipoOperacion></r:Operacion>${rest}</r:RespuestaLinea>`;
  const respuesta = [
    '<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body>',
    `<r:RespuestaRegFactuSistemaFacturacion xmlns:r="${B}RespuestaSuministro.xsd" xmlns:s="${B}SuministroInformacion.xsd">`,
    '<r:CSV>A-CSV</r:CSV><r:EstadoEnvio>ParcialmenteCorrecto</r:EstadoEnvio>',
    linea('A-1', '<r:EstadoRegistro>Correcto</r:EstadoRegistro>'),
    linea(
      '=A;"2"',
      '<r:EstadoRegistro>Incorrecto</r:EstadoRegistro><r:CodigoErrorRegistro>1100</r:CodigoErrorRegistro>',
    ),
    linea(
      'A-3',
      '<r:EstadoRegistro>Incorrecto</r:EstadoRegistro><r:CodigoErrorRegistro>3000</r:CodigoErrorRegistro><r:RegistroDuplicado><s:IdPeticionRegistroDuplicado>1</s:IdPeticionRegistroDuplicado><s:EstadoRegistroDuplicado>Correcta</s:EstadoRegistroDuplicado></r:RegistroDuplicado>',
    ),
    '</r:RespuestaRegFactuSistemaFacturacion></e:Body></e:Envelope>',
  ].join('');

  /**
   * @param edit changes the columns of a registro's line
   * @param others files that the manifest lists after them
   */
  function manifestOf(
    edit: (at: number) => Readonly<Record<Column, string>> = () => ({}),
    others: Files = { [RESPUESTA]: respuesta },
  ): string {
    const rows = XML.map((xml, i) => {
      const leido = verifyRegistro(xml);
      const [EstadoRegistro = '', CodigoErrorRegistro = '', CSV = ''] = SAID[i] ?? [];
      return {
        Secuencia: String(i + 1),
        Tipo: 'Alta',
        NumSerieFactura: NUMBERS[i],
        FechaExpedicionFactura: '20-11-2026',
        Huella: leido?.Huella,
        HuellaAnterior: leido?.RegistroAnterior?.Huella ?? '',
        FechaHoraHusoGenRegistro: AHORA,
        EstadoRegistro,
        CodigoErrorRegistro,
        CSV,
        Archivo: names[i],
        'SHA-256': sha(documentOf[names[i] ?? ''] ?? ''),
        ...edit(i),
      } as Record<Column, string | undefined>;
    });
    const behind = Object.entries(others).map(([Archivo, text]) => {
      const row: Record<Column, string> = { Tipo: 'Respuesta', Archivo, 'SHA-256': sha(text) };
      return row;
    });
    const lines = [...rows, ...behind].map((row) =>
      csvLine(COLUMNS.map((name) => row[name] ?? '')),
    );
    return CSV_MARK + csvLine(COLUMNS) + lines.join('');
  }

  const filesOf = (manifest: string): Files => ({
    'LEEME.txt': 'Hola',
    ...documentOf,
    [RESPUESTA]: respuesta,
    'manifiesto.csv': manifest,
  });

  it('is right as it was made, even unpacked in a folder', async () => {
    const right = {
      registros: 3,
      cadenas: [{ emisor: '89890001K', registros: 3, instalaciones: 1, rotura: null }],
      damage: [],
      avisos: [],
    };
    const files = filesOf(manifestOf());
    expect(await check(files)).toEqual(right);
    const inFolder = Object.entries(files).map(([name, text]) => [`carpeta/${name}`, text]);
    expect(await check(Object.fromEntries(inFolder))).toEqual(right);
  });

  it('has a changed answer, a missing one and an invented one', async () => {
    const files = filesOf(manifestOf());
    const invented = 'respuestas/000001-000003-envio-8.xml';
    const changed = { ...files, [RESPUESTA]: respuesta.replace('1100', '1101') };
    expect((await check(changed)).damage).toEqual([
      { file: RESPUESTA, motivo: expect.stringContaining('su SHA-256 es otro') },
    ]);
    expect((await check({ ...files, [invented]: respuesta })).damage).toEqual([
      { file: invented, motivo: 'No está en el manifiesto.' },
    ]);
    const { [RESPUESTA]: _, ...without } = files;
    expect((await check(without)).damage).toEqual([
      { file: RESPUESTA, motivo: expect.stringContaining('falta el archivo') },
    ]);
  });

  it('says where a file without its first registro starts to differ', async () => {
    const [name, from, to] = FILES[0];
    const without = document(XML.slice(from + 1, to + 1));
    expect((await check({ ...filesOf(manifestOf()), [name]: without })).damage).toContainEqual({
      file: name,
      motivo: expect.stringMatching(/otro\. .* del registro 1: NumSerieFactura es «A-1», y en/),
    });
  });

  it.runIf(FILES.length < XML.length)('counts a file without its last registro', async () => {
    const [name, from, to] = FILES[0];
    const without = document(XML.slice(from, to - 1));
    expect((await check({ ...filesOf(manifestOf()), [name]: without })).damage).toContainEqual({
      file: name,
      motivo: expect.stringMatching(/otro\. .* hay en él son 2, y son 1\.$/),
    });
  });

  it('checks any file that the manifest lists', async () => {
    const files = filesOf(manifestOf(undefined, { [RESPUESTA]: respuesta, 'LEEME.txt': 'Adiós' }));
    expect((await check(files)).damage).toEqual([
      { file: 'LEEME.txt', motivo: expect.stringContaining('su SHA-256 es otro') },
    ]);
  });

  it.each([
    ['Secuencia', '9'],
    ['Tipo', 'Anulacion'],
    ['NumSerieFactura', 'B-2'],
    ['FechaExpedicionFactura', '21-11-2026'],
    ['Huella', 'F'.repeat(64)],
    ['HuellaAnterior', ''],
    ['FechaHoraHusoGenRegistro', '2026-11-20T10:00:38+01:00'],
  ])('has a manifest with another %s', async (column, value) => {
    const manifest = manifestOf((at) => (at === 1 ? { [column]: value } : {}));
    expect((await check(filesOf(manifest))).damage).toContainEqual({
      file: names[1],
      motivo: expect.stringContaining(`${column} es «${value}»`),
    });
  });

  it.each([
    [0, 'EstadoRegistro', 'AceptadoConErrores'],
    [0, 'CSV', 'A-OTRO'],
    [1, 'EstadoRegistro', 'Correcto'],
    [1, 'CodigoErrorRegistro', '1101'],
    [1, 'CSV', 'A-CSV'],
    [2, 'CSV', 'A-CSV'],
  ])('has a manifest whose line %i contradicts the AEAT: %s %s', async (at, column, value) => {
    const manifest = manifestOf((i) => (i === at ? { [column]: value } : {}));
    expect((await check(filesOf(manifest))).damage).toEqual([
      { file: 'manifiesto.csv', motivo: expect.stringContaining(`De la factura`) },
    ]);
  });

  it('may have answers to what waited when its line was written, and to what was sent again', async () => {
    const waiting = { EstadoRegistro: 'En espera', CodigoErrorRegistro: '', CSV: '' };
    expect(await check(filesOf(manifestOf(() => waiting)))).toMatchObject({ damage: [] });

    const again = 'respuestas/000001-000003-envio-8.xml';
    const accepted = respuesta
      .replaceAll('Incorrecto', 'Correcto')
      .replace('<r:CodigoErrorRegistro>1100</r:CodigoErrorRegistro>', '');
    const manifest = manifestOf(
      (at) =>
        at === 1 ? { EstadoRegistro: 'Correcto', CodigoErrorRegistro: '', CSV: 'A-CSV' } : {},
      { [RESPUESTA]: respuesta, [again]: accepted },
    );
    expect(await check({ ...filesOf(manifest), [again]: accepted })).toMatchObject({ damage: [] });
  });

  it('may have a duplicate whose answer lacks the block with its state', async () => {
    const bare = respuesta.replace(/<r:RegistroDuplicado>.*<\/r:RegistroDuplicado>/, '');
    const manifest = manifestOf(undefined, { [RESPUESTA]: bare });
    expect(await check({ ...filesOf(manifest), [RESPUESTA]: bare })).toMatchObject({ damage: [] });
  });

  it('is damaged if its manifest lists no answers at all', async () => {
    const { damage } = await check(filesOf(manifestOf(undefined, {})));
    expect(damage).toEqual([{ file: RESPUESTA, motivo: 'No está en el manifiesto.' }]);
  });

  it.each(['Huella', 'CSV'])('is damaged if its manifest has no column %s', async (column) => {
    const manifest = manifestOf().replace(`;${column};`, ';Otra;');
    expect((await check(filesOf(manifest))).damage).not.toEqual([]);
  });

  it('has an unreadable line, or the same one twice', async () => {
    const manifest = manifestOf();
    const [, first = ''] = manifest.split('\r\n');
    for (const line of ['1;Alta', first]) {
      const { damage } = await check(filesOf(`${manifest}${line}\r\n`));
      expect(damage).toEqual([
        { file: 'manifiesto.csv', motivo: expect.stringContaining('No se entiende') },
      ]);
    }
  });

  it('has a registro without its line, and a line without its registro', async () => {
    const manifest = manifestOf();
    const [head, one, two, ...others] = manifest.split('\r\n');
    const without = await check(filesOf([head, one, ...others].join('\r\n')));
    expect(without.damage).toContainEqual({
      file: names[1],
      motivo: expect.stringMatching(/hay en él son 1, y son 2|No está en el manifiesto/),
    });
    const more = two?.replace(/^2;/, '7;') ?? '';
    const { damage } = await check(filesOf([head, one, two, more, ...others].join('\r\n')));
    expect(damage).toContainEqual({
      file: names[1],
      motivo: expect.stringMatching(/hay en él son [23], y son [12]\./),
    });
  });
});

it('names the unreadable registros of a file that is no longer XML', async () => {
  const XML = altas(NUMBERS);
  XML[1] = XML[1]?.replace('</sum1:TipoFactura>', '') ?? '';
  const file = 'registros/000051-000053.xml';
  const { damage, cadenas } = await check({
    [file]: start + XML.join('') + end,
    'manifiesto.csv': CSV_MARK + csvLine(['Secuencia', 'Archivo', 'SHA-256']),
  });
  expect(damage).toContainEqual({ file, motivo: expect.stringMatching(/^Registro 52: .*leer/) });
  expect(cadenas).toMatchObject([{ registros: 2, rotura: { NumSerieFactura: 'A-3' } }]);
});

describe('loose files', () => {
  /** One file for each registro, in an order that says nothing. */
  const filesOf = (...cadenas: readonly string[][]): Files =>
    Object.fromEntries(
      cadenas
        .flat()
        .toReversed()
        .map((xml, i) => [`${i}.xml`, registroDocument(xml)]),
    );
  const whole = { damage: [], avisos: [] };
  const emisor = '89890001K';
  const [A1 = '', A2 = '', A3 = '', A4 = ''] = altas(['A1', 'A2', 'A3', 'A4']);
  const otherOf = (other: Partial<typeof SISTEMA>) =>
    altas(['B1', 'B2', 'B3'], { ...SISTEMA, ...other });

  const given = (name: string, content: Buffer) =>
    comprobar([{ name, isGiven: true, read: async () => content }]);

  it.each<[string, (xml: string) => Buffer]>([
    ['UTF-8 with a mark', (xml) => Buffer.from(`\ufeff${xml}`)],
    ['UTF-16', (xml) => Buffer.from(`\ufeff${xml}`, 'utf16le')],
    ['UTF-16 the other way round', (xml) => Buffer.from(`\ufeff${xml}`, 'utf16le').swap16()],
    ['ISO-8859-1', (xml) => Buffer.from(xml.replace('UTF-8', 'ISO-8859-1'), 'latin1')],
    ['one that nobody knows', (xml) => Buffer.from(xml.replace('UTF-8', 'EBCDIC-9'))],
  ])('may be in %s, and have any name when they are passed', async (_, encoded) => {
    const content = encoded(registroDocument(A1));
    for (const name of ['uno.xml', 'registro.xsig', 'registro']) {
      expect(await given(name, content)).toMatchObject({ ...whole, registros: 1 });
    }
  });

  it('are skipped if they do not even begin like XML', async () => {
    expect(await given('factura.pdf', Buffer.from('%PDF-1.7'))).toMatchObject({
      ...whole,
      registros: 0,
    });
    expect((await given('roto.xml', Buffer.from('%PDF-1.7'))).damage).toHaveLength(1);
  });

  it('may hold a registro twice, as when a message was sent again', async () => {
    const message = regFactuXml({ ObligadoEmision: { NombreRazon: 'Uno', NIF: emisor } }, [A2, A3]);
    const files = { ...filesOf([A1, A2, A3, A4]), 'otra-vez.xml': message };
    expect(await check(files)).toEqual({
      ...whole,
      registros: 6,
      cadenas: [{ emisor, registros: 4, instalaciones: 1, rotura: null }],
    });
  });

  it.each([
    ['two installations of a program', { NumeroInstalacion: 'otra' }],
    ['programs of two producers that call theirs alike', { NIF: 'B12345674' }],
    ['two programs of a producer', { IdSistemaInformatico: 'ZZ' }],
  ])('may be of %s, with or without their first ones', async (_, other) => {
    const B = otherOf(other);
    const behind = (numero: string) => expect.stringContaining(`viene detrás de ${numero} del`);
    for (const [a, b, avisos] of [
      [[A1, A2, A3], B, []],
      [[A2, A3], B.slice(1), [behind('A1'), behind('B1')]],
    ] as const) {
      const { avisos: told, ...rest } = await check(filesOf([...a], [...b]));
      expect(told).toHaveLength(avisos.length);
      expect(told).toEqual(expect.arrayContaining([...avisos]));
      expect(rest).toMatchObject({
        damage: [],
        cadenas: [{ emisor, registros: a.length + b.length, instalaciones: 2, rotura: null }],
      });
    }
  });

  it('still show a gap in any of the cadenas, and a changed registro', async () => {
    const [B1 = '', , B3 = ''] = otherOf({ NIF: 'B12345674' });
    const { cadenas } = await check(filesOf([A1, A2, A3, A4], [B1, B3]));
    expect(cadenas).toMatchObject([
      {
        registros: 6,
        rotura: {
          NumSerieFactura: 'B3',
          motivo: expect.stringMatching(/detrás de B2 .*delante es B1 .*\(0\.xml\)/),
        },
      },
    ]);
    const changed = A2.replace(/<sum1:ImporteTotal>[^<]*/, '<sum1:ImporteTotal>9.00');
    // Beside the right one it is no copy of it.
    for (const registros of [
      [A1, changed, A3],
      [A1, A2, changed, A3],
    ]) {
      expect((await check(filesOf(registros))).cadenas).toMatchObject([
        { rotura: { NumSerieFactura: 'A2' } },
      ]);
    }
  });
});
