import { describe, expect, it } from 'vitest';
import { gateOf, isAlwaysOpen } from './gate.ts';

describe('gateOf', () => {
  it('closes nothing for a company with certificate and subscription', () => {
    expect(gateOf({ hasCertificate: true, expired: false })).toBeNull();
  });

  it('has a sentence for each reason, the subscription first', () => {
    expect(gateOf({ hasCertificate: false, expired: false })?.sentence).toBe(
      'Se necesita cargar el certificado digital para poder acceder.',
    );
    expect(gateOf({ hasCertificate: false, expired: true })?.sentence).toBe(
      'La subscripción ha caducado, renueva tu subscripcion desde el panel de perfil.',
    );
  });
});

describe('isAlwaysOpen', () => {
  it.each(['perfil', 'historial', 'ayuda', 'faq', 'acerca', 'facturas/00001%2FLO'])(
    'leaves /panel/%s open',
    (path) => expect(isAlwaysOpen(`/panel/${path}`)).toBe(true),
  );

  it.each(['inicio', 'pendientes', 'crear', 'subir', 'importar', 'clientes', 'productos'])(
    'closes /panel/%s',
    (path) => expect(isAlwaysOpen(`/panel/${path}`)).toBe(false),
  );
});
