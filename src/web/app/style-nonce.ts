/** The nonce with which the page's policy accepts a `<style>`: the server writes a new one into each page. */
export function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.nonce ?? '';
}

declare global {
  // Used by the package that prevents scrolling behind dialogs.
  var __webpack_nonce__: string | undefined;
}
globalThis.__webpack_nonce__ = styleNonce();
