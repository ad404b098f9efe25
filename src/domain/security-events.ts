/** Events in the security log of a company, each with its text for the user. */
const SECURITY_EVENTS = {
  'sesion-iniciada': 'Inicio de sesión',
  'sesion-fallida': 'Intento de inicio de sesión con una contraseña incorrecta',
  'sesion-cerrada': 'Cierre de sesión',
  'sesiones-cerradas': 'Cierre de las demás sesiones',
  'segundo-factor-fallido': 'Código de verificación incorrecto',
  'segundo-factor-activado': 'Verificación en dos pasos activada',
  'segundo-factor-desactivado': 'Verificación en dos pasos desactivada',
  'segundo-factor-perdido':
    'Verificación en dos pasos quitada por el servicio: se perdió la clave que la cifraba',
  'segundo-factor-quitado': 'Verificación en dos pasos quitada por el servicio',
  'codigos-renovados': 'Códigos de recuperación nuevos',
  'codigo-usado': 'Inicio de sesión con un código de recuperación',
  'recuperacion-pedida': 'Código para recuperar la contraseña enviado',
  'contrasena-recuperada': 'Contraseña cambiada con un código de recuperación',
  'contrasena-cambiada': 'Contraseña cambiada',
  'correo-cambiado': 'Correo de acceso cambiado',
  'correo-cambiado-servicio': 'Correo de acceso cambiado por el servicio',
  'certificado-cargado': 'Certificado digital cargado',
  'certificado-perdido':
    'Certificado digital borrado por el servicio: se perdió la clave que lo cifraba',
  'contador-reiniciado': 'Contador de facturas reiniciado',
  'instalacion-nueva': 'Instalación nueva, por registros perdidos',
  'demo-terminada': 'Fin de la demo: empieza la facturación real',
  'business-central-guardada': 'Conexión con Business Central guardada',
  'business-central-declarada': 'Declarado que VERI*FACTU está desactivado en Business Central',
  'business-central-activada': 'Business Central activado',
  'business-central-pausada': 'Business Central en pausa',
  'business-central-desconectada': 'Business Central desconectado',
  exportacion: 'Exportación de los registros',
  'factura-firmada': 'Factura electrónica firmada con el certificado',
  'cobro-eliminado': 'Cobro eliminado de una factura',
  'copia-pedida': 'Copia de todos tus datos pedida',
  'copia-descargada': 'Copia de todos tus datos descargada',
  'suscripcion-cambiada': 'Suscripción cambiada por el servicio',
  'pago-cerrado': 'Pago revisado por el servicio',
  'clave-rotada': 'Clave que cifra tus secretos renovada',
  'cuenta-eliminada': 'Cuenta eliminada',
} as const satisfies Record<string, string>;

export type SecurityEventKind = keyof typeof SECURITY_EVENTS;

/** Entries that the log derives from registros and from messages to the AEAT: they have no row of their own. */
const INVOICE_EVENTS = {
  'factura-registrada': 'Factura registrada',
  'factura-subsanada': 'Corrección de una factura registrada',
  'factura-anulada': 'Factura anulada',
  'factura-dejada': 'Corrección o anulación rechazada a la que se renuncia',
  'factura-sin-efecto': 'Factura dejada sin efecto: su número era de otra, hecha con otro programa',
  'factura-sin-enviar':
    'Corrección o anulación que no se envía: la AEAT tiene un registro posterior',
  'envio-aeat': 'Envío a la AEAT',
} as const satisfies Record<string, string>;

export type InvoiceEventKind = keyof typeof INVOICE_EVENTS;

/** The event in words; for one of a later version, its code. */
export function securityEventText(kind: string): string {
  const words: Readonly<Record<string, string>> = { ...SECURITY_EVENTS, ...INVOICE_EVENTS };
  return words[kind] ?? kind;
}
