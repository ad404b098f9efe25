const storageKey = (companyId: string) => `huella.iva-incluido.${companyId}`;

/** Whether the tickets of the company have the tax in their prices, as was last chosen in this browser. */
export function usuallyHasIvaIncluido(companyId: string): boolean {
  try {
    return localStorage.getItem(storageKey(companyId)) === 'true';
  } catch {
    return false;
  }
}

export function rememberIvaIncluido(companyId: string, isIncluded: boolean): void {
  try {
    localStorage.setItem(storageKey(companyId), String(isIncluded));
  } catch {
    // Without room it is chosen each time, which is no harm.
  }
}
