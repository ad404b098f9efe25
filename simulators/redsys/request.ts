import { type Comercio, firmaCorrecta, isVersion, type Version } from './signature.ts';

/** A payment requested by a merchant, after its signature was checked. */
export interface Peticion {
  readonly version: Version;
  /** By parameter, in upper case. */
  readonly datos: ReadonlyMap<string, string>;
}

export type LeidaPeticion =
  | { readonly ok: true; readonly peticion: Peticion }
  | { readonly ok: false; readonly codigo: string; readonly texto: string };

/** Checks a signed request as the bank does, with its error codes. */
export function leerPeticion(
  campos: ReadonlyMap<string, string>,
  comercio: Comercio,
  { tipo }: { readonly tipo: '0' | '3' },
): LeidaPeticion {
  const version = campos.get('Ds_SignatureVersion') ?? '';
  const texto = campos.get('Ds_MerchantParameters') ?? '';
  const datos = parametros(texto);
  if (!datos) return mal('SIS0430', 'Los parámetros no se pueden leer.');
  const pedido = datos.get('DS_MERCHANT_ORDER') ?? '';
  const dada = campos.get('Ds_Signature') ?? '';
  if (!isVersion(version) || !firmaCorrecta(version, comercio.clave, pedido, texto, dada)) {
    return mal('SIS0042', 'La firma no es correcta.');
  }
  const wrong = RULES.find(([name, pattern]) => !pattern.test(datos.get(name) ?? ''));
  if (wrong) return mal(wrong[2], `${wrong[0]} no es correcto.`);
  if (datos.get('DS_MERCHANT_MERCHANTCODE') !== comercio.codigo) {
    return mal('SIS0008', 'El comercio no existe.');
  }
  if (Number(datos.get('DS_MERCHANT_TERMINAL')) !== Number(comercio.terminal)) {
    return mal('SIS0010', 'El terminal no existe.');
  }
  if (datos.get('DS_MERCHANT_TRANSACTIONTYPE') !== tipo) {
    return mal('SIS0023', 'El tipo de operación no es correcto.');
  }
  return { ok: true, peticion: { version, datos } };
}

const RULES: readonly (readonly [string, RegExp, string])[] = [
  ['DS_MERCHANT_ORDER', /^\d{4}[0-9A-Za-z]{0,8}$/, 'SIS0075'],
  ['DS_MERCHANT_AMOUNT', /^[1-9]\d{0,11}$/, 'SIS0018'],
  ['DS_MERCHANT_CURRENCY', /^978$/, 'SIS0027'],
  ['DS_MERCHANT_MERCHANTCODE', /^\d{9}$/, 'SIS0008'],
  ['DS_MERCHANT_TERMINAL', /^\d{1,3}$/, 'SIS0010'],
];

function parametros(texto: string): ReadonlyMap<string, string> | null {
  try {
    const json: unknown = JSON.parse(Buffer.from(texto, 'base64').toString('utf8'));
    if (typeof json !== 'object' || json === null) return null;
    return new Map(
      Object.entries(json).map(([name, value]) => [name.toUpperCase(), String(value)]),
    );
  } catch {
    return null;
  }
}

function mal(codigo: string, texto: string): LeidaPeticion {
  return { ok: false, codigo, texto };
}
