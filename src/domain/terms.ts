/**
 * Which «términos y condiciones» are accepted by whoever signs up now. Another one goes with each text that is put in
 * their place.
 */
export const TERMS_VERSION = '2026-11';
