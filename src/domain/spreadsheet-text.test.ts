import { expect, it } from 'vitest';
import { csvLine, spreadsheetText } from './spreadsheet-text.ts';

it.each(['=1+1', '+34 910', '-5', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1', '＋1', '－1', '＠1'])(
  'prevents %j from being a formula',
  (text) => {
    expect(spreadsheetText(text)).toBe(`'${text}`);
  },
);

it.each(['', 'Obrador', '1=1', 'a@b.es'])('leaves %j as it is', (text) => {
  expect(spreadsheetText(text)).toBe(text);
});

it('writes a line that a Spanish spreadsheet reads: amounts as numbers, nothing as a formula', () => {
  expect(csvLine(['-12,50', '-12,50-A1', '=A1', 'Pan; "de ayer"', '0001'])).toBe(
    `-12,50;'-12,50-A1;'=A1;"Pan; ""de ayer""";0001\r\n`,
  );
});
