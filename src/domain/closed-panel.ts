/**
 * Why a company can neither register, correct nor annul, in the words that its user reads. Shared by server and
 * screens.
 */
export const CERTIFICATE_NEEDED = 'Se necesita cargar el certificado digital para poder acceder.';
export const SUBSCRIPTION_EXPIRED =
  'La subscripción ha caducado, renueva tu subscripcion desde el panel de perfil.';
