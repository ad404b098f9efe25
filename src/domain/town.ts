/** As Facturae has it. */
export const MAX_TOWN = 50;

/** An address and, where it is known, the town that it is in. */
export interface Address {
  readonly address: string;
  readonly postCode: string;
  readonly municipio?: string | undefined;
}

/**
 * The town of an address that was changed: that of before stays only with the address of before.
 *
 * @param given what was said of the town; undefined where nothing was
 */
export function townAfter(
  before: Address,
  after: Omit<Address, 'municipio'>,
  given: string | undefined,
): string {
  if (given !== undefined) return given.trim();
  const isSame = before.address === after.address && before.postCode === after.postCode;
  return isSame ? (before.municipio ?? '') : '';
}
