import { describe, expect, it } from 'vitest';
import { numberOf } from './line-figures.ts';
import { readWords } from './read-words.ts';
import type { Word } from './shapes.ts';

/** Words of ten points, from rows with their height and the left edge of each text. */
function sheet(...rows: readonly (readonly [number, Readonly<Record<string, number>>])[]): Word[] {
  return rows.flatMap(([y, texts]) =>
    Object.entries(texts).flatMap(([text, left]) => {
      let x = left;
      return text.split(' ').map((part): Word => {
        const word = { text: part, page: 1, x, y, w: part.length * 5, h: 10 };
        x += word.w + 3;
        return word;
      });
    }),
  );
}

function read(words: readonly Word[], origen: 'texto' | 'ocr' = 'texto') {
  const pages = [{ width: 595, height: 842 }];
  return readWords({ origen, words, pages }, { issuerNif: 'B12345674', today: '2026-11-20' });
}

function linesOf(words: readonly Word[]) {
  const { lineas, cuadra } = read(words);
  expect(cuadra).toBe(true);
  return lineas.map(({ description, quantity, price, discount, totalCents, rateBps }) => ({
    description,
    quantity,
    price,
    discount,
    total: Number(totalCents),
    rate: rateBps === null ? null : Number(rateBps),
  }));
}

const SUMS = [
  [300, { 'Base imponible': 380, '1.100,00': 500 }],
  [320, { 'IVA 21 %': 380, '231,00': 510 }],
  [340, { TOTAL: 380, '1.331,00': 500 }],
] as const;

