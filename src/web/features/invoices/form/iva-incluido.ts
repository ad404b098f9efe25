const storageKey = (companyId: string) => `huella.iva-incluido.${companyId}`;

/** Whether the prices of the company's tickets include the tax, as last chosen in this browser. */
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
    // Without storage it has to be chosen each time, which does no harm.
  }
}
