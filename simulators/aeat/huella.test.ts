import { describe, expect, it } from 'vitest';
import { huellaOfAlta, huellaOfAnulacion } from './huella.ts';
import type { RegistroAlta, RegistroAnulacion } from './structure-tables.ts';

/** The parts of a registro that enter its huella. */
type Huellable = Partial<Record<keyof RegistroAlta, unknown>>;
const ofAlta = (registro: Huellable) => huellaOfAlta(registro as unknown as RegistroAlta);
const ofAnulacion = (registro: object) =>
  huellaOfAnulacion(registro as unknown as RegistroAnulacion);
const following = (Huella: string) => ({ Encadenamiento: { RegistroAnterior: { Huella } } });

const FIRST = '3C464DAF61ACB827C65FDA19F352A4E3BDC2C640E9E9FC4CC058073F38F12F60';
const SECOND = 'F7B94CFD8924EDFF273501B01EE5153E4CE8F259766F88CF6ACB8935802A2B97';

// Especificaciones de la huella 0.1.2 (27-08-2024), section 6.
describe('official huellas', () => {
  it('first alta of a cadena', () => {
    expect(
      ofAlta({
        IDFactura: {
          IDEmisorFactura: '89890001K',
          NumSerieFactura: '12345678/G33',
          FechaExpedicionFactura: '01-01-2024',
        },
        TipoFactura: 'F1',
        CuotaTotal: '12.35',
        ImporteTotal: '123.45',
        Encadenamiento: { PrimerRegistro: 'S' },
        FechaHoraHusoGenRegistro: '2024-01-01T19:20:30+01:00',
      }),
    ).toBe(FIRST);
  });

  it('alta with a previous one', () => {
    expect(
      ofAlta({
        IDFactura: {
          IDEmisorFactura: '89890001K',
          NumSerieFactura: '12345679/G34',
          FechaExpedicionFactura: '01-01-2024',
        },
        TipoFactura: 'F1',
        CuotaTotal: '12.35',
        ImporteTotal: '123.45',
        ...following(FIRST),
        FechaHoraHusoGenRegistro: '2024-01-01T19:20:35+01:00',
      }),
    ).toBe(SECOND);
  });

  it('anulación', () => {
    expect(
      ofAnulacion({
        IDFactura: {
          IDEmisorFacturaAnulada: '89890001K',
          NumSerieFacturaAnulada: '12345679/G34',
          FechaExpedicionFacturaAnulada: '01-01-2024',
        },
        ...following(SECOND),
        FechaHoraHusoGenRegistro: '2024-01-01T19:20:40+01:00',
      }),
    ).toBe('177547C0D57AC74748561D054A9CEC14B4C4EA23D1BEFD6F2E69E3A388F90C68');
  });
});
