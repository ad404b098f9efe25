import { describe, expect, it } from 'vitest';
import { printedRows } from '../../tests/reading/printed-rows.ts';
import { findParties } from './parties.ts';
import { withWholeLabels } from './party-labels.ts';

const OWN = 'B12345674';
const OTHER = 'A82018474';

/** Who issues and who receives; `?` marks what somebody has to look at. */
function roles(...texts: readonly string[]) {
  const { emisor, cliente } = findParties(withWholeLabels(printedRows(...texts)), OWN);
  const said = ({ nif }: typeof emisor) => nif && `${nif.valor}${nif.isGuess ? ' ?' : ''}`;
  return [said(emisor), said(cliente)];
}

const SUMS = [
  'Base imponible   55,10',
  'IVA 21 %         11,57',
  'TOTAL A PAGAR    66,67 €',
  '',
  '',
];

describe('an invoice without labels of roles', () => {
  const window = [
    '                                  PANADERÍA SOTO, S.L.',
    '                                  CALLE REAL, 22',
    '                                  15401 FERROL',
    '                                  B12345674',
    '',
    '',
    '',
  ];
  const letterhead = [
    'Fibra del Norte Telecom, S.L.',
    'Avda. de Arteixo, 40',
    '15008 A Coruña',
    `CIF: ${OTHER}`,
  ];

  it('is of the one whose NIF is in the foot', () => {
    const { emisor, cliente } = findParties(
      printedRows(
        'movistar',
        'Factura nº TA6C90118223',
        ...window,
        ...SUMS,
        'Telefónica de España, S.A.U. Gran Vía, 28 - 28013 Madrid. Inscrita en el Registro',
        `Mercantil de Madrid, Tomo 13.170, Folio 26, Hoja M-213180. C.I.F. ${OTHER}`,
      ),
      OWN,
    );
    expect(emisor).toMatchObject({
      nif: { valor: OTHER },
      nombre: { text: 'Telefónica de España, S.A.U.' },
    });
    expect(cliente).toMatchObject({
      nif: { valor: OWN },
      nombre: { text: 'PANADERÍA SOTO, S.L.' },
    });
    expect(cliente.direccion?.map(({ text }) => text)).toEqual(['CALLE REAL, 22', '15401 FERROL']);
  });

  it.each([
    `Aguas de Ferrolterra, S.A. CIF ${OTHER}`,
    `Aguas de Ferrolterra, S.A. Capital social 60.000,00 euros. CIF ${OTHER}`,
  ])('is, whatever else stands there: «%s»', (foot) => {
    expect(roles(...window, ...SUMS, foot)).toEqual([`${OTHER} ?`, `${OWN} ?`]);
  });

  it('is of the one with a telephone above the other', () => {
    expect(roles(...letterhead, 'Tel. 981 123 456', '', '', '', ...window, ...SUMS)).toEqual([
      `${OTHER} ?`,
      `${OWN} ?`,
    ]);
  });

  it('is doubtful if only the order speaks against the company that uploads', () => {
    const sheet = roles(...letterhead, '', '', '', '', ...window, ...SUMS);
    expect(sheet).toEqual([`${OWN} ?`, `${OTHER} ?`]);
  });

  it('is of the company that uploads if that comes first, or is in the foot', () => {
    const client = ['', '', '', '', 'Marta Gil Ríos', '12345678Z', '', '', ''];
    const head = ['Panadería Soto, S.L.', 'B12345674'];
    expect(roles(...head, ...client, ...SUMS)).toEqual([OWN, '12345678Z']);
    expect(roles(...client, ...SUMS, 'Panadería Soto, S.L. B12345674')).toEqual([OWN, '12345678Z']);
  });

  it('is of the one in whose favour a sentence says that the other owes', () => {
    const owes = (nif: string, to: string) => `D. Iván Prieto, con NIF ${nif}, DEBE a ${to}:`;
    const head = ['Bufete Soto, S.L.P.', `NIF ${OTHER}`, '', '', ''];
    expect(roles(...head, owes(OWN, 'Bufete Soto, S.L.P.'), ...SUMS)).toEqual([
      `${OTHER} ?`,
      `${OWN} ?`,
    ]);
  });
});

it('is received if the company that uploads is labelled as the client, whoever issues it', () => {
  expect(roles('Bill to', 'Panadería Soto, S.L.', 'Tax ID: B12345674', '', '', ...SUMS)).toEqual([
    undefined,
    `${OWN} ?`,
  ]);
  const form = ['Cliente:     Panadería Soto, S.L.', 'NIF:         B12345674', '', ''];
  expect(roles(`Telas Ruiz, S.A. NIF ${OTHER}`, '', '', ...form, ...SUMS)).toEqual([OTHER, OWN]);
});

it('does not take the owner of a shop, named at the top, for the client', () => {
  const shop = [
    'Reformas Costa Blanca',
    'Titular: Panadería Soto, S.L.',
    'NIF B12345674',
    '',
    '',
    '',
  ];
  expect(roles(...shop, 'Marta Gil Ríos', '12345678Z', '', ...SUMS)).toEqual([OWN, '12345678Z']);
});

it('is doubtful which of two others issued what the company that uploads has to pay', () => {
  const sheet = roles(
    'Crédito cedido a Banco Vega, S.A., NIF A82472127',
    '',
    '',
    'Telas Ruiz, S.A.',
    `NIF ${OTHER}`,
    '',
    '',
    '',
    'Cliente',
    'Panadería Soto, S.L.',
    'NIF B12345674',
    '',
    ...SUMS,
  );
  expect(sheet.every((one) => one?.endsWith(' ?'))).toBe(true);
});
