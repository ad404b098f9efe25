import { describe, expect, it } from 'vitest';
import { LISTS } from '../../tests/support/fill-template.ts';
import { describeFile } from './describe-file.ts';

const described = (...rows: readonly string[]) =>
  describeFile(Buffer.from(rows.join('\n')), LISTS, () => {});

describe('the decimal sign of a file', () => {
  it.each([
    // Codes of family and article, and prices that could be read with either sign.
    [['Código;Descripción;Precio', '01.0012;Tubo;12', '01.0013;Caldera;1.250'], ','],
    // Another column with amounts tells it where the price does not.
    [['Code;Name;Price;Cost', '1;Desk;1,750;500.5', '2;Chair;45;30.25'], '.'],
    [['Código;Descripción;Precio;IVA', '01.0012;Tubo;12;21,00', '01.0013;Codo;1.250;21,00'], ','],
    [['Código;Descripción;Precio', 'A;Tubo;12.50', 'B;Codo;3.75'], '.'],
    // Nothing is recognised: all columns tell it.
    [['Uno;Dos', '1.5;x', '2.5;y'], '.'],
  ])('in %j is «%s»', async (rows, sign) => {
    expect((await described(...rows)).decimal).toBe(sign);
  });
});
