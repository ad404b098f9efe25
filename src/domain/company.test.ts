import { describe, expect, it } from 'vitest';
import { checkCompanyData } from './company.ts';

const TYPED = {
  name: ' Talleres Ruiz Hermanos, S.L. ',
  nif: 'a-58818501',
  address: ' Calle Mayor, 1 ',
  postCode: ' 28013 ',
  countryCode: 'ES',
};

describe('the data of a company', () => {
  it('are saved trimmed, and the NIF in its nine characters', () => {
    expect(checkCompanyData(TYPED)).toEqual({
      company: {
        name: 'Talleres Ruiz Hermanos, S.L.',
        nif: 'A58818501',
        address: 'Calle Mayor, 1',
        postCode: '28013',
        countryCode: 'ES',
      },
      sentences: [],
    });
  });

  it('are refused with all errors at once, in the order of the form', () => {
    const empty = { name: ' ', nif: '', address: ' ', postCode: '', countryCode: 'XX' };
    const { sentences } = checkCompanyData(empty);
    expect(sentences).toHaveLength(5);
    expect(sentences[0]).toBe('Escribe el nombre de la empresa.');
    expect(sentences.slice(2, 4)).toEqual([
      'Escribe la dirección de la empresa.',
      'Elige el país de la lista.',
    ]);
  });

  it('have a name that the registros accept', () => {
    expect(checkCompanyData({ ...TYPED, name: 'x'.repeat(120) }).sentences).toEqual([]);
    expect(checkCompanyData({ ...TYPED, name: '😀'.repeat(120) }).sentences).toEqual([]);
    expect(checkCompanyData({ ...TYPED, name: 'x'.repeat(121) }).sentences).toEqual([
      'El nombre de la empresa no puede pasar de 120 caracteres.',
    ]);
  });
});
