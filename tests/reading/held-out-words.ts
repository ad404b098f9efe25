import type { Pool } from './invoice-sample.ts';

/** Whom all of them bill: people at the even places, entities at the odd ones, as their NIF. */
const CLIENTS: Pick<Pool, 'names' | 'streets' | 'towns'> = {
  names: [
    ...['Antonio Requena Soto', 'Bodegas Valdeolmos, S.L.'],
    ...['M.ª Carmen Fuster Llopis', 'Inmobiliaria Puerta Nueva, S.L.'],
    ...['Iker Etxeberria Lasa', 'Residencia Virgen del Camino, S.L.'],
    ...['Rosario Cano de la Torre', 'Clínica Dental Ansoáin, S.L.P.'],
  ],
  streets: [
    ...['C/ Real, 27, 2º izda.', 'Gran Vía, 604, entlo.', 'Pol. Ind. El Segre, parcela 309'],
    ...['Avenida de Portugal, 14', 'Rúa do Vilar, 33, baixo', 'Urb. Los Naranjos, 56'],
    ...['Paseo Marítimo, s/n, local 4', 'Cuesta de San Vicente, 8'],
  ],
  towns: [
    ...['25191 Lleida', '29601 Marbella (Málaga)', '33201 Gijón (Asturias)', '30005 Murcia'],
    ...['38003 Santa Cruz de Tenerife', '47001 Valladolid', '20004 San Sebastián'],
  ],
};

export const PLUMBER: Pool = {
  ...CLIENTS,
  issuers: {
    names: ['Fermín Olmedo Barrio', 'Julián Cebrián Marco', 'José Luis Bravo Tena'],
    arePeople: true,
  },
  things: [
    ...['Sustitución de grifo monomando de cocina', 'Desatasco de bajante general'],
    ...['Termo eléctrico 80 l', 'Mano de obra oficial 1ª', 'Mano de obra ayudante'],
    ...['Tubería multicapa 20 mm (ml)', 'Llave de escuadra 1/2"', 'Salida urgente'],
    ...['Colocación de plato de ducha 120x70, incluso sellado y retirada de escombro'],
  ],
  numbers: ['38/2026', '104/2026', '7/2026', '61-26'],
};

export const WHOLESALER: Pool = {
  ...CLIENTS,
  issuers: {
    names: [
      ...['Distribuciones Ebro Norte, S.L.', 'Comercial Hostelera Tres Mares, S.L.'],
      ...['Mayorista de Alimentación Lorca, S.L.U.'],
    ],
    arePeople: false,
  },
  things: [
    ...[
      'ATUN CLARO ACEITE RO-1000',
      'TOMATE TRITURADO 3 KG ABRE FACIL',
      'LECHE ENTERA BRIK 1L C/6',
    ],
    ...['CAFE NATURAL GRANO 1 KG', 'SERVILLETA 30X30 2C BLANCA', 'QUESO CURADO MEZCLA 3,2 KG'],
    ...['ARROZ BOMBA SACO 5 KG', 'DETERGENTE LAVAVAJILLAS INDUST. 12 KG', 'PATATA 9X9 CONG. 4X2,5'],
    ...['PIMIENTO PIQUILLO 80/100 LATA 3 KG'],
  ],
  numbers: ['26/A/004417', '26/A/012903', '1-26-0038821', 'FA26003310'],
};

export const LAWYER: Pool = {
  ...CLIENTS,
  issuers: {
    names: ['Elvira Montesinos Prat', 'Gonzalo de Haro Villalba', 'Nuria Casals Ferrer'],
    arePeople: true,
  },
  things: [
    ...['Estudio de antecedentes y redacción de demanda', 'Asistencia a audiencia previa'],
    ...['Asistencia a juicio', 'Consulta en despacho', 'Redacción de recurso de apelación'],
    ...['Negociación extrajudicial con la parte contraria y redacción del acuerdo transaccional'],
    ...['Burofax', 'Dictamen jurídico', 'Informe de viabilidad'],
  ],
  numbers: ['M-2026/31', 'M-2026/114', '2026.045', '19/26'],
};

export const WORKSHOP: Pool = {
  ...CLIENTS,
  issuers: {
    names: [
      ...['Automoción Peñagrande, S.L.', 'Garaje Costa Verde, S.L.'],
      ...['Electromecánica Vidal e Hijos, S.L.'],
    ],
    arePeople: false,
  },
  things: [
    ...[
      'Sustituir pastillas y discos delanteros',
      'Diagnosis electrónica',
      'Cambiar aceite y filtros',
    ],
    ...[
      'Filtro de habitáculo',
      'Aceite 5W30 (litro)',
      'Juego pastillas freno del.',
      'Batería 70 Ah',
    ],
    ...[
      'Neumático 205/55 R16 91V',
      'Kit distribución con bomba de agua',
      'Alineación de dirección',
    ],
  ],
  numbers: ['T26000418', 'T26001277', 'FT-26/0093', '2026-1-00562'],
};

export const SHOP: Pool = {
  ...CLIENTS,
  issuers: {
    names: ['Mundo Camping Online, S.L.', 'La Lana de Aitana, S.L.', 'Bicimanía Digital, S.L.U.'],
    arePeople: false,
  },
  things: [
    ...['Saco de dormir Teide -5 ºC', 'Esterilla autohinchable', 'Linterna frontal 400 lm'],
    ...['Mochila Picos 45 L – Verde', 'Ovillo merino 100 g – Mostaza', 'Agujas circulares 4 mm'],
    ...['Casco urbano – Talla M', 'Cámara de aire 700x25', 'Candado plegable con soporte, negro'],
    ...['Tarjeta regalo física'],
  ],
  numbers: ['WEB-2026-1183', 'WEB-2026-40', '202600917', 'ON26-5521'],
};

export const OPERATOR: Pool = {
  ...CLIENTS,
  issuers: {
    names: [
      'Fibra Sierra Telecom, S.L.',
      'Conecta Levante Comunicaciones, S.L.',
      'Telnorte, S.L.U.',
    ],
    arePeople: false,
  },
  things: [
    ...[
      'Fibra 600 Mb simétrica',
      'Línea móvil 50 GB',
      'Línea móvil ilimitada',
      'Centralita virtual',
    ],
    ...[
      'Alquiler router WiFi 6',
      'Llamadas internacionales',
      'Cuota de mantenimiento de línea fija',
    ],
    ...['IP fija', 'Roaming fuera de la UE'],
  ],
  numbers: ['FT260300118254', '28-C6-0044719', 'TN/26/771024', '9004412260'],
};
