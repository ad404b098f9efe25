/** What each registro says about the program that made it and its producer. */
export interface SistemaInformatico {
  readonly NombreRazon: string;
  /** Of the producer, not of the user. */
  readonly NIF: string;
  readonly NombreSistemaInformatico: string;
  readonly IdSistemaInformatico: string;
  readonly Version: string;
  readonly NumeroInstalacion: string;
  readonly TipoUsoPosibleSoloVerifactu: 'S' | 'N';
  readonly TipoUsoPosibleMultiOT: 'S' | 'N';
  readonly IndicadorMultiplesOT: 'S' | 'N';
}

export interface Productor {
  readonly razonSocial: string;
  readonly nif: string;
}

/**
 * Constants of the product. `IdSistemaInformatico` must stay equal, for ever, to that of the declaración responsable
 * (Orden HAC/1177/2024 art. 15); `Version` is not part of the identity.
 */
export const PRODUCTO = {
  NombreSistemaInformatico: 'Huella',
  IdSistemaInformatico: 'HU',
  /** It cannot work without sending: no signature and no event log (Orden HAC/1177/2024 art. 3). */
  TipoUsoPosibleSoloVerifactu: 'S',
  TipoUsoPosibleMultiOT: 'S',
  /** Per user account, and each account of Huella holds the invoicing of one obligado. */
  IndicadorMultiplesOT: 'N',
} as const;

/**
 * @param numeroInstalacion of one obligado's invoicing: never reused, and the same for all its registros whatever the
 *   version of the program
 */
export function sistemaInformatico(
  productor: Productor,
  version: string,
  numeroInstalacion: string,
): SistemaInformatico {
  return {
    NombreRazon: productor.razonSocial,
    NIF: productor.nif,
    Version: version,
    NumeroInstalacion: numeroInstalacion,
    ...PRODUCTO,
  };
}

/**
 * The `NumeroInstalacion` of the first installation of a company, with which those of its later ones begin
 * (`20260102-0A1B2C3D4E5F-20261122-…`). So each shows whose it is, even to a backup that is older.
 */
export function originOf(numeroInstalacion: string): string {
  return /^\d{8}-[0-9A-F]{12}/.exec(numeroInstalacion)?.[0] ?? numeroInstalacion;
}
