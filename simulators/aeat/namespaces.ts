const BASE =
  'https://www2.agenciatributaria.gob.es/static_files/common/internet/dep/aplicaciones/es/aeat/tike/cont/ws/';

/** Namespaces of the service (schemas 1.0); the same in every environment. */
export const NS = {
  soap: 'http://schemas.xmlsoap.org/soap/envelope/',
  /** Elements every message shares. */
  sf: `${BASE}SuministroInformacion.xsd`,
  suministro: `${BASE}SuministroLR.xsd`,
  consulta: `${BASE}ConsultaLR.xsd`,
  respuestaSuministro: `${BASE}RespuestaSuministro.xsd`,
  respuestaConsulta: `${BASE}RespuestaConsultaLR.xsd`,
  dsig: 'http://www.w3.org/2000/09/xmldsig#',
} as const;
