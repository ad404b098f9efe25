import { expect, it } from 'vitest';
import { gruposIva } from '../domain/catalogs/catalogs.ts';
import { rowProblems } from './judge-invoices.ts';
import type { Known } from './known.ts';
import type { FileRow } from './read-file.ts';

it.each([
  ['an ordinary sale', { tax: 'IVA21' }, 'fechaOperacion'],
  ['a public work', { tax: 'OBRAPUB21' }, null],
  ['a contract that falls due later', { tax: 'TRACTO21' }, null],
  ['a clave chosen for the whole invoice', { tax: 'IVA21', claveRegimen: '14' }, null],
])(
  'admits a later day of the operation for %s, or says where it is wrong',
  (_what, given, column) => {
    const known = { today: '2026-11-20', vatGroups: gruposIva('peninsula') } as unknown as Known;
    const values = { ...given, invoiceDate: '2026-11-20', fechaOperacion: '2027-01-15' };
    const row = { fila: 4, values, shown: [], problems: [], leftOut: [] } satisfies FileRow;
    expect(rowProblems([row], known).map(({ key }) => key)).toEqual(column ? [column] : []);
  },
);