describe('a table without headings', () => {
  it('is read by what multiplies, with the price before the quantity, and without codes and subtotals', () => {
    const words = sheet(
      [100, { 'A-1': 40, 'Cable de 5 m': 80, '100,000': 300, '2ud': 400, '200,00': 505 }],
      [
        120,
        { 'A-2': 40, 'Mesa de roble': 80, '250,000': 300, '4ud': 400, '10': 450, '900,00': 505 },
      ],
      [140, { Subtotal: 40, '1.100,00': 495 }],
      ...SUMS,
    );
    expect(linesOf(words)).toMatchObject([
      { description: 'Cable de 5 m', quantity: '2', price: '100.000', total: 20_000 },
      { description: 'Mesa de roble', quantity: '4', discount: '10', total: 90_000 },
    ]);
  });

  it('works out the net amount if only the amount with tax is printed, and joins text that wraps', () => {
    const words = sheet(
      [94, { 'Revisión de la': 80 }],
      [100, { '2': 300, '100,00': 350, '21 %': 430, '242,00': 505 }],
      [106, { 'caldera mural': 80 }],
      [130, { Desplazamiento: 80, '3': 300, '300,00': 350, '21 %': 430, '1.089,00': 495 }],
      ...SUMS,
    );
    expect(linesOf(words)).toMatchObject([
      { description: 'Revisión de la caldera mural', quantity: '2', total: 20_000, rate: 2100 },
      { description: 'Desplazamiento', quantity: '3', price: '300.00', total: 90_000 },
    ]);
  });

  it('joins text that wraps, whatever the line spacing of the foot', () => {
    const words = sheet(
      [100, { 'Cable de red': 80, '2': 300, '100,00': 350, '200,00': 505 }],
      [117, { 'Mesa de roble y': 80, '3': 300, '250,00': 350, '750,00': 505 }],
      [130, { 'de haya': 80 }],
      [147, { Portes: 80, '1': 300, '150,00': 350, '150,00 ': 505 }],
      ...SUMS,
      [400, { 'Pago por transferencia': 80 }],
      [410, { 'a la cuenta de siempre': 80 }],
    );
    expect(linesOf(words).map(({ description }) => description)).toEqual([
      'Cable de red',
      'Mesa de roble y de haya',
      'Portes',
    ]);
  });

  it('does not take a unit at the start of a row for text, and reads €/ud as a price', () => {
    const words = sheet(
      [80, { 'Cant.': 40, Concepto: 90, '€/ud': 350, Importe: 505 }],
      [100, { '2,00 kg': 40, 'Tomate de rama': 82, '100,00': 350, '200,00': 505 }],
      [120, { '9,00 kg': 40, Limones: 82, '100,00': 350, '900,00': 505 }],
      ...SUMS,
    );
    expect(linesOf(words)).toMatchObject([
      { description: 'Tomate de rama', quantity: '2.00', price: '100.00' },
      { description: 'Limones', quantity: '9.00', price: '100.00' },
    ]);
  });

  it('restores the comma of a quantity if it was not seen', () => {
    const words = sheet(
      [100, { 'Cable de red': 80, '25': 300, '100,00': 350, '250,00': 505 }],
      [120, { 'Mesa de roble': 80, '3': 300, '250,00': 350, '750,00': 505 }],
      [140, { Portes: 80, '1': 300, '100,00': 350, '100,00 ': 505 }],
      ...SUMS,
    );
    expect(read(words, 'ocr').lineas[0]).toMatchObject({ quantity: '2.5', price: '100.00' });
  });

  it('solves a row with a spoilt figure from the others and the base, and asks the user to look', () => {
    const table = (net: string, price = '250,00') =>
      sheet(
        [100, { 'Cable de red': 80, '2': 300, '100,00': 350, '200,00': 505 }],
        [120, { 'Mesa de roble': 80, '3': 300, [price]: 350, [net]: 505 }],
        [140, { Portes: 80, '1': 300, '150,00': 350, '150,00 ': 505 }],
        ...SUMS,
      );
    for (const spoilt of [table('760,00'), table('750,00', '260,00'), table('7S0:00')]) {
      const { lineas } = read(spoilt);
      expect(lineas).toMatchObject([
        { totalCents: 20_000n, confianza: 0.95 },
        { description: 'Mesa de roble', quantity: '3', totalCents: 75_000n, confianza: 0.7 },
        { totalCents: 15_000n, confianza: 0.95 },
      ]);
      expect(Number(lineas[1]?.price)).toBe(250);
    }
  });

  it('returns no base when sums of several rates do not add up', () => {
    const { campos, tramos, cuadra } = read(
      sheet(
        [300, { 'Base al 21 %': 300, '1.000,00': 380, '210,00': 500 }],
        [320, { 'Base al 10 %': 300, '500,00': 380, '50,00': 505 }],
        [340, { TOTAL: 380, '1.999,00': 500 }],
      ),
    );
    expect({ cuadra, tramos }).toEqual({ cuadra: false, tramos: [] });
    expect(campos).not.toHaveProperty('baseImponible');
    expect(campos.total).toMatchObject({ valor: 199_900n, confianza: 0.4 });
  });

  it('does not take sums for complete if they add up to less than another total', () => {
    const { cuadra, campos, lineas } = read(
      sheet(
        [100, { 'Cable de red': 80, '4': 300, '250,00': 350, '1.000,00': 495 }],
        [300, { 'Base 21 %': 300, '1.000,00': 380, '210,00': 500 }],
        [320, { 'Total al 21 %': 300, '1.210,00': 500 }],
        [340, { 'TOTAL FACTURA': 300, '1.815,00': 500 }],
      ),
    );
    expect(cuadra).toBe(false);
    expect(campos.total?.confianza).toBe(0.4);
    expect(lineas).toMatchObject([{ description: 'Cable de red', totalCents: 100_000n }]);
  });

  it('takes the text above and below a row with only figures', () => {
    const words = sheet(
      [94, { 'Revisión de la': 80 }],
      [100, { '2': 300, '100,00': 350, '200,00': 505 }],
      [106, { 'caldera mural': 80 }],
      [122, { 'Cambio de los': 80 }],
      [128, { '3': 300, '300,00': 350, '900,00': 505 }],
      [134, { 'filtros de aire': 80 }],
      ...SUMS,
    );
    expect(linesOf(words)).toMatchObject([
      { description: 'Revisión de la caldera mural', total: 20_000 },
      { description: 'Cambio de los filtros de aire', total: 90_000 },
    ]);
  });

  it('stops before the sums, however near they are', () => {
    const sums = (left: number) =>
      ['Base imponible 40,00', 'I.V.A. 21 % 8,40', 'Total factura 48,40'].map(
        (text, i) => [112 + 12 * i, { [text]: left }] as const,
      );
    for (const words of [
      sheet([100, { 'Pan 2 x 20,00 40,00': 80 }], ...sums(80)),
      sheet([100, { Pan: 80, '2': 300, '20,00': 350, '40,00': 505 }], ...sums(80)),
      sheet([100, { Pan: 80, '40,00': 505 }], ...sums(80)),
    ]) {
      expect(linesOf(words)).toMatchObject([{ description: 'Pan', total: 4_000 }]);
    }
  });

  it('reads a description with an amount as one unit', () => {
    const words = sheet(
      [100, { 'Honorarios del 2 de mayo': 40, '800,00': 505 }],
      [120, { 'Suplidos de 2026': 40, '300,00': 505 }],
      ...SUMS,
    );
    expect(linesOf(words)).toMatchObject([
      { description: 'Honorarios del 2 de mayo', quantity: '1', total: 80_000 },
      { description: 'Suplidos de 2026', quantity: '1', total: 30_000 },
    ]);
  });
});

