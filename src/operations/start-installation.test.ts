import { expect, it } from 'vitest';
import { standingBesideLost } from './start-installation.ts';

/** What the AEAT holds was made in this second. */
const LOST = {
  FechaHoraHusoGenRegistro: '2026-11-20T10:00:00+01:00',
  EstadoRegistro: 'Correcto',
} as const;

it.each(['2026-11-20T08:59:59Z', '2026-11-20T09:00:00Z', '2026-11-20T09:00:00.999Z'])(
  'an invoice registered at %s, not after what was lost, is the same one',
  (registeredAt) => {
    expect(standingBesideLost(new Date(registeredAt), LOST)).toMatchObject({
      status: 'Aceptado con errores',
      errorMessage: expect.stringContaining('Corrígela'),
    });
    expect(
      standingBesideLost(new Date(registeredAt), { ...LOST, EstadoRegistro: 'Anulado' }),
    ).toMatchObject({
      status: 'Anulada',
      errorMessage: expect.stringMatching(/^La AEAT la tiene anulada/),
    });
  },
);

it.each(['2026-11-20T09:00:01Z', null])('one registered at %s is another', (registeredAt) => {
  for (const EstadoRegistro of ['Correcto', 'Anulado'] as const) {
    const standing = standingBesideLost(registeredAt === null ? null : new Date(registeredAt), {
      ...LOST,
      EstadoRegistro,
    });
    expect(standing.status).toBe('Anulada');
    expect(standing.errorMessage).toMatch(/^La AEAT ya tenía una factura con este número/);
  }
});
