import { describe, expect, it } from 'vitest';
import { urlQr } from '../domain/verifactu/qr.ts';
import { parseTaxQr } from './tax-qr.ts';

const DATOS = { nif: 'B12345674', numSerie: '00001/LO Ñ', fecha: '20-11-2026', importe: '-121.00' };
const URL_OK =
  'https://prewww2.aeat.es/wlpl/TIKE-CONT/ValidarQR?nif=B12345674&numserie=1&fecha=20-11-2026&importe=121.00';

describe('parseTaxQr', () => {
  it('parses the address in the QR of our own invoices', () => {
    expect(parseTaxQr(urlQr('produccion', DATOS))).toEqual({
      nif: 'B12345674',
      numSerie: '00001/LO Ñ',
      fecha: '2026-11-20',
      importeCents: -12100n,
      esVerifactu: true,
    });
  });

  it('recognises invoices of systems that do not send their registros', () => {
    expect(parseTaxQr(URL_OK.replace('ValidarQR', 'ValidarQRNoVerifactu'))?.esVerifactu).toBe(
      false,
    );
  });

  it.each([
    ['another host', URL_OK.replace('prewww2.aeat.es', 'prewww2.aeat.es.malo.example')],
    ['a host that hides behind a user', URL_OK.replace('prewww2', 'prewww2.aeat.es@malo')],
    ['another port', URL_OK.replace('.es/', '.es:8443/')],
    ['no TLS', URL_OK.replace('https', 'http')],
    ['another page', URL_OK.replace('ValidarQR', 'Otra')],
    ['a wrong control digit', URL_OK.replace('B12345674', 'B12345675')],
    ['a day that does not exist', URL_OK.replace('20-11-2026', '31-11-2026')],
    ['an amount with a comma', URL_OK.replace('121.00', '121,00')],
    ['no number', URL_OK.replace('numserie=1', 'numserie=')],
    ['no address at all', 'BEGIN:VCARD'],
  ])('rejects %s', (_what, text) => {
    expect(parseTaxQr(text)).toBeNull();
  });
});
