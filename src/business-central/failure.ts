/** What can go wrong with Business Central, by what has to be fixed. */
export type FailureKind =
  | 'inquilino'
  | 'aplicacion'
  | 'secreto'
  | 'acceso'
  | 'permiso'
  | 'entorno'
  | 'empresa'
  | 'nif'
  | 'limite'
  | 'sin-conexion'
  | 'averia';

const WORDS: Record<FailureKind, string> = {
  inquilino:
    'Microsoft no conoce ese inquilino. Copia el «Id. de directorio (inquilino)» de tu aplicación en Entra ID.',
  aplicacion:
    'Esa aplicación no existe en tu inquilino. Copia el «Id. de aplicación (cliente)» de Entra ID.',
  secreto:
    'El secreto no es correcto o ha caducado. Crea otro en Entra ID, en «Certificados y secretos», y copia su valor, no su identificador.',
  acceso:
    'Business Central no reconoce la aplicación. Dala de alta allí en «Aplicaciones de Microsoft Entra», con el estado «Habilitado».',
  permiso:
    'La aplicación no tiene permiso para leer tus datos. En Business Central, en «Aplicaciones de Microsoft Entra», dale el conjunto de permisos D365 BUS FULL ACCESS.',
  entorno:
    'No existe ese entorno. Mira su nombre en el centro de administración de Business Central: suele ser «Production».',
  empresa: 'Esa empresa ya no está en Business Central. Búscala otra vez y elígela de la lista.',
  nif: 'La empresa elegida en Business Central tiene otro NIF que la tuya.',
  limite: 'Business Central pide ir más despacio: ha recibido demasiadas peticiones seguidas.',
  'sin-conexion': 'No se llega a Business Central: no contesta o se ha cortado la conexión.',
  averia: 'Business Central ha contestado con un error suyo.',
};

/** A failed call. The message is written for its reader. */
export class BusinessCentralFailure extends Error {
  override readonly name = 'BusinessCentralFailure';
  readonly kind: FailureKind;
  /** Seconds that the service asks to wait; only with `limite`. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    kind: FailureKind,
    details: { retryAfterSeconds?: number; text?: string; cause?: unknown } = {},
  ) {
    super(details.text ?? WORDS[kind], { cause: details.cause });
    this.kind = kind;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }

  /** Whether it resolves by itself, without changing the connection. */
  get isPassing(): boolean {
    return ['limite', 'sin-conexion', 'averia'].includes(this.kind);
  }
}

/** Codes of Entra ID (`AADSTS…`) caused by a wrong connection. */
const ENTRA: readonly (readonly [code: string, kind: FailureKind])[] = [
  ['AADSTS90002', 'inquilino'],
  ['AADSTS900023', 'inquilino'],
  ['AADSTS700016', 'aplicacion'],
  ['AADSTS7000215', 'secreto'],
  ['AADSTS7000222', 'secreto'],
];

/** The meaning of a refused token. */
export function tokenFailure(status: number, description: string): BusinessCentralFailure {
  const code = /AADSTS\d+/.exec(description)?.[0];
  const known = ENTRA.find(([name]) => name === code)?.[1];
  if (known) return new BusinessCentralFailure(known);
  if (status >= 500) return new BusinessCentralFailure('averia');
  return new BusinessCentralFailure(status === 401 ? 'secreto' : 'aplicacion');
}

/** The meaning of a refusal by the API. `code` is its `error.code`. */
export function apiFailure(status: number, code: string): BusinessCentralFailure {
  if (status === 401) return new BusinessCentralFailure('acceso');
  if (status === 403) return new BusinessCentralFailure('permiso');
  if (status === 404) {
    return new BusinessCentralFailure(/environment/i.test(code) ? 'entorno' : 'empresa');
  }
  return new BusinessCentralFailure('averia', {
    cause: new Error(`Business Central answered ${status} ${code}`),
  });
}
