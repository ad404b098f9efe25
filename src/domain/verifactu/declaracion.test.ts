import { describe, expect, it } from 'vitest';
import packageJson from '../../../package.json' with { type: 'json' };
import { declaracionResponsable, VERSIONES_DECLARADAS } from './declaracion.ts';
import { sistemaInformatico } from './sistema.ts';

const productor = {
  razonSocial: 'Programas del Norte, S.L.',
  nif: 'B12345674',
  direccion: 'Calle Mayor, 1, 28013 Madrid',
  correo: 'hola@ejemplo.es',
  telefono: '+34 910 000 000',
  web: 'https://ejemplo.es',
};
const declaracion = declaracionResponsable(productor, packageJson.version);

describe('the declaración responsable', () => {
  it('exists for the running version: one without it may not be distributed', () => {
    expect(declaracion?.version).toBe(packageJson.version);
    expect(declaracionResponsable(productor, '9.9.9')).toBeNull();
  });

  it('has the twelve data of art. 15.1 in order, none empty', () => {
    expect(declaracion?.apartados.map(({ letra }) => letra).join('')).toBe('abcdefghijkl');
    for (const { epigrafe, parrafos } of declaracion?.apartados ?? []) {
      expect(epigrafe).not.toBe('');
      expect(parrafos.join('').trim(), epigrafe).not.toBe('');
    }
  });

  it('describes the program as its registros do', () => {
    const registro = sistemaInformatico(productor, packageJson.version, '0001');
    const text = (letra: string) =>
      declaracion?.apartados.find((one) => one.letra === letra)?.parrafos.join(' ');
    expect(text('a')).toBe(registro.NombreSistemaInformatico);
    expect(text('b')).toBe(registro.IdSistemaInformatico);
    expect(text('c')).toBe(registro.Version);
    expect(text('e')).toMatch(/^Sí/);
    expect(registro.TipoUsoPosibleSoloVerifactu).toBe('S');
    expect(text('h')).toBe(registro.NombreRazon);
    expect(text('i')).toBe(registro.NIF);
  });

  it('keeps every version once', () => {
    const versions = VERSIONES_DECLARADAS.map(({ version }) => version);
    expect(new Set(versions).size).toBe(versions.length);
  });
});
