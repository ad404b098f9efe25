import { expect, it } from 'vitest';
import { keepable } from './keepable.ts';

it('puts a blank for each letter that could not be read, and keeps the rest', () => {
  const read = {
    campos: { nombreCliente: { valor: 'Fontaner\ufffda  Ruiz \ufffd', confianza: 0.9 } },
    lineas: [{ descripcion: '\ufffd Grifo\ud800', cuota: 1n, caja: null }],
    qr: null,
    avisos: ['Dos  blancos'],
  };
  expect(keepable(read)).toEqual({
    campos: { nombreCliente: { valor: 'Fontaner a Ruiz', confianza: 0.9 } },
    lineas: [{ descripcion: 'Grifo', cuota: 1n, caja: null }],
    qr: null,
    avisos: ['Dos  blancos'],
  });
});

it('puts one for what is no letter, and keeps the ends of lines', () => {
  expect(keepable(['Tall\u0000eres', 'Cosa\u0001\u007f\uffff', 'Una\nDos'])).toEqual([
    'Tall eres',
    'Cosa',
    'Una\nDos',
  ]);
});