describe('the words of a line', () => {
  const one = [100, { 'Mesa de roble': 80, '4': 300, '200,00': 350, '800,00': 505 }] as const;

  it('leave out codes, dates and lots in columns of their own, and the marks of a list', () => {
    const table = sheet(
      [
        80,
        {
          TORN: 20,
          '1. Cable de red': 80,
          '12/09/2026': 200,
          '3': 300,
          '100,00': 350,
          '300,00': 505,
        },
      ],
      [
        100,
        {
          PORTES: 20,
          '2. Mesa de roble': 80,
          '14/09/2026': 200,
          '4': 300,
          '200,00': 350,
          '800,00': 505,
        },
      ],
      ...SUMS,
    );
    expect(linesOf(table)).toMatchObject([
      { description: 'Cable de red', quantity: '3' },
      { description: 'Mesa de roble', quantity: '4' },
    ]);
  });

  it('may be followed by dots up to an amount, or by the rules of a monospaced sheet', () => {
    const words = sheet(
      [80, { '----------------------------': 20 }],
      [90, { Consulta: 20, '.': 62, '. ': 68, '.  ': 74, '...........': 80, '300,00': 505 }],
      [102, { 'Redacción de contrato.......': 20, '800,00': 505 }],
      ...SUMS,
    );
    expect(linesOf(words)).toMatchObject([
      { description: 'Consulta', total: 30_000 },
      { description: 'Redacción de contrato', total: 80_000 },
    ]);
  });

  it('may be above their figures, with quantity and price in one row', () => {
    const words = sheet(
      [80, { 'Camiseta de algodón': 20 }],
      [92, { 'Ref. 20114': 20, '300,00': 505 }],
      [104, { '4 uds. x 80,00 € (-6,25 %)': 20 }],
      [120, { 'Zapatillas de hombre': 20 }],
      [132, { '2 x 400,00 €': 20, '800,00': 505 }],
      [144, { 'Gastos de envío': 20, '0,00': 505 }],
      ...SUMS,
    );
    expect(linesOf(words)).toMatchObject([
      { description: 'Camiseta de algodón', quantity: '4', price: '80.00', discount: '6.25' },
      { description: 'Zapatillas de hombre', quantity: '2', price: '400.00', total: 80_000 },
    ]);
  });

  it('belong to one unit if only an amount is printed, among rows that multiply', () => {
    const words = sheet(
      [80, { 'Cable de red': 80, '2': 300, '100,00': 350, '200,00': 505 }],
      [100, { Desplazamiento: 80, '100,00': 505 }],
      [120, { 'Mesa de roble': 80, '4': 300, '200,00': 350, '800,00': 505 }],
      ...SUMS,
    );
    expect(linesOf(words)).toMatchObject([
      { description: 'Cable de red', quantity: '2' },
      { description: 'Desplazamiento', quantity: '1', price: '100.00', total: 10_000 },
      { description: 'Mesa de roble', quantity: '4' },
    ]);
  });

  it('continue on the next page, below repeated headings, and lose the hyphens that broke a code', () => {
    const [first, second] = [
      sheet(
        [780, { Concepto: 80, Uds: 300, Precio: 350, Importe: 505 }],
        [800, { 'Puerta de la serie EI2-': 80, '3': 300, '100,00': 350, '300,00': 505 }],
      ),
      sheet(
        [40, { Concepto: 80, Uds: 300, Precio: 350, Importe: 505 }],
        [60, { '60 con barra': 80 }],
        [...one],
        ...SUMS,
      ).map((word) => ({ ...word, page: 2 })),
    ];
    const pages = [
      { width: 595, height: 842 },
      { width: 595, height: 842 },
    ];
    const { lineas } = readWords(
      { origen: 'texto', words: [...first, ...second], pages },
      { issuerNif: 'B12345674', today: '2026-11-20' },
    );
    expect(lineas.map(({ description }) => description)).toEqual([
      'Puerta de la serie EI2-60 con barra',
      'Mesa de roble',
    ]);
  });

  it('do not go on in the letterhead of the next page', () => {
    const head = [40, { 'Pol.': 20, 'La Red, parc. 22': 80 }] as const;
    const words = [
      ...sheet(
        head,
        [780, { Concepto: 80, Uds: 300, Precio: 350, Importe: 505 }],
        [800, { '20417': 20, 'Correa 6PK1190': 80, '3': 300, '100,00': 350, '300,00': 505 }],
      ),
      ...sheet(head, [80, { Concepto: 80, Uds: 300, Precio: 350, Importe: 505 }], one, ...SUMS).map(
        (word) => ({ ...word, page: 2 }),
      ),
    ];
    const pages = [1, 2].map(() => ({ width: 595, height: 842 }));
    const { lineas } = readWords(
      { origen: 'texto', words, pages },
      { issuerNif: 'B12345674', today: '2026-11-20' },
    );
    expect(lineas.map(({ description }) => description)).toEqual([
      'Correa 6PK1190',
      'Mesa de roble',
    ]);
  });

  it('are highlighted on the page with all of their rows', () => {
    const { lineas } = read(
      sheet(
        [80, { 'Revisión de': 80, '3': 300, '100,00': 350, '300,00': 505 }],
        [91, { 'la caldera': 80 }],
        [102, { 'del sótano': 80 }],
        [130, { 'Mesa de roble': 80, '4': 300, '200,00': 350, '800,00': 505 }],
        ...SUMS,
      ),
    );
    expect(lineas[0]?.description).toBe('Revisión de la caldera del sótano');
    expect(lineas.map(({ caja }) => Math.round((caja?.h ?? 0) * 842))).toEqual([32, 10]);
  });
});

