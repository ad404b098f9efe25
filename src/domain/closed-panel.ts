/** Why a company can neither register, correct nor annul, as its user reads it: the server says it and the screens know it. */
export const CERTIFICATE_NEEDED = 'Se necesita cargar el certificado digital para poder acceder.';
export const SUBSCRIPTION_EXPIRED =
  'La subscripción ha caducado, renueva tu subscripcion desde el panel de perfil.';
