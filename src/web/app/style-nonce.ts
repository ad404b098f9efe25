/** What the page's policy takes a `<style>` by: the server writes another one in each page. */
export function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.nonce ?? '';
}

declare global {
  // The name by which the package that stops the page behind a dialog from scrolling asks for it.
  var __webpack_nonce__: string | undefined;
}
globalThis.__webpack_nonce__ = styleNonce();
