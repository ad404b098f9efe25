import { describe, expect, it } from 'vitest';
import type { Customer } from '../domain/customer.ts';
import { CustomerJudge } from './judge-customers.ts';

const CHOICES = {
  terminosPago: new Set(['CON']),
  formasPago: new Set(['TRANSF']),
  gruposContables: new Set(['NAC', 'EXT', 'CAN', 'UE', 'UEPART']),
};

function judgeOf(customers: readonly Customer[], archivedNos: readonly string[] = []) {
  return new CustomerJudge({
    customers,
    archivedNos,
    products: [],
    defaults: { PaymentTerms: 'CON', PaymentMethod: 'TRANSF', CustomerPostingGroup: 'NAC' },
    choices: CHOICES,
    units: new Set(),
    vatGroups: [],
    claves: new Set(),
    today: '2026-11-26',
  });
}

function judged(values: Partial<Record<keyof Customer, string>>): Customer {
  const judgement = judgeOf([]).judge({ Name: 'Uno', ...values });
  if (!judgement.ok) throw new Error(judgement.problems.map(({ mensaje }) => mensaje).join(' '));
  return judgement.customer;
}

describe('a customer of another program', () => {
  it.each([
    ['28013', '28013'],
    ['28.013', '28013'],
    ['8.001', '08001'],
    ['8001.0', '08001'],
    ['28013,0', '28013'],
    ['E-28013', '28013'],
    ['ES-08001', '08001'],
    ['-', ''],
    ['NULL', ''],
  ])('with the postal code «%s»', (written, postCode) => {
    expect(judged({ postCode: written }).postCode).toBe(postCode);
  });

  it('with a foreign postal code keeps it as it is', () => {
    expect(judged({ postCode: '10.115', countryCode: 'DE' }).postCode).toBe('10.115');
  });

  it('has nothing where it says that it has nothing', () => {
    const nothing = { VATRegistrationNo: 'N/A', Address: '--', Email: '-', municipio: '-' };
    expect(judged(nothing)).toMatchObject({ VATRegistrationNo: '', Address: '', Email: '' });
    expect(judged({ Address: 'S/N' }).Address).toBe('S/N');
    // The code of Namibia, not «N/A».
    expect(judged({ countryCode: 'NA' }).countryCode).toBe('NA');
  });

  it('has its name and its address in one row', () => {
    const rows = { Name: 'Hermanos Díaz\r\ne Hijos, S.L.', Address: 'C/ Mayor, 3,\nEsc. B\n2.º' };
    expect(judged(rows)).toMatchObject({
      Name: 'Hermanos Díaz e Hijos, S.L.',
      Address: 'C/ Mayor, 3, Esc. B, 2.º',
    });
  });

  it.each([
    ['ana@b.es; luis@b.es', 'ana@b.es'],
    ['ana@b.es,luis@b.es', 'ana@b.es'],
    ['ana@b.es / luis@b.es', 'ana@b.es'],
    ['Pérez, Ana <ana@b.es>', 'ana@b.es'],
    ['luis@b.es; ana,perez@b.es', 'luis@b.es'],
  ])('with the e-mails «%s»', (written, email) => {
    expect(judged({ Email: written }).Email).toBe(email);
  });

  it('is not given the address of somebody else, for a comma where a point belongs', () => {
    expect(() => judged({ Email: 'ana,perez@b.es' })).toThrow('no tiene una forma válida');
  });
});

const saved = (No: string, Name: string, VATRegistrationNo = ''): Customer => ({
  No,
  Name,
  VATRegistrationNo,
  Address: 'C/ Mayor, 3',
  postCode: '28013',
  countryCode: 'ES',
  Email: '',
  PaymentMethod: 'TRANSF',
  PaymentTerms: 'CON',
  CustomerPostingGroup: 'NAC',
});
const SAVED = [
  saved('C-1', 'Talleres Ruiz, S.L.', 'B12345674'),
  saved('C-2', 'Ferretería Muñoz', 'A58818501'),
  saved('C-3', 'Ana Beltrán'),
  { ...saved('C-4', 'Luis Gil'), postCode: '08001' },
];
type Row = Partial<Record<keyof Customer, string>>;

