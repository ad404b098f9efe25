import { isNif } from './nif.ts';
import type { Store } from './store.ts';
import { hundredths, isoDate } from './values.ts';

/** The four values of the QR, as the page found them. */
export interface CotejoQuery {
  readonly nif: string | null;
  readonly numserie: string | null;
  readonly fecha: string | null;
  readonly importe: string | null;
}

type Cotejada = { readonly [K in keyof CotejoQuery]: string };

/** Shape of the AEAT's JSON (document QR y cotejo 0.5.0). */
export type Cotejo =
  | {
      readonly status: 'OK';
      readonly mensaje: string;
      readonly visible: 'N';
      readonly crashlytics: 'N';
      readonly respuesta: { readonly resultado: '00' | '01' | '02' } & Cotejada;
    }
  | {
      readonly status: 'KO';
      readonly mensaje: string;
      readonly visible: 'S';
      readonly crashlytics: 'N';
      readonly codigo_error: string;
    };

const MISSING: readonly (readonly [keyof CotejoQuery, number, string])[] = [
  ['nif', 1001, 'Falta el parámetro nif, el de quien expide la factura'],
  ['numserie', 1002, 'Falta el parámetro numserie, la serie y el número de la factura'],
  ['fecha', 1003, 'Falta el parámetro fecha, la de expedición de la factura'],
  ['importe', 1004, 'Falta el parámetro importe, el total de la factura'],
];

const FORMAT: readonly {
  code: number;
  text: string;
  must: (query: Cotejada) => boolean;
}[] = [
  { code: 2001, text: 'El NIF no es válido', must: ({ nif }) => isNif(nif) },
  {
    code: 2002,
    text: 'El número de serie pasa de 60 caracteres',
    must: ({ numserie }) => numserie.length <= 60,
  },
  {
    code: 2003,
    text: 'El número de serie contiene caracteres no permitidos',
    must: ({ numserie }) => /^[ -~]*$/.test(numserie) && !/["'<>=]/.test(numserie),
  },
  {
    code: 2004,
    text: 'La fecha de expedición no tiene el formato DD-MM-AAAA',
    must: ({ fecha }) => /^\d{2}-\d{2}-\d{4}$/.test(fecha) && isoDate(fecha) !== undefined,
  },
  {
    code: 2005,
    text: 'El importe tiene un formato incorrecto',
    must: ({ importe }) => /^[+-]?\d+(\.\d+)?$/.test(importe),
  },
  {
    code: 2006,
    text: 'El importe excede el número máximo de caracteres',
    must: ({ importe }) =>
      /^[+-]?\d{1,12}(\.\d{1,2})?$/.test(importe) || !/^[+-]?\d+(\.\d+)?$/.test(importe),
  },
];

/** Says whether the invoice of a QR is at the AEAT. The amount is part of the lookup. */
export function cotejar(
  query: CotejoQuery,
  store: Store,
  noContrastables: ReadonlySet<string>,
): Cotejo {
  const missing = MISSING.filter(([name]) => !query[name]);
  if (missing.length > 0) return refused(missing.map(([, code, text]) => ({ code, text })));
  const { nif, numserie, fecha, importe } = query as Cotejada;
  const wrong = FORMAT.filter(({ must }) => !must({ nif, numserie, fecha, importe }));
  if (wrong.length > 0) return refused(wrong);

  const found = { nif, numserie, fecha, importe: withTwoDecimals(importe) };
  if (noContrastables.has(numserie)) {
    return answered('No contrastable', { resultado: '02', ...found });
  }
  const entry = store.latest(nif, numserie, fecha);
  const isFound =
    entry?.ImporteTotal !== undefined && hundredths(entry.ImporteTotal) === hundredths(importe);
  return isFound
    ? answered('Encontrada', { resultado: '00', ...found })
    : answered('No encontrada', { resultado: '01', ...found });
}

type Answered = Extract<Cotejo, { status: 'OK' }>;

function answered(mensaje: string, respuesta: Answered['respuesta']): Cotejo {
  return { status: 'OK', mensaje, visible: 'N', crashlytics: 'N', respuesta };
}

function refused(errors: readonly { code: number; text: string }[]): Cotejo {
  return {
    status: 'KO',
    mensaje: errors.map(({ text }) => text).join('. '),
    visible: 'S',
    crashlytics: 'N',
    codigo_error: errors.map(({ code }) => code).join('.'),
  };
}

/** `241.4` → `241.40` */
function withTwoDecimals(importe: string): string {
  const [integer, decimals = ''] = importe.split('.');
  return `${integer}.${decimals.padEnd(2, '0')}`;
}
