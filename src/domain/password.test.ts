import { describe, expect, it } from 'vitest';
import { checkPassword } from './password.ts';

const COMMON = 'Esta contraseña es demasiado común. Elige otra.';
const EMAIL = 'La contraseña no puede contener tu correo electrónico.';
const COMPANY = 'La contraseña no puede contener el nombre o el NIF de tu empresa.';
const SEQUENCE = 'La contraseña no puede ser una secuencia o un carácter repetido.';
const context = {
  email: 'nuria.ferrer@obradorcandela.example',
  companyName: 'Obrador Cándela, S.L.',
  nif: 'B12345674',
};

describe('checkPassword', () => {
  it.each(['tres tristes tigres', 'Ñandú·€uro', '  7 q  y ', 'k7#Vq-2m'])(
    'accepts any characters, without rules of composition: %s',
    (password) => {
      expect(checkPassword(password, context)).toEqual([]);
    },
  );

  it('requires 8 to 128 characters, counted as a person counts them', () => {
    expect(checkPassword('k7#Vq-2')).toEqual(['La contraseña debe tener al menos 8 caracteres.']);
    expect(checkPassword('👩‍🍳🥖🍞🥐🧈🥨🍪')).toEqual([]);
    expect(checkPassword(`${'tr1s'.repeat(31)}e7#V`)).toEqual([]);
    expect(checkPassword(`${'tr1s'.repeat(31)}e7#V-`)).toEqual([
      'La contraseña no puede superar los 128 caracteres.',
    ]);
  });

  it.each([
    'iloveyou',
    'Football',
    'trustno1',
    'michelle',
    'Contraseña1',
    'factura2026',
    'Huella-1',
  ])('refuses the commonest passwords and the obvious ideas: %s', (password) => {
    expect(checkPassword(password)).toContain(COMMON);
  });

  it.each(['nuria.ferrer@obradorcandela.example', 'NuriaFerrer1', 'ferrer19751207'])(
    'refuses a password derived from the e-mail: %s',
    (password) => {
      expect(checkPassword(password, context)).toContain(EMAIL);
    },
  );

  it.each([
    'Obrador Candela',
    'obrador2026',
    'b12345674',
    'B-12345674-x',
    '12345674!!!!',
    'mi nif es B12345674',
  ])('refuses a password derived from the company: %s', (password) => {
    expect(checkPassword(password, context)).toContain(COMPANY);
  });

  it('accepts a long sentence that names the company', () => {
    expect(checkPassword('mi abuela abrió el obrador en otoño', context)).toEqual([]);
  });

  it.each([
    'zzzzzzzz',
    '12345678',
    '87654321',
    'abcdefgh',
    'qwertyuiop',
    'abcabcabc',
    '1234qwerty',
  ])('refuses a sequence or a repetition: %s', (password) => {
    expect(checkPassword(password)).toContain(SEQUENCE);
  });

  it('reports every broken rule, in the same order', () => {
    expect(checkPassword('1234567', { nif: '12345678Z', email: '1234567@a.es' })).toEqual([
      'La contraseña debe tener al menos 8 caracteres.',
      EMAIL,
      SEQUENCE,
    ]);
  });
});