it('takes a discount below the sum of the lines for a line that lowers the base', () => {
  const words = sheet(
    [100, { 'Reportaje de boda': 40, '1': 300, '900,00': 360, '900,00 ': 505 }],
    [120, { 'Copias en papel mate': 40, '50': 300, '6,00': 370, '300,00': 505 }],
    [200, { Suma: 380, '1.200,00': 495 }],
    [220, { 'Descuento 8,33 %': 380, '100,00': 505 }],
    ...SUMS,
  );
  expect(linesOf(words)).toMatchObject([
    { description: 'Reportaje de boda', quantity: '1', total: 90_000 },
    { description: 'Copias en papel mate', quantity: '50', price: '6.00', total: 30_000 },
    { description: 'Descuento 8,33 %', quantity: '-1', price: '100.00', total: -10_000 },
  ]);
});

describe('prices', () => {
  it('say what they are for, whatever their length, and quantities of what', () => {
    const words = sheet(
      [
        100,
        { 'Traducción técnica': 40, '2.500 palabras': 250, '0,08 €/palabra': 350, '200,00': 505 },
      ],
      [120, { 'Revisión de maqueta': 40, '6,5 h': 295, '50,00 €/h': 375, '325,00': 505 }],
      [140, { Interpretación: 40, '1,25 días': 275, '460,00 €/día': 360, '575,00': 505 }],
      ...SUMS,
    );
    expect(linesOf(words)).toMatchObject([
      { description: 'Traducción técnica', quantity: '2500', price: '0.08', total: 20_000 },
      { description: 'Revisión de maqueta', quantity: '6.5', price: '50.00', total: 32_500 },
      { description: 'Interpretación', quantity: '1.25', price: '460.00', total: 57_500 },
    ]);
  });

  it('are stuck to what they are for, or have no cents', () => {
    for (const [one, other] of [
      ['120,00€/h', '100,00€/h'],
      ['120 €', '100 €'],
    ] as const) {
      const words = sheet(
        [100, { 'Redacción de demanda': 40, '5h': 300, [one]: 360, '600,00€': 505 }],
        [120, { 'Asistencia a vista': 40, '2,5h': 290, [other]: 360, '250,00€': 505 }],
        [140, { 'Estudio de antecedentes': 40, '2,5h': 290, [`${other} `]: 360, '250,00€': 505 }],
        ...SUMS,
      );
      expect(linesOf(words)).toMatchObject([
        { description: 'Redacción de demanda', quantity: '5', total: 60_000 },
        { description: 'Asistencia a vista', quantity: '2.5', total: 25_000 },
        { description: 'Estudio de antecedentes', quantity: '2.5', total: 25_000 },
      ]);
    }
  });

  it('are multiplied by two numbers in the text of a supply, beside a tax with its rate', () => {
    const words = sheet(
      [100, { 'Potencia P1: 5,5 kW × 20 días × 5,500000 €/kW día': 40, '605,00 €': 495 }],
      [120, { 'Energía P1: 2.200 kWh × 0,200000 €/kWh': 40, '440,00 €': 495 }],
      [140, { 'Impuesto sobre la electricidad (5,11269 %)': 40, '55,00 €': 500 }],
      ...SUMS,
    );
    expect(linesOf(words)).toMatchObject([
      { description: 'Potencia P1', quantity: '110', price: '5.500000', total: 60_500 },
      { description: 'Energía P1', quantity: '2200', price: '0.200000', total: 44_000 },
      { description: 'Impuesto sobre la electricidad (5,11269 %)', quantity: '1', total: 5_500 },
    ]);
  });
});

