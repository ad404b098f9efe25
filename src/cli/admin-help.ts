export const HELP = `npm run admin -- ORDEN [opciones]

Administra una instalación, esté en marcha o parada: la de DATABASE_URL o la de DATA_DIR.
Las horas son las peninsulares; las del log, UTC.

  empresas [TEXTO]                    Cuentas, las últimas primero; TEXTO busca en NIF, nombre y correo
  suscripcion NIF --hasta AAAA-MM-DD  Alarga o acorta la suscripción hasta el final de ese día
               [--plan PLAN]          y cambia el plan: Demo, monthly, semiannual o annual
  suscripcion NIF --terminar          La termina ahora
  acceso NIF --motivo "TEXTO"         Para quien no puede entrar en su cuenta y ha demostrado que es suya: quita la
         --quitar-segundo-factor      verificación en dos pasos a quien perdió el teléfono y los códigos, o
         | --correo DIRECCIÓN         cambia el correo de acceso a quien perdió el buzón. Se dice por correo (el
                                      cambio, a las dos direcciones) y en «Actividad», con el motivo
  mantenimiento on "TEXTO"            Muestra el aviso en las pantallas abiertas, en un minuto
  mantenimiento off                   Lo quita
  pagos [--estado ESTADO]             Pagos que alguien tiene que mirar: cobrados sin nada que dar
                                      (conflict), con datos que no cuadran (mismatch), por los que
                                      no se ha podido preguntar al banco (expired) y sin noticias
                                      suyas (pending), y los que hay que facturar a mano; o los de
                                      ESTADO: paid, denied, expired…
  pagos cerrar PEDIDO_DEL_BANCO       Cierra a mano uno de los que no cuadran, no se dejan devolver o siguen
        --como CÓMO --motivo "TEXTO"  sin noticias al cabo de un día, según lo que diga el banco en su portal:
        [--nif NIF]                   devuelto, no-cobrado o entregado (la suscripción se da con
                                      «suscripcion»; su factura sale sola, por el importe del pedido). El
                                      motivo queda en el pago y en la actividad de la cuenta
  pagos facturado PEDIDO_DEL_BANCO    Anota la factura que se ha hecho a mano de uno que no se factura solo
        --numero NÚMERO               (compradores de Canarias, Ceuta, Melilla o de fuera de España)
  correo [--reintentar                Correo sin enviar y por qué; --reintentar devuelve a la cola lo que se
         [--desde AAAA-MM-DD]]        dio por perdido en los últimos siete días, o desde ese día, porque el
                                      servidor de correo no lo tomaba: no lo que rechazó el del destinatario,
                                      ni la factura que ya salió en otro mensaje
  rebote [--para DIRECCIÓN]           Lee por la entrada un aviso de correo devuelto (RFC 3464) y lo anota en
                                      la factura que iba en él; es lo que el alias de MAIL_REBOTES ejecuta
  despachador                         Empresas con registros por enviar a la AEAT, desde cuándo y por qué
  conciliar --desde AAAA-MM-DD        Tras restaurar la base de datos sin «npm run restore»: con las
                                      herramientas de PostgreSQL o una instantánea de la máquina. Ninguna
                                      empresa registra ni envía hasta conciliar con la AEAT todos los meses en
                                      que le pueda faltar algo. El día es el de lo restaurado. Antes de
                                      arrancar Huella
  destruir [--hacer]                  Cuentas eliminadas y hasta cuándo manda la ley conservar lo suyo; con
                                      --hacer destruye para siempre lo que ya no, y escribe el acta de cada una
  distribuir                          Reparte las tablas por empresa entre las máquinas de un PostgreSQL con
                                      la extensión citus; sin ella lo dice y no cambia nada. Con Huella parada
  rotar-clave                         Cambia CLAVE_MAESTRA: vuelve a sellar certificados, segundos
                                      factores y altas en curso. Con Huella parada. La nueva se da en
                                      CLAVE_MAESTRA_NUEVA (base64 de 32 bytes); si la actual se generó
                                      en DATA_DIR y no se da ninguna, se genera otra y queda puesta.
                                      Si se corta, se repite igual y sigue donde estaba.
  clave-perdida [--hacer]             Cuántos certificados, verificaciones en dos pasos, conexiones con
                                      Business Central y altas en curso no abre CLAVE_MAESTRA. Con --hacer, y
                                      Huella parada, los borra, cuando la clave que los abre se perdió: sus
                                      empresas suben otra vez el certificado, conectan otra vez Business
                                      Central y ENTRAN SOLO CON LA CONTRASEÑA hasta que activen otra vez la
                                      verificación en dos pasos. Se les dice por correo y en «Actividad»

  --help                              Esta ayuda
`;
