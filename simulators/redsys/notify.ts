import type { RedsysBehaviour } from './behaviour.ts';
import type { Operacion } from './operations.ts';
import { firmado } from './signature.ts';

const PATIENCE_MS = 5_000;

const DAY = new Intl.DateTimeFormat('es-ES', {
  timeZone: 'Europe/Madrid',
  day: '2-digit',
  month: '2-digit',
  year: 'numeric',
});
const TIME = new Intl.DateTimeFormat('es-ES', {
  timeZone: 'Europe/Madrid',
  hour: '2-digit',
  minute: '2-digit',
});

/** Notifies the merchant how an operation ended, as chosen on its page. */
export async function avisar(operacion: Operacion, behaviour: RedsysBehaviour): Promise<void> {
  const aviso = behaviour.aviso ?? operacion.aviso;
  switch (aviso) {
    case 'nunca':
    case 'vuelta':
      return;
    case 'tarde':
      setTimeout(() => {
        void enviar(operacion, behaviour);
      }, behaviour.tardeSegundos * 1000).unref();
      return;
    case 'dos':
      await enviar(operacion, behaviour);
      await enviar(operacion, behaviour);
      return;
    case 'firma':
      await enviar(operacion, behaviour, { firmaMala: true });
      return;
    case 'normal':
      await enviar(operacion, behaviour);
  }
}

/** The customer's return address, including the signed answer if it is notified that way. */
export function vuelta(
  url: string,
  operacion: Operacion,
  { comercio, aviso }: RedsysBehaviour,
): string {
  if ((aviso ?? operacion.aviso) !== 'vuelta') return url;
  const campos = firmado(operacion.version, comercio.clave, operacion.Ds_Order, datos(operacion));
  return `${url}${url.includes('?') ? '&' : '?'}${new URLSearchParams({ ...campos })}`;
}

/**
 * One notification, now.
 *
 * @returns the status of its answer, or 0 without one
 */
export async function enviar(
  operacion: Operacion,
  { comercio }: RedsysBehaviour,
  { firmaMala = false } = {},
): Promise<number> {
  if (!operacion.urlAviso) return 0;
  const campos = firmado(operacion.version, comercio.clave, operacion.Ds_Order, datos(operacion));
  if (firmaMala)
    campos.Ds_Signature = `${campos.Ds_Signature.startsWith('A') ? 'B' : 'A'}${campos.Ds_Signature.slice(1)}`;
  try {
    const answer = await fetch(operacion.urlAviso, {
      method: 'POST',
      body: new URLSearchParams(campos),
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    return answer.status;
  } catch {
    return 0; // Redsys does not insist: the merchant has to find out.
  }
}

/** The fields of a notification. Dates are percent-encoded inside the JSON. */
function datos(operacion: Operacion): Record<string, string> {
  const fecha = new Date(operacion.fecha);
  return {
    Ds_Date: encodeURIComponent(DAY.format(fecha)),
    Ds_Hour: encodeURIComponent(TIME.format(fecha)),
    Ds_SecurePayment: operacion.Ds_AuthorisationCode ? '2' : '0',
    Ds_Card_Country: '724',
    Ds_Amount: operacion.Ds_Amount,
    Ds_Currency: operacion.Ds_Currency,
    Ds_Order: operacion.Ds_Order,
    Ds_MerchantCode: operacion.Ds_MerchantCode,
    Ds_Terminal: operacion.Ds_Terminal.padStart(3, '0'),
    Ds_Response: operacion.Ds_Response,
    Ds_MerchantData: operacion.Ds_MerchantData,
    Ds_TransactionType: operacion.Ds_TransactionType,
    Ds_ConsumerLanguage: '1',
    Ds_AuthorisationCode: operacion.Ds_AuthorisationCode || '      ',
    Ds_Card_Brand: '1',
    Ds_ProcessedPayMethod: '78',
  };
}