describe('a scan', () => {
  it('has its columns right if all prices with a discount lost their decimal mark', () => {
    const words = sheet(
      [70, { Descripción: 40, Cantidad: 290, Precio: 380, 'Dto.': 440, Importe: 500 }],
      [100, { 'Tablero de pino': 40, '2,50': 300, '200,00': 380, '500,00': 505 }],
      [120, { 'Cola blanca': 40, '1,00': 300, '42500': 385, '12%': 445, '374,00': 505 }],
      [140, { Bisagras: 40, '2,00': 300, '14125': 385, '20%': 445, '226,00': 505 }],
      ...SUMS,
    ).map((word) => ({ ...word, paper: { x: 0, y: 0, w: 0.1, h: 0.1 } }));
    expect(read(words, 'ocr').lineas).toMatchObject([
      { quantity: '2.50', price: '200.00', totalCents: 50_000n },
      { quantity: '1.00', price: '425', discount: '12', totalCents: 37_400n },
      { quantity: '2.00', price: '141.25', discount: '20', totalCents: 22_600n },
    ]);
  });

  const charges = (amount: string, price = {}) =>
    read(
      sheet(
        [100, { Montaje: 40, ...price, '400,00': 510 }],
        [120, { Portes: 40, [amount]: 510 }],
        [140, { Limpieza: 40, '500,00': 510 }],
        ...SUMS,
      ),
      'ocr',
    ).lineas.map(({ totalCents, confianza }) => [Number(totalCents), confianza]);

  it('repairs the only amount that the base allows, and asks the user to look at it', () => {
    expect(charges('260,00')).toEqual([
      [40_000, 0.9],
      [20_000, 0.7],
      [50_000, 0.9],
    ]);
    expect(charges('275,00')).toEqual([]);
  });

  it('asks the user to look at an amount beside another', () => {
    expect(charges('200,00', { '80,00': 400 })[0]).toEqual([40_000, 0.7]);
  });
});

it('reads figures with other decimal marks than the rest', () => {
  expect(numberOf('1.582,08', '.')?.text).toBe('1582.08');
  expect(numberOf('1,582.08', ',')?.text).toBe('1582.08');
  expect(numberOf('1.582', ',')?.text).toBe('1582');
});

describe('figures of a line', () => {
  it('include a quantity as near to the text as its words are to each other', () => {
    const words = sheet(
      [100, { '2 Cable de 5 m': 40, '100,00': 300, '200,00': 505 }],
      [120, { '4 Mesa de roble': 40, '225,00': 300, '900,00': 505 }],
      ...SUMS,
    );
    expect(linesOf(words)).toMatchObject([
      { description: 'Cable de 5 m', quantity: '2', price: '100.00' },
      { description: 'Mesa de roble', quantity: '4', price: '225.00' },
    ]);
  });

  it('leave out text in the margin beyond them', () => {
    const words = sheet(
      [100, { 'Cable de red': 40, '2': 250, '100,00': 300, '200,00': 405, '958 12 33': 500 }],
      [120, { 'Mesa de roble': 40, '4': 250, '225,00': 300, '900,00': 405 }],
      ...SUMS,
    );
    expect(linesOf(words).map(({ description }) => description)).toEqual([
      'Cable de red',
      'Mesa de roble',
    ]);
  });

  it('produce the amount after a lost minus sign, thousandths read as thousands, or a lost decimal mark', () => {
    const { lineas, cuadra } = read(
      sheet(
        [100, { 'Cable de red': 40, '-2': 250, '100,00': 300, '-200,00': 405 }],
        [120, { 'Mesa de roble': 40, '3': 250, '200,00': 300, '-600,00': 405 }],
        [140, { 'Silla alta': 40, '-1.000': 240, '100,00': 300, '-100,00': 405 }],
        [160, { 'Silla baja': 40, '-4': 250, '5000': 310, '-200,00': 405 }],
        [300, { 'Base imponible': 380, '-1.100,00': 500 }],
        [320, { 'IVA 21 %': 380, '-231,00': 510 }],
        [340, { TOTAL: 380, '-1.331,00': 500 }],
      ),
      'ocr',
    );
    expect(cuadra).toBe(true);
    expect(lineas.map(({ quantity, price }) => [quantity, price])).toEqual([
      ['-2', '100.00'],
      ['-3', '200.00'],
      ['-1', '100.00'],
      ['-4', '50'],
    ]);
  });
});

