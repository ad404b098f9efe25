import { describe, expect, it } from 'vitest';
import { isRefusedInHandshake, wordsOfError, wordsOfPage } from './outcome-words.ts';

describe('a page instead of an answer', () => {
  it.each([
    [401, 'text/html', 'este tipo de certificado'],
    [403, 'text/html', 'no reconoce el certificado'],
    [404, 'text/html', 'no existe (404)'],
    [503, 'text/html', 'no está disponible (503)'],
    [200, 'text/html; charset=utf-8', 'una página web en lugar'],
    [200, 'text/xml', 'no se entiende'],
  ])('%i %s', (status, type, words) => {
    expect(wordsOfPage(status, type)).toContain(words);
  });
});

describe('a failed connection', () => {
  it.each([
    ['ECONNREFUSED', 'no acepta la conexión'],
    ['ENETUNREACH', 'no tiene conexión a internet'],
    ['UND_ERR_HEADERS_TIMEOUT', 'a tiempo'],
    ['ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED', 'ha caducado: sube uno nuevo'],
    ['ERR_SSL_SSLV3_ALERT_CERTIFICATE_REVOKED', 'está revocado'],
    ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', 'rechaza el certificado con el que se envía'],
    ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'rechaza el certificado con el que se envía'],
    ['CERT_HAS_EXPIRED', 'certificado del servidor de la AEAT'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'no es de confianza'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'no es de confianza'],
    ['ERR_OSSL_X509_KEY_VALUES_MISMATCH', 'súbelo de nuevo'],
    ['EPROTO', 'conexión segura'],
    ['OTHER', 'No se ha podido hablar con la AEAT (OTHER)'],
  ])('%s', (code, words) => {
    expect(wordsOfError(Object.assign(new Error('x'), { code }))).toContain(words);
  });

  it.each([
    ['ERR_SSL_SSLV3_ALERT_CERTIFICATE_REVOKED', true],
    ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', true],
    ['CERT_HAS_EXPIRED', false],
    ['ECONNRESET', false],
  ])('%s: whether it refuses our certificate: %s', (code, isRefused) => {
    const cause = Object.assign(new Error('x'), { code });
    expect(isRefusedInHandshake(new Error('fetch failed', { cause }))).toBe(isRefused);
  });

  it('is also described by the cause of its error', () => {
    const cause = Object.assign(new Error('x'), { code: 'ECONNRESET' });
    expect(wordsOfError(new Error('fetch failed', { cause }))).toContain('se ha cortado');
  });
});
