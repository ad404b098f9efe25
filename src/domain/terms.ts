/** The version of the «términos y condiciones» accepted by new users. It changes with every new text. */
export const TERMS_VERSION = '2026-11';
