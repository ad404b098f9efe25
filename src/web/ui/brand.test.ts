import { expect, it } from 'vitest';
import { BRAND_HUELLA, HUELLA_00039, HUELLA_00040, HUELLA_00041_CHANGED } from './brand.ts';

/** SHA-256 of the fields of a RegistroAlta, joined as the AEAT does. */
async function huella(
  NumSerieFactura: string,
  FechaExpedicionFactura: string,
  amounts: readonly [CuotaTotal: string, ImporteTotal: string],
  anterior: string,
  generado: string,
): Promise<string> {
  const text =
    `IDEmisorFactura=B50482173&NumSerieFactura=${NumSerieFactura}` +
    `&FechaExpedicionFactura=${FechaExpedicionFactura}&TipoFactura=F1` +
    `&CuotaTotal=${amounts[0]}&ImporteTotal=${amounts[1]}` +
    `&Huella=${anterior}&FechaHoraHusoGenRegistro=${generado}`;
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(digest)]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase();
}

const AT_41 = '2026-11-20T10:32:07+01:00';

it('draws a real cadena: each huella is computed with the previous one', async () => {
  const h39 = await huella(
    '00039/LO',
    '18-11-2026',
    ['70.20', '772.20'],
    '',
    '2026-11-18T17:05:41+01:00',
  );
  const h40 = await huella(
    '00040/LO',
    '19-11-2026',
    ['92.83', '1021.10'],
    h39,
    '2026-11-19T09:14:22+01:00',
  );
  const h41 = await huella('00041/LO', '20-11-2026', ['48.10', '556.90'], h40, AT_41);
  expect([h39, h40, h41]).toEqual([HUELLA_00039, HUELLA_00040, BRAND_HUELLA]);
});

it('shows the huella that one more cent would have given', async () => {
  expect(await huella('00041/LO', '20-11-2026', ['48.10', '556.91'], HUELLA_00040, AT_41)).toBe(
    HUELLA_00041_CHANGED,
  );
});