describe('dense tables', () => {
  const total = (base: string, quota: string, whole: string) =>
    [
      [300, { 'Base imponible': 380, [base]: 500 }],
      [320, { 'IVA 21 %': 380, [quota]: 510 }],
      [340, { Total: 380, [whole]: 500 }],
    ] as const;

  it('leaves the units between quantities and descriptions out of these', () => {
    const words = sheet(
      [200, { '4,00 uds. Horas extra': 40, '25,00': 300, '100,00': 500 }],
      [214, { '2,00 uds. Merluza fresca': 40, '50,00': 300, '100,00': 500 }],
      ...total('200,00', '42,00', '242,00'),
    );
    expect(linesOf(words).map(({ description }) => description)).toEqual([
      'Horas extra',
      'Merluza fresca',
    ]);
  });

  it('does not take the first word below the heading of the descriptions for a unit', () => {
    const words = sheet(
      [186, { Quantitat: 20, Descripció: 74, Preu: 300, Import: 500 }],
      [200, { '4,00': 46, "Hores d'oficial": 74, '25,00': 300, '100,00': 500 }],
      [214, { '2,00': 46, 'Hores de peó': 74, '50,00': 300, '100,00': 500 }],
      ...total('200,00', '42,00', '242,00'),
    );
    expect(linesOf(words).map(({ description }) => description)).toEqual([
      "Hores d'oficial",
      'Hores de peó',
    ]);
  });

  it('does not take the only word of a line for a unit', () => {
    const words = sheet(
      [200, { '4,000 Horas extra': 40, '25,00': 300, '100,00': 500 }],
      [214, { '2,000 Portes': 40, '55,00': 300, '110,00': 500 }],
      ...total('210,00', '44,10', '254,10'),
    );
    expect(linesOf(words)).toMatchObject([
      { description: 'Horas extra', quantity: '4.000' },
      { description: 'Portes', quantity: '2.000' },
    ]);
  });

  it('does not take the sums for a line, though at 10 % rate by quota is the base', () => {
    const words = sheet(
      [200, { 'Disco de corte': 40, '885,90': 500 }],
      [214, { 'Horas extra': 40, '200,00': 500 }],
      [300, { 'Base imponible % IVA Cuota IVA Total factura': 260 }],
      [314, { '1.085,90': 260, '10': 350, '108,59': 410, '1.194,49': 500 }],
    );
    expect(read(words).lineas.map(({ description }) => description)).toEqual([
      'Disco de corte',
      'Horas extra',
    ]);
  });

  it('reads descriptions that wrap above their figures, in rows that are all equally far apart', () => {
    const words = sheet(
      [200, { 'Rodamiento grande': 40, '2,00': 300, '30,00': 400, '60,00': 500 }],
      [212, { 'Interruptor diferencial de 30': 40 }],
      [224, { 'mA con caja': 40, '2,00': 300, '20,00': 400, '40,00': 500 }],
      [236, { 'Mano de obra': 40, '4,00': 300, '25,00': 400, '100,00': 500 }],
      ...total('200,00', '42,00', '242,00'),
    );
    expect(linesOf(words).map(({ description }) => description)).toEqual([
      'Rodamiento grande',
      'Interruptor diferencial de 30 mA con caja',
      'Mano de obra',
    ]);
  });

  it('reads descriptions around figures between their two rows, close to the next line', () => {
    const words = sheet(
      [200, { Portes: 40, '2,00': 300, '30,00': 400, '60,00': 500 }],
      [215, { 'Folletos a color en papel': 40 }],
      [221, { '2,00': 300, '20,00': 400, '40,00': 500 }],
      [227, { 'estucado de 135 g': 40 }],
      [240.5, { 'Mano de obra': 40, '4,00': 300, '25,00': 400, '100,00': 500 }],
      ...total('200,00', '42,00', '242,00'),
    );
    expect(linesOf(words).map(({ description }) => description)).toEqual([
      'Portes',
      'Folletos a color en papel estucado de 135 g',
      'Mano de obra',
    ]);
  });

  it('does not take codes beside the figures for descriptions that are in rows of their own', () => {
    const words = sheet(
      [200, { 'Cable de red': 120 }],
      [206, { AR1040: 40, '2,00': 300, '50,00': 400, '100,00': 500 }],
      [212, { 'Ref. 4471-B': 120 }],
      [230, { 'Mano de obra': 120 }],
      [236, { '20114': 40, '4,00': 300, '25,00': 400, '100,00': 500 }],
      [242, { 'Ref. 4471-B': 120 }],
      ...total('200,00', '42,00', '242,00'),
    );
    expect(linesOf(words).map(({ description }) => description)).toEqual([
      'Cable de red',
      'Mano de obra',
    ]);
  });
});