describe('a row of a customer', () => {
  const fateOf = (row: Row) => {
    const judgement = judgeOf(SAVED).judge(row);
    return judgement.ok
      ? [judgement.customer.No, judgement.accion, ...judgement.cambios]
      : judgement.problems.map(({ campo }) => campo);
  };
  const RUIZ = { Name: 'Talleres Ruiz, S.L.', VATRegistrationNo: 'B12345674' };

  it.each<[string, Row, string[]]>([
    ['by its code', { No: 'c-1', ...RUIZ }, ['C-1', 'igual']],
    ['by its NIF', RUIZ, ['C-1', 'igual']],
    ['by its NIF with hyphens', { ...RUIZ, VATRegistrationNo: 'B-1234567-4' }, ['C-1', 'igual']],
    [
      'by its name and postal code',
      { Name: 'ana beltran', postCode: '28013' },
      ['C-3', 'actualizado', 'Name'],
    ],
    ['whose postal code lost its zero', { Name: 'Luis Gil', postCode: '8001' }, ['C-4', 'igual']],
    [
      'by its code, whatever its name',
      { No: 'C-1', Name: 'Ana Beltrán', postCode: '28013' },
      ['C-1', 'actualizado', 'Name'],
    ],
    [
      'by its code, with its first NIF',
      { No: 'C-3', Name: 'Ana Beltrán', VATRegistrationNo: '12345678Z' },
      ['C-3', 'actualizado', 'VATRegistrationNo'],
    ],
    [
      'by its NIF, whatever its name',
      { ...RUIZ, Name: 'Ana Beltrán', postCode: '28013' },
      ['C-1', 'actualizado', 'Name'],
    ],
    [
      'with what changes',
      { ...RUIZ, Address: 'C/ Menor, 1', Email: 'a@b.es' },
      ['C-1', 'actualizado', 'Address', 'Email'],
    ],
  ])('updates the saved one %s', (_, row, fate) => {
    expect(fateOf(row)).toEqual(fate);
  });

  it.each<[string, Row]>([
    ['another code', { No: 'C-9', Name: 'Ana Beltrán', postCode: '28013' }],
    [
      'a NIF that nobody has',
      { Name: 'Ana Beltrán', postCode: '28013', VATRegistrationNo: '12345678Z' },
    ],
    ['another postal code', { Name: 'Ana Beltrán', postCode: '48001' }],
  ])('is a new one with the name of a saved one and %s', (_, row) => {
    expect(fateOf(row)).toEqual([row.No ?? '', 'nuevo']);
  });

  it.each<[string, Row, string[]]>([
    [
      'the code of one with another NIF',
      { No: 'C-1', Name: 'Otro', VATRegistrationNo: '12345678Z' },
      ['No'],
    ],
    [
      'the code of one and the NIF of another',
      { No: 'C-1', Name: 'Otro', VATRegistrationNo: 'A58818501' },
      ['No', 'VATRegistrationNo'],
    ],
    [
      'the NIF of another, for one that had none',
      { No: 'C-3', Name: 'Ana', VATRegistrationNo: 'A58818501' },
      ['VATRegistrationNo'],
    ],
  ])('is refused with %s', (_, row, fields) => {
    expect(fateOf(row)).toEqual(fields);
  });
});

describe('a row like an earlier one', () => {
  const NIF = { VATRegistrationNo: '12345678Z' };
  const refusedBy = (rows: readonly [Row, Row], archivedNos: readonly string[] = []) => {
    const judge = judgeOf(SAVED, archivedNos);
    return rows.map((row, index) => {
      const judgement = judge.judge({ Name: 'Uno', ...row }, index + 4);
      return judgement.ok ? '' : judgement.problems.map(({ mensaje }) => mensaje).join(' ');
    });
  };

  it.each<[string, [Row, Row], string]>([
    [
      'NIF',
      [
        { No: 'N-1', ...NIF },
        { No: 'N-2', ...NIF },
      ],
      'El NIF 12345678Z está repetido: ya está en la fila 4.',
    ],
    [
      'code',
      [{ No: 'N-1' }, { No: 'n-1', Name: 'Dos' }],
      'El código n-1 está repetido: ya está en la fila 4.',
    ],
    [
      'code, although the saved ones have others',
      [
        { No: 'N-1', VATRegistrationNo: 'B12345674' },
        { No: 'n-1', VATRegistrationNo: 'A58818501' },
      ],
      'El código n-1 está repetido: ya está en la fila 4.',
    ],
    ['name and nothing else', [{}, {}], 'Este cliente está repetido: ya está en la fila 4.'],
  ])('is refused for its %s', (_, rows, problem) => {
    expect(refusedBy(rows)).toEqual(['', problem]);
  });

  it.each<[string, [Row, Row]]>([
    ['its own NIF', [{}, NIF]],
    ['its own code', [{}, { No: 'N-1' }]],
    ['another postal code', [{ postCode: '28013' }, { postCode: '48001' }]],
  ])('is another customer by %s', (_, rows) => {
    expect(refusedBy(rows)).toEqual(['', '']);
  });

  it('has no code of a deleted customer with invoices', () => {
    expect(refusedBy([{ No: 'V-1' }, { No: 'V-2', Name: 'Dos' }], ['V-1'])).toEqual([
      expect.stringContaining('V-1 fue de un cliente que eliminaste'),
      '',
    ]);
  });
});
