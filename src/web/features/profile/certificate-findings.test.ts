import { describe, expect, it } from 'vitest';
import type { Certificate } from '../../../contract/company.ts';
import { certificateFindings } from './certificate-findings.ts';

const today = '2026-11-20';
const certificate: Certificate = {
  hasValue: true,
  FileName: 'belmonte.p12',
  titular: 'Carpintería Belmonte e Hijos, S.L.',
  nif: 'B87654323',
  emisor: 'AC Representación',
  validoDesde: '2025-03-14',
  validoHasta: '2027-03-14',
  caducado: false,
  tipo: 'representante',
};
const last = (change: Partial<Certificate>) =>
  certificateFindings({ ...certificate, ...change }, 'B87654323', today).at(-1);

describe('certificateFindings', () => {
  it('finds nothing wrong in a valid certificate of the company', () => {
    const findings = certificateFindings(certificate, 'B87654323', today);
    expect(findings.map(({ tone }) => tone)).toEqual(['bien', 'bien', 'bien', 'bien']);
    expect(findings[1]).toEqual({
      tone: 'bien',
      text: 'Certificado de representante, emitido por',
      evidence: 'AC Representación',
    });
    expect(findings[3]).toEqual({
      tone: 'bien',
      text: 'Vale del 14/03/2025 al 14/03/2027',
      evidence: 'quedan 114\u00a0días',
    });
  });

  it('recognises a certificate of somebody else', () => {
    expect(certificateFindings(certificate, 'A58818501', today)[2]).toEqual({
      tone: 'mal',
      text: 'El NIF no es el de tu empresa (A58818501). Sube el suyo',
      evidence: 'B87654323',
    });
  });

  it('warns two months before it expires, and says when it has', () => {
    expect(last({ validoHasta: '2027-01-19' })).toEqual({
      tone: 'aviso',
      text: 'Caduca el 19/01/2027. Renuévalo ya para no parar',
      evidence: 'quedan 60\u00a0días',
    });
    expect(last({ validoHasta: '2026-11-20' })).toMatchObject({
      tone: 'aviso',
      evidence: 'caduca hoy',
    });
    expect(last({ validoHasta: '2026-11-20', caducado: true })).toMatchObject({
      tone: 'mal',
      text: 'Caducó el 20/11/2026. Sube uno en vigor',
      evidence: 'caducado',
    });
  });

  it('recognises one that is not valid yet', () => {
    expect(last({ validoDesde: '2026-12-01' })).toEqual({
      tone: 'mal',
      text: 'Todavía no vale: empieza el 01/12/2026',
      evidence: 'hasta el 14/03/2027',
    });
  });
});
