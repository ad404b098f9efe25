import { describe, expect, it } from 'vitest';
import { countWords, phasePercent, runWords } from './words.ts';

describe('what a synchronisation did, in words', () => {
  it('lists documents first, with their number', () => {
    const words = countWords({ clientesNuevos: 2000, facturasNuevas: 1, retenidas: 3 });
    expect(words.replaceAll('\u00a0', ' ')).toBe(
      '1 factura nueva · 3 retenidas · 2.000 clientes nuevos',
    );
  });

  it('says when there was no news', () => {
    expect(countWords({})).toBe('Sin novedades');
    expect(runWords({ estado: 'terminada', cuentas: {} })).toBe('Sin novedades');
    expect(runWords({ estado: 'en-marcha', cuentas: { clientesNuevos: 0 } })).toBe('');
    expect(runWords({ estado: 'fallida', cuentas: {} })).toBe('No se ha podido sincronizar');
    const one = runWords({ estado: 'parada', cuentas: { clientesNuevos: 1 } });
    expect(one).toMatch(/^1\scliente nuevo$/);
  });

  it('advances with each phase and never looks finished before its end', () => {
    const at = ['conectando', 'clientes', 'facturas', 'devolviendo'].map(phasePercent);
    expect(at).toEqual(at.toSorted((a, b) => a - b));
    expect(Math.max(...at)).toBeLessThan(100);
  });
});
