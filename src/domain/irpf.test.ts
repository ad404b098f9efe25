import { describe, expect, it } from 'vitest';
import {
  checkRetention,
  type Payer,
  retentionOptions,
  takesUsualRetention,
  type UsualRetention,
  withholds,
} from './irpf.ts';
import { parseDecimal } from './money.ts';
import { entityNif } from './nif.ts';
import type { Territory } from './postal-code.ts';

describe('the rates of retention', () => {
  const ofPeninsula = (current: string) => retentionOptions(current, 'peninsula');
  const ofTheLaw = ofPeninsula('').length;

  it.each([
    ['9,5', '9,5\u00a0%'],
    ['9.50', '9,5\u00a0%'],
    ['no', 'no'],
  ])('include the draft’s %s as it is read', (current, label) => {
    expect(ofPeninsula(current)).toHaveLength(ofTheLaw + 1);
    expect(ofPeninsula(current).at(-1)).toEqual({ value: current, label });
  });

  it.each(['15', '15,00', '15.0'])('include %s once, with its explanation', (current) => {
    expect(ofPeninsula(current)).toHaveLength(ofTheLaw);
    expect(ofPeninsula(current).find(({ value }) => value === current)?.label).toBe(
      '15 %, profesionales',
    );
  });

  it('are 60 % lower in Ceuta and Melilla, for those entitled to it', () => {
    const rates = (territory: Territory) =>
      retentionOptions('', territory).map(({ value }) => Number(parseDecimal(value, 2)) / 100);
    const usual = [15, 7, 19, 1, 2, 24];
    expect(rates('peninsula')).toEqual(usual);
    expect(rates('canarias')).toEqual(usual);
    // 15, 7 and 19 × 0.4.
    expect(rates('ceuta-melilla')).toEqual([6, 2.8, 7.6, ...usual]);
  });
});

it.each([
  ['', 0n],
  ['15', 1_500n],
  ['2,8', 280n],
  ['7.00', 700n],
  [19, 1_900n],
  ['50', 5_000n],
  ['50,01', null],
  ['-1', null],
  ['1,234', null],
  ['quince', null],
])('«%s» is a retention of %s', (percent, bps) => {
  expect(checkRetention(percent)).toBe(bps);
});

const COMPANY: Payer = {
  VATRegistrationNo: 'B12345674',
  countryCode: 'ES',
  CustomerPostingGroup: 'NAC',
  tipoIdentificacion: '',
};
const PERSON = { ...COMPANY, VATRegistrationNo: '12345678Z' };

describe('whether the customer withholds', () => {
  it.each<[string, string, Partial<Payer>]>([
    ['a company', 'always', {}],
    ['one of the Canary Islands', 'always', { CustomerPostingGroup: 'CAN' }],
    ['a comunidad de propietarios', 'always', { VATRegistrationNo: entityNif('H', '1234567') }],
    ['an ayuntamiento', 'always', { VATRegistrationNo: entityNif('P', '1234567') }],
    ['a NIF written as NIF-IVA', 'always', { VATRegistrationNo: 'ES-B12345674' }],
    ['a shop in recargo', 'always', { ...PERSON, CustomerPostingGroup: 'NACRE' }],
    ['a person, in business or not', 'if-in-business', PERSON],
    [
      'a foreign entity with a NIF',
      'if-in-business',
      { VATRegistrationNo: entityNif('N', '1234567') },
    ],
    ['nobody in particular', 'never', { VATRegistrationNo: '' }],
    ['a NIF that is not one', 'never', { VATRegistrationNo: 'B12345670' }],
    ['a person not in the census', 'never', { ...PERSON, tipoIdentificacion: '07' }],
    ['a passport', 'never', { VATRegistrationNo: 'XDA123456', tipoIdentificacion: '03' }],
    [
      'a company of France',
      'never',
      { VATRegistrationNo: 'FR40303265045', countryCode: 'FR', CustomerPostingGroup: 'UE' },
    ],
    [
      'one of abroad under a Spanish NIF',
      'never',
      { countryCode: 'PT', CustomerPostingGroup: 'EXT' },
    ],
  ])('%s: %s', (_, answer, change) => {
    expect(withholds({ ...COMPANY, ...change })).toBe(answer);
  });
});

describe('a new invoice has the usual retention', () => {
  const usual: UsualRetention = {
    percent: '15',
    issuerNif: '12345678Z',
    tipoFactura: 'F1',
    client: COMPANY,
    isOnMargin: false,
  };

  it.each<[string, string, Partial<UsualRetention>]>([
    ['of a person to a company', 'always', {}],
    ['of a comunidad de bienes', 'always', { issuerNif: entityNif('E', '1234567') }],
    ['of a sociedad civil', 'always', { issuerNif: entityNif('J', '1234567') }],
    ['of an entity whose NIF ends in E', 'never', { issuerNif: 'S2833002E' }],
    ['of what a company lets', 'always', { issuerNif: 'B76543214', percent: '19' }],
    ['of what it lets in Ceuta', 'always', { issuerNif: 'B76543214', percent: '7,6' }],
    ['to a person', 'if-in-business', { client: PERSON }],
    ['of a company', 'never', { issuerNif: 'B76543214' }],
    ['without a usual one', 'never', { percent: '' }],
    ['of nothing', 'never', { percent: '0' }],
    ['simplified', 'never', { tipoFactura: 'F2' }],
    ['in exchange of simplified ones', 'never', { tipoFactura: 'F3' }],
    ['rectificativa', 'never', { tipoFactura: 'R1' }],
    ['while nobody is chosen', 'never', { client: undefined }],
    ['on the margin', 'never', { isOnMargin: true }],
  ])('%s: %s', (_, answer, change) => {
    expect(takesUsualRetention({ ...usual, ...change })).toBe(answer);
  });
});
