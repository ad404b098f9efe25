/** What `Ds_Response` means for the payment. */
export type Outcome = 'authorised' | 'denied' | 'under-way';

/** The customer is still typing the card, or at the bank's check: not final. */
const UNDER_WAY = new Set(['9998', '9999']);

/** 0000 to 0099 authorise; anything that is not a number denies. */
export function outcomeOf(Ds_Response: string): Outcome {
  if (UNDER_WAY.has(Ds_Response)) return 'under-way';
  return /^00\d\d$/.test(Ds_Response) ? 'authorised' : 'denied';
}

/** The customer left the gateway's page: nothing was refused. */
export const CANCELLED: readonly string[] = ['9915', '9929'];

/** Why a payment was denied, for the payer. Codes from Redsys's table of `Ds_Response`. */
export function denialText(Ds_Response: string): string {
  return DENIALS[Ds_Response] ?? `Pago no autorizado (código ${Ds_Response}).`;
}

const DENIALS: Readonly<Record<string, string>> = {
  '0101': 'La tarjeta está caducada.',
  '0102': 'Tu banco ha bloqueado temporalmente la tarjeta.',
  '0104': 'Operación no permitida con esta tarjeta.',
  '0106': 'Has superado los intentos de PIN.',
  '0116': 'Saldo insuficiente.',
  '0118': 'Tarjeta no registrada.',
  '0125': 'Tarjeta no efectiva.',
  '0129': 'El código de seguridad no es correcto.',
  '0172': 'Pago denegado. Usa otra tarjeta.',
  '0173': 'Revisa los datos de la tarjeta.',
  '0174': 'Pago denegado. Inténtalo pasadas 72 horas o con otra tarjeta.',
  '0180': 'Tarjeta no admitida.',
  '0184': 'No se ha podido verificar tu identidad (3D Secure).',
  '0190': 'Tu banco ha denegado el pago.',
  '0191': 'Fecha de caducidad incorrecta.',
  '0195': 'El pago necesita autenticación reforzada.',
  '0202': 'Tu banco ha bloqueado la tarjeta.',
  '0904': 'El comercio no está bien configurado. Escríbenos y lo arreglamos.',
  '0909': 'Ha habido un error temporal. Vuelve a intentarlo.',
  '0912': 'Tu banco no responde. Inténtalo más tarde.',
  '9912': 'Tu banco no responde. Inténtalo más tarde.',
  '0913': 'Vuelve a iniciar el pago.',
  '9051': 'Vuelve a iniciar el pago.',
  '0944': 'La sesión de pago ha caducado.',
  '0950': 'Devolución no permitida.',
  '9064': 'Número de tarjeta incorrecto.',
  '9078': 'Tarjeta no admitida.',
  '9093': 'La tarjeta no existe.',
  '9094': 'Pago rechazado por la red internacional.',
  '9104': 'Activa la compra segura en tu banco.',
  '9218': 'El comercio no está bien configurado. Escríbenos y lo arreglamos.',
  '9253': 'Número de tarjeta incorrecto.',
  '9256': 'Operación no permitida.',
  '9257': 'Operación no permitida.',
  '9261': 'Operación detenida por seguridad.',
  '9915': 'Has cancelado el pago.',
  '9929': 'Has cancelado el pago.',
  '9997': 'Espera unos minutos y vuelve a intentarlo.',
};
