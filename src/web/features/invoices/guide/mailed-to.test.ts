import { expect, it } from 'vitest';
import type { TimelineStep } from '../../../../contract/invoices.ts';
import { mailedTo } from './mailed-to.ts';

const correoCliente = 'pedidos@cliente.es';
const mail = (detalle: string, tono: TimelineStep['tono'] = 'neutro'): TimelineStep => ({
  tipo: 'correo',
  fecha: '2026-11-20T10:00:00.000Z',
  titulo: 'Enviada por correo',
  detalle,
  tono,
});

it.each([
  ['sent to the client', [mail(correoCliente)], correoCliente],
  [
    'sent to the client, and later to another',
    [mail(correoCliente), mail('a@b.es')],
    correoCliente,
  ],
  ['sent to another alone', [mail('a@b.es')], undefined],
  ['on its way', [mail(correoCliente, 'azul')], undefined],
  ['returned', [mail(`${correoCliente}: no existe`, 'rojo')], undefined],
  ['never sent', [], undefined],
] as const)('an invoice %s', (_, historia, expected) => {
  expect(mailedTo({ correoCliente, historia: [...historia] })).toBe(expected);
});

it('a client without an address was mailed nothing', () => {
  expect(mailedTo({ correoCliente: '', historia: [mail(correoCliente)] })).toBeUndefined();
});
