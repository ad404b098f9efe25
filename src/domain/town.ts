/** The limit of Facturae. */
export const MAX_TOWN = 50;

/** An address and, if known, its town. */
export interface Address {
  readonly address: string;
  readonly postCode: string;
  readonly municipio?: string | undefined;
}

/**
 * The town of a changed address: the previous town only stays with the previous address.
 *
 * @param given the town in the change; undefined if it has none
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
