/** What the simulated bank does with a card, as Redsys publishes for its own test cards. */
export type CardOutcome =
  | { readonly kind: 'authorised' }
  | { readonly kind: 'denied'; readonly Ds_Response: string }
  /** The bank asks for the code sent to the phone, and then authorises. */
  | { readonly kind: 'challenge'; readonly after: '0000' | '0184' }
  /** It cannot be a card: the page says so, and nothing is sent. */
  | { readonly kind: 'mistyped'; readonly message: string };

export interface Card {
  readonly number: string;
  /** `12/34`. */
  readonly expiry: string;
  readonly cvv: string;
}

/** The code sent to the phone, in every test. */
export const OTP = '123456';

const AUTHORISES = new Set([
  '4548810000000003',
  '5576441563045037',
  '376674000000008',
  '36849800000018',
  '3587870000000001',
  '4548814479727229',
  '4918019160034602',
  '4548816134581156',
]);
const CHALLENGES: Readonly<Record<string, '0000' | '0184'>> = {
  '4548817212493017': '0000',
  '4918019199883839': '0000',
  '4548816131164386': '0000',
  '4907271141151707': '0184',
};
const DENIES: Readonly<Record<string, string>> = {
  '5576440022788500': '0190',
  '4907277775205123': '0184',
};
/** Security codes that determine the answer, with the generic VISA. */
const BY_CVV: Readonly<Record<string, string>> = {
  '999': '0190',
  '172': '0172',
  '173': '0173',
  '174': '0174',
};
const GENERIC_VISA = '4548810000000003';
/** Amounts with these cents are denied whatever the card. */
const DENIED_CENTS = ['96', '72', '73', '74'];
const NOT_REGISTERED = '0118';
const EXPIRED = '0101';

/** Any other card, even a real one, is unknown here: no real money is involved. */
export function judgeCard(
  { number: typed, expiry, cvv }: Card,
  { amount, now }: { readonly amount: string; readonly now: Date },
): CardOutcome {
  const number = typed.replace(/[\s-]/g, '');
  if (!/^\d{12,19}$/.test(number) || !passesLuhn(number)) {
    return { kind: 'mistyped', message: 'El número de tarjeta no es correcto.' };
  }
  const [, month = '', year = ''] = /^\s*(\d{2})\s*\/?\s*(\d{2})\s*$/.exec(expiry) ?? [];
  if (!(Number(month) >= 1 && Number(month) <= 12)) {
    return { kind: 'mistyped', message: 'La caducidad tiene la forma MM/AA.' };
  }
  if (!/^\d{3,4}$/.test(cvv.trim())) {
    return { kind: 'mistyped', message: 'El código de seguridad son 3 o 4 cifras.' };
  }
  if (Date.UTC(2000 + Number(year), Number(month), 1) <= now.getTime()) return denied(EXPIRED);
  if (DENIED_CENTS.includes(amount.slice(-2))) return denied('0190');
  const byCvv = number === GENERIC_VISA ? BY_CVV[cvv.trim()] : undefined;
  const code = byCvv ?? DENIES[number];
  if (code) return denied(code);
  const challenge = CHALLENGES[number];
  if (challenge) return { kind: 'challenge', after: challenge };
  return AUTHORISES.has(number) ? { kind: 'authorised' } : denied(NOT_REGISTERED);
}

const denied = (Ds_Response: string): CardOutcome => ({ kind: 'denied', Ds_Response });

/** ISO/IEC 7812: the last digit checks the others. */
function passesLuhn(number: string): boolean {
  const sum = [...number].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
