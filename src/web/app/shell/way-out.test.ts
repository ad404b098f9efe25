import { expect, it } from 'vitest';
import { checkPassword } from '../../../domain/password.ts';
import { gateOf } from './gate.ts';
import { wayOutOf } from './way-out.ts';

it('links to what solves a closed panel, wherever its sentence comes from', () => {
  for (const company of [
    { hasCertificate: false, expired: false },
    { hasCertificate: true, expired: true },
  ]) {
    const gate = gateOf(company);
    expect(wayOutOf([gate?.sentence ?? ''])).toEqual({
      action: gate?.action,
      to: `/panel/perfil#${gate?.section}`,
    });
  }
});

it('links to the page that a refusal names, and to none otherwise', () => {
  const refusal = 'Concilia ese mes en «Registros y evidencias».';
  expect(wayOutOf(['Otra cosa.', refusal])?.to).toBe('/panel/registros');
  expect(wayOutOf(['El correo no es correcto.'])).toBeNull();
  expect(wayOutOf([])).toBeNull();
});

it('leads from the later steps of the sign-up to its password, and from nowhere else', () => {
  const refusal = checkPassword('obrador candela', { companyName: 'Obrador Candela' });
  for (const step of ['paso2', 'paso3']) {
    expect(wayOutOf(refusal, `/registro/${step}`)?.to).toBe('/registro/paso1');
  }
  expect(wayOutOf(refusal, '/panel/perfil')).toBeNull();
});
