import { expect, it } from 'vitest';
import { spreadsheetText } from './spreadsheet-text.ts';

it.each(['=1+1', '+34 910', '-5', '@SUM(A1)', '\t=1', '\r=1', '＝1', '＋1', '－1', '＠1'])(
  'keeps %j from being a formula',
  (text) => {
    expect(spreadsheetText(text)).toBe(`'${text}`);
  },
);

it.each(['', 'Obrador', '1=1', 'a@b.es'])('leaves %j as it is', (text) => {
  expect(spreadsheetText(text)).toBe(text);
});