it('computes a misread price from an amount that was rounded, and keeps the other quantities', () => {
  // 2 × 399,23 − 2,5 % = 778,4985.
  const words = sheet(
    [200, { Consumo: 40, '2': 300, '399,723': 380, '2,5%': 440, '778,50': 500 }],
    [214, { Licencia: 40, '1,5': 300, '42,10': 380, '15%': 440, '53,68': 500 }],
    [228, { Cuota: 40, '5': 300, '10,00': 380, '50,00': 500 }],
    [300, { 'Base imponible': 380, '882,18': 500 }],
    [320, { 'IVA 21 %': 380, '185,26': 510 }],
    [340, { Total: 380, '1.067,44': 500 }],
  );
  const { lineas } = read(words, 'ocr');
  expect(lineas.map(({ quantity, price }) => [quantity, price])).toEqual([
    ['2', '399.23'],
    ['1.5', '42.10'],
    ['5', '10.00'],
  ]);
  expect(lineas[0]?.confianza).toBeLessThan(0.8);
});

describe('two tables, each with its own columns', () => {
  it('are read together', () => {
    const words = sheet(
      [80, { Código: 40, 'Artículo / servicio': 90, CANT: 278, 'Precio ud.': 320, Importe: 437 }],
      [100, { 'R-10': 40, 'Tablero de pino': 90, '2': 302, '100,00': 335, '200,00': 437 }],
      [120, { 'R-11': 40, 'Cola blanca': 90, '4': 302, '50,00': 340, '200,00': 437 }],
      [140, { 'Subtotal materiales: 400,00': 380 }],
      [170, { Código: 40, 'Artículo / servicio': 90, CANT: 318, 'Precio ud.': 360, Importe: 437 }],
      [190, { 'R-12': 40, 'Montaje en taller': 90, '3': 342, '100,00': 375, '300,00': 437 }],
      [210, { 'R-13': 40, 'Colocación en obra': 90, '8': 342, '50,00': 380, '400,00': 437 }],
      [230, { 'Suma mano de obra: 700,00': 380 }],
      ...SUMS,
    );
    expect(linesOf(words)).toMatchObject([
      { description: 'Tablero de pino', quantity: '2', price: '100.00', total: 20_000 },
      { description: 'Cola blanca', quantity: '4', price: '50.00', total: 20_000 },
      { description: 'Montaje en taller', quantity: '3', price: '100.00', total: 30_000 },
      { description: 'Colocación en obra', quantity: '8', price: '50.00', total: 40_000 },
    ]);
  });
});

describe('a listing', () => {
  it('is read with the rules that stick to its figures', () => {
    const words = sheet(
      [80, { 'DESCRIPCION|': 40, 'CANT.|': 270, 'PRECIO|': 350, IMPORTE: 460 }],
      [100, { 'Tablero de pino': 40, '2,00|': 275, '200,00|': 350, '400,00': 465 }],
      [120, { 'Cola blanca': 40, '7,00|': 275, '100,00|': 350, '700,00': 465 }],
      ...SUMS,
    );
    expect(linesOf(words)).toMatchObject([
      { description: 'Tablero de pino', quantity: '2.00', price: '200.00', total: 40_000 },
      { description: 'Cola blanca', quantity: '7.00', price: '100.00', total: 70_000 },
    ]);
  });
});

it('leaves out dates that are as close to the descriptions as words are', () => {
  const words = sheet(
    [80, { Fecha: 40, Concepto: 82, Cant: 300, Precio: 380, Importe: 495 }],
    [100, { '01/03/26 Tablero de pino': 40, '2': 315, '200,00': 380, '400,00': 500 }],
    [120, { '02/03/26 Cola blanca': 40, '7': 315, '100,00': 380, '700,00': 500 }],
    ...SUMS,
  );
  expect(linesOf(words)).toMatchObject([
    { description: 'Tablero de pino', total: 40_000 },
    { description: 'Cola blanca', total: 70_000 },
  ]);
});

