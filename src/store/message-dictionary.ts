/**
 * What messages of VERI*FACTU and their answers have in common, for `packed-message.ts`: the tags in the order of the
 * schema (`SuministroLR.xsd`, `SuministroInformacion.xsd`, `RespuestaSuministro.xsd`), with the values that most
 * registros have. Rare parts come first, because deflate refers to the end more cheaply.
 *
 * **Frozen.** What was packed with it cannot be read without it: a better dictionary has to be another constant
 * beside it.
 */
export const MESSAGE_DICTIONARY_1 = [
  // An answer that reports an error, or consists of a fault.
  '<env:Fault><faultcode>env:Client</faultcode><faultstring>Codigo[].</faultstring><detail><callstack></callstack></detail></env:Fault>',
  '<tikR:EstadoEnvio>ParcialmenteCorrecto</tikR:EstadoEnvio>',
  '<tikR:RegistroDuplicado><tik:IdPeticionRegistroDuplicado></tik:IdPeticionRegistroDuplicado>',
  '<tik:EstadoRegistroDuplicado>Correcta</tik:EstadoRegistroDuplicado></tikR:RegistroDuplicado>',
  '<tik:TipoOperacion>Anulacion</tik:TipoOperacion><tik:Subsanacion>S</tik:Subsanacion>',
  '<tik:RechazoPrevio>S</tik:RechazoPrevio><tik:SinRegistroPrevio>S</tik:SinRegistroPrevio>',
  '<tikR:EstadoRegistro>Incorrecto</tikR:EstadoRegistro><tikR:EstadoRegistro>AceptadoConErrores</tikR:EstadoRegistro>',
  '<tikR:CodigoErrorRegistro></tikR:CodigoErrorRegistro><tikR:DescripcionErrorRegistro></tikR:DescripcionErrorRegistro>',

  // A registro that is not a plain invoice to a client in Spain.
  '<sum1:RemisionVoluntaria><sum1:Incidencia>S</sum1:Incidencia></sum1:RemisionVoluntaria>',
  '<sum1:RegistroAnulacion><sum1:IDVersion>1.0</sum1:IDVersion><sum1:IDFactura><sum1:IDEmisorFacturaAnulada></sum1:IDEmisorFacturaAnulada>',
  '<sum1:NumSerieFacturaAnulada></sum1:NumSerieFacturaAnulada><sum1:FechaExpedicionFacturaAnulada></sum1:FechaExpedicionFacturaAnulada>',
  '<sum1:SinRegistroPrevio>S</sum1:SinRegistroPrevio></sum1:RegistroAnulacion>',
  '<sum1:Subsanacion>S</sum1:Subsanacion><sum1:RechazoPrevio>X</sum1:RechazoPrevio>',
  '<sum1:TipoFactura>F2</sum1:TipoFactura><sum1:TipoFactura>R1</sum1:TipoFactura><sum1:TipoRectificativa>I</sum1:TipoRectificativa>',
  '<sum1:FacturasRectificadas><sum1:IDFacturaRectificada><sum1:IDEmisorFactura></sum1:IDEmisorFactura></sum1:IDFacturaRectificada></sum1:FacturasRectificadas>',
  '<sum1:FacturasSustituidas><sum1:IDFacturaSustituida></sum1:IDFacturaSustituida></sum1:FacturasSustituidas>',
  '<sum1:ImporteRectificacion><sum1:BaseRectificada></sum1:BaseRectificada><sum1:CuotaRectificada></sum1:CuotaRectificada></sum1:ImporteRectificacion>',
  '<sum1:FechaOperacion></sum1:FechaOperacion><sum1:FacturaSimplificadaArt7273>S</sum1:FacturaSimplificadaArt7273>',
  '<sum1:FacturaSinIdentifDestinatarioArt61d>S</sum1:FacturaSinIdentifDestinatarioArt61d><sum1:Macrodato>S</sum1:Macrodato>',
  '<sum1:IDOtro><sum1:CodigoPais></sum1:CodigoPais><sum1:IDType>02</sum1:IDType><sum1:ID></sum1:ID></sum1:IDOtro>',
  '<sum1:Impuesto>03</sum1:Impuesto><sum1:ClaveRegimen>02</sum1:ClaveRegimen><sum1:OperacionExenta>E5</sum1:OperacionExenta>',
  '<sum1:CalificacionOperacion>S2</sum1:CalificacionOperacion><sum1:CalificacionOperacion>N2</sum1:CalificacionOperacion>',
  '<sum1:TipoRecargoEquivalencia>5.2</sum1:TipoRecargoEquivalencia><sum1:CuotaRecargoEquivalencia></sum1:CuotaRecargoEquivalencia>',
  '<sum1:Encadenamiento><sum1:PrimerRegistro>S</sum1:PrimerRegistro></sum1:Encadenamiento>',

  // The answer to most messages.
  '<?xml version="1.0" encoding="UTF-8"?><env:Envelope xmlns:env="http://schemas.xmlsoap.org/soap/envelope/"><env:Header/><env:Body Id="Body">',
  '<tikR:RespuestaRegFactuSistemaFacturacion xmlns:tikR="https://www2.agenciatributaria.gob.es/static_files/common/internet/dep/aplicaciones/es/aeat/tike/cont/ws/RespuestaSuministro.xsd"',
  ' xmlns:tik="https://www2.agenciatributaria.gob.es/static_files/common/internet/dep/aplicaciones/es/aeat/tike/cont/ws/SuministroInformacion.xsd">',
  '<tikR:CSV>A-</tikR:CSV><tikR:DatosPresentacion><tik:NIFPresentador></tik:NIFPresentador>',
  '<tik:TimestampPresentacion>2026-</tik:TimestampPresentacion></tikR:DatosPresentacion>',
  '<tikR:Cabecera><tik:ObligadoEmision><tik:NombreRazon></tik:NombreRazon><tik:NIF></tik:NIF></tik:ObligadoEmision></tikR:Cabecera>',
  '<tikR:TiempoEsperaEnvio>60</tikR:TiempoEsperaEnvio><tikR:EstadoEnvio>Correcto</tikR:EstadoEnvio>',
  '<tikR:RespuestaLinea><tikR:IDFactura><tik:IDEmisorFactura></tik:IDEmisorFactura><tik:NumSerieFactura></tik:NumSerieFactura>',
  '<tik:FechaExpedicionFactura></tik:FechaExpedicionFactura></tikR:IDFactura><tikR:Operacion><tik:TipoOperacion>Alta</tik:TipoOperacion></tikR:Operacion>',
  '<tikR:RefExterna></tikR:RefExterna><tikR:EstadoRegistro>Correcto</tikR:EstadoRegistro></tikR:RespuestaLinea>',
  '</tikR:RespuestaRegFactuSistemaFacturacion></env:Body></env:Envelope>',

  // Most messages.
  '<?xml version="1.0" encoding="UTF-8"?><soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/"',
  ' xmlns:sum="https://www2.agenciatributaria.gob.es/static_files/common/internet/dep/aplicaciones/es/aeat/tike/cont/ws/SuministroLR.xsd"',
  ' xmlns:sum1="https://www2.agenciatributaria.gob.es/static_files/common/internet/dep/aplicaciones/es/aeat/tike/cont/ws/SuministroInformacion.xsd">',
  '<soapenv:Header/><soapenv:Body><sum:RegFactuSistemaFacturacion><sum:Cabecera><sum1:ObligadoEmision><sum1:NombreRazon></sum1:NombreRazon><sum1:NIF></sum1:NIF>',
  '</sum1:ObligadoEmision></sum:Cabecera><sum:RegistroFactura><sum1:RegistroAlta><sum1:IDVersion>1.0</sum1:IDVersion><sum1:IDFactura><sum1:IDEmisorFactura></sum1:IDEmisorFactura>',
  '<sum1:NumSerieFactura></sum1:NumSerieFactura><sum1:FechaExpedicionFactura></sum1:FechaExpedicionFactura></sum1:IDFactura><sum1:NombreRazonEmisor></sum1:NombreRazonEmisor>',
  '<sum1:TipoFactura>F1</sum1:TipoFactura><sum1:DescripcionOperacion></sum1:DescripcionOperacion>',
  '<sum1:Destinatarios><sum1:IDDestinatario><sum1:NombreRazon></sum1:NombreRazon><sum1:NIF></sum1:NIF></sum1:IDDestinatario></sum1:Destinatarios>',
  '<sum1:Desglose><sum1:DetalleDesglose><sum1:Impuesto>01</sum1:Impuesto><sum1:ClaveRegimen>01</sum1:ClaveRegimen><sum1:CalificacionOperacion>S1</sum1:CalificacionOperacion>',
  '<sum1:TipoImpositivo>10</sum1:TipoImpositivo><sum1:BaseImponibleOimporteNoSujeto></sum1:BaseImponibleOimporteNoSujeto><sum1:CuotaRepercutida></sum1:CuotaRepercutida></sum1:DetalleDesglose>',
  '<sum1:DetalleDesglose><sum1:Impuesto>01</sum1:Impuesto><sum1:ClaveRegimen>01</sum1:ClaveRegimen><sum1:CalificacionOperacion>S1</sum1:CalificacionOperacion>',
  '<sum1:TipoImpositivo>21</sum1:TipoImpositivo><sum1:BaseImponibleOimporteNoSujeto>00</sum1:BaseImponibleOimporteNoSujeto><sum1:CuotaRepercutida>.00</sum1:CuotaRepercutida>',
  '</sum1:DetalleDesglose></sum1:Desglose><sum1:CuotaTotal></sum1:CuotaTotal><sum1:ImporteTotal></sum1:ImporteTotal>',
  '<sum1:Encadenamiento><sum1:RegistroAnterior><sum1:IDEmisorFactura></sum1:IDEmisorFactura><sum1:NumSerieFactura></sum1:NumSerieFactura>',
  '<sum1:FechaExpedicionFactura></sum1:FechaExpedicionFactura><sum1:Huella></sum1:Huella></sum1:RegistroAnterior></sum1:Encadenamiento>',
  '<sum1:SistemaInformatico><sum1:NombreRazon></sum1:NombreRazon><sum1:NIF></sum1:NIF><sum1:NombreSistemaInformatico>Huella</sum1:NombreSistemaInformatico>',
  '<sum1:IdSistemaInformatico></sum1:IdSistemaInformatico><sum1:Version></sum1:Version><sum1:NumeroInstalacion></sum1:NumeroInstalacion>',
  '<sum1:TipoUsoPosibleSoloVerifactu>S</sum1:TipoUsoPosibleSoloVerifactu><sum1:TipoUsoPosibleMultiOT>S</sum1:TipoUsoPosibleMultiOT><sum1:IndicadorMultiplesOT>S</sum1:IndicadorMultiplesOT>',
  '</sum1:SistemaInformatico><sum1:FechaHoraHusoGenRegistro>2026-</sum1:FechaHoraHusoGenRegistro><sum1:TipoHuella>01</sum1:TipoHuella><sum1:Huella></sum1:Huella>',
  '</sum1:RegistroAlta></sum:RegistroFactura></sum:RegFactuSistemaFacturacion></soapenv:Body></soapenv:Envelope>',
].join('');