describe('a scan', () => {
  it('works out the quantities that were not seen, to be checked', () => {
    const words = sheet(
      [100, { 'Tablero de pino': 40, '200,00': 380, '400,00': 500 }],
      [120, { 'Cola blanca': 40, '100,00': 380, '700,00': 500 }],
      ...SUMS,
    ).map((word) => ({ ...word, paper: { x: 0, y: 0, w: 0.1, h: 0.1 } }));
    const { lineas } = read(words, 'ocr');
    expect(lineas).toMatchObject([
      { description: 'Tablero de pino', quantity: '2', price: '200.00', confianza: 0.7 },
      { description: 'Cola blanca', quantity: '7', price: '100.00', confianza: 0.7 },
    ]);
  });

  it('has its columns right if a quantity or an amount lost its decimal mark', () => {
    const table = (quantity: string, price: string, net: string) =>
      sheet(
        [100, { 'Tablero de pino': 40, '2,00': 300, '200,00': 380, '400,00': 500 }],
        [120, { 'Cola blanca': 40, [quantity]: 300, [price]: 380, [net]: 500 }],
        [140, { Bisagras: 40, '4,00': 300, '50,00': 385, '200,00': 500 }],
        ...SUMS,
      ).map((word) => ({ ...word, paper: { x: 0, y: 0, w: 0.1, h: 0.1 } }));
    for (const [words, quantity, price] of [
      [table('500', '100,00', '500,00'), '5', '100.00'],
      [table('500', '100,00', '50000'), '5', '100.00'],
      [table('125', '40,00', '500,00'), '12.5', '40.00'],
      [table('125', '40,00', '50000'), '12.5', '40.00'],
      [table('12,50', '4000', '50000'), '12.50', '40'],
    ] as const)
      expect(read(words, 'ocr').lineas).toMatchObject([
        { quantity: '2.00', price: '200.00', totalCents: 40_000n, confianza: 0.9 },
        { quantity, price, totalCents: 50_000n },
        { quantity: '4.00', price: '50.00', totalCents: 20_000n, confianza: 0.9 },
      ]);
  });

  it('has its quantities even if most prices have a figure that is another, or one too many', () => {
    const table = (...prices: readonly [string, string, string]) =>
      sheet(
        [100, { 'Tablero de pino': 40, '2,000': 300, '200,00': 380, '400,00': 500 }],
        [120, { 'Cola blanca': 40, '3,000': 300, '33,33': 385, '99,99': 505 }],
        [140, { Bisagras: 40, '4,000': 300, [prices[0]]: 385, '250,04': 500 }],
        [160, { Tiradores: 40, '3,000': 300, [prices[1]]: 385, '150,21': 500 }],
        [180, { 'Clavos de acero': 40, '4,000': 300, [prices[2]]: 385, '199,76': 500 }],
        ...SUMS,
      ).map((word) => ({ ...word, paper: { x: 0, y: 0, w: 0.1, h: 0.1 } }));
    expect(read(table('62,551', '50,97', '499,94'), 'ocr').lineas).toMatchObject([
      { quantity: '2.000', price: '200.00', confianza: 0.9 },
      { quantity: '3.000', price: '33.33', confianza: 0.9 },
      { quantity: '4.000', price: '62.51', confianza: 0.7 },
      { quantity: '3.000', price: '50.07', confianza: 0.7 },
      { quantity: '4.000', price: '49.94', confianza: 0.7 },
    ]);
    // Prices that are others altogether are of something else.
    expect(read(table('71,20', '88,40', '12,75'), 'ocr').lineas).toMatchObject(
      Array.from({ length: 5 }, () => ({ quantity: '1' })),
    );
  });

  it('does not describe a line with what was made of its quantity', () => {
    const words = sheet(
      [100, { 'Tablero de pino': 40, '200,00': 300, '2': 400, '400,00': 500 }],
      [120, { 'Cola blanca': 40, '50,00': 305, '4': 400, '200,00': 500 }],
      [140, { Bisagras: 40, '100,00': 300, 'e)': 397, '500,00': 500 }],
      ...SUMS,
    ).map((word) => ({ ...word, paper: { x: 0, y: 0, w: 0.1, h: 0.1 } }));
    expect(read(words, 'ocr').lineas[2]).toMatchObject({
      description: 'Bisagras',
      quantity: '5',
      confianza: 0.7,
    });
  });

  it('is read by its calculations even if its sums are illegible', () => {
    const words = sheet(
      [100, { 'Tablero de pino': 40, '400,00 €': 500 }],
      [112, { '2 x 200,00 €': 40 }],
      [150, { 'Cola blanca': 40, '700,00 €': 500 }],
      [162, { '7 x 100,00 €': 40 }],
      [300, { TOTAL: 380, '1.3E1': 500 }],
    );
    expect(read(words, 'ocr').lineas).toMatchObject([
      { description: 'Tablero de pino', quantity: '2', price: '200.00', totalCents: 40_000n },
      { description: 'Cola blanca', quantity: '7', price: '100.00', totalCents: 70_000n },
    ]);
  });
});
