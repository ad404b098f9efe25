import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  altaXml,
  anterior,
  anulacionXml,
  CLIENTE,
  CLIENTE_CON_NIF,
  desglose,
  destinatarios,
  detalle,
  EMISOR,
  extranjero,
  idFactura,
  message,
  NOW,
  SISTEMA,
  type Values,
} from '../../testing/messages.ts';
import { type TestService, testService } from '../../testing/service.ts';

/** NIF of an entity that is nobody else's here. */
const ENTIDAD = 'B12345674';
const ADMINISTRACION = { NombreRazon: 'AYUNTAMIENTO', NIF: 'P2807900B' };
const RECTIFICADA = {
  IDEmisorFactura: EMISOR,
  NumSerieFactura: 'ANTES',
  FechaExpedicionFactura: '01-11-2026',
};
const CLIENTE_UE = extranjero({ IDType: '02', ID: 'FR40303265045' });
const CLIENTE_USA = extranjero({ CodigoPais: 'US', IDType: '04', ID: '123' });
const NO_CENSADO = extranjero({ CodigoPais: 'ES', IDType: '07', ID: '12345678Z' });

/** A line with no tax: exempt or not subject. */
const sinIva = (changes: Values) =>
  detalle({
    CalificacionOperacion: undefined,
    TipoImpositivo: undefined,
    CuotaRepercutida: undefined,
    ...changes,
  });
const total = (CuotaTotal: string, ImporteTotal: string) => ({ CuotaTotal, ImporteTotal });
const simplificada = (...lineas: Values[]) => ({
  TipoFactura: 'F2',
  Destinatarios: undefined,
  ...desglose(...lineas),
});
const rectificativa = (changes: Values) => ({
  TipoFactura: 'R1',
  TipoRectificativa: 'I',
  ...changes,
});
const operacion = (FechaOperacion: string, ...lineas: Values[]) => ({
  FechaOperacion,
  ...desglose(...lineas),
});
const recargo = (tipo: string, cuota: string, changes: Values = {}) =>
  detalle({ TipoRecargoEquivalencia: tipo, CuotaRecargoEquivalencia: cuota, ...changes });
const tercero = (persona: Values) => ({ EmitidaPorTerceroODestinatario: 'T', Tercero: persona });
const productor = (changes: Values) => ({ SistemaInformatico: { ...SISTEMA, ...changes } });
const generador = (GeneradoPor: string, Generador: Values) => ({ GeneradoPor, Generador });
const clave14 = detalle({ ClaveRegimen: '14' });

type Case = readonly [outcome: string, why: string, changes: Values];

const ALTAS_WITH_A_MISTAKE: readonly Case[] = [
  // Values of the wrong type.
  ['1251', 'IDVersion', { IDVersion: '2.0' }],
  ['1100', 'NIF of other than 9 characters', idFactura('x', { IDEmisorFactura: '8989001K' })],
  ['1104', 'number of 61 characters', idFactura('9'.repeat(61))],
  ['1105', 'date of another form', idFactura('x', { FechaExpedicionFactura: '2026-11-20' })],
  ['1253', 'RefExterna of 61 characters', { RefExterna: 'x'.repeat(61) }],
  ['1171', 'Subsanacion', { Subsanacion: 'X' }],
  ['1106', 'TipoFactura F4 does not exist', { TipoFactura: 'F4' }],
  ['1107', 'TipoRectificativa', rectificativa({ TipoRectificativa: 'D' })],
  ['1145', 'FechaOperacion', { FechaOperacion: '20/11/2026' }],
  ['1100', 'DescripcionOperacion of 501 characters', { DescripcionOperacion: 'x'.repeat(501) }],
  ['1100', 'empty DescripcionOperacion', { DescripcionOperacion: '' }],
  ['1136', 'FacturaSimplificadaArt7273', { FacturaSimplificadaArt7273: 'X' }],
  ['1184', '61.d', { FacturaSinIdentifDestinatarioArt61d: 'X' }],
  ['1137', 'Macrodato', { Macrodato: 'X' }],
  ['1151', 'EmitidaPorTerceroODestinatario', { EmitidaPorTerceroODestinatario: 'E' }],
  ['1101', 'CodigoPais', destinatarios(extranjero({ CodigoPais: 'ZZ', IDType: '04', ID: '1' }))],
  ['1102', 'IDType', destinatarios(extranjero({ CodigoPais: 'FR', IDType: '01', ID: '1' }))],
  ['1157', 'Cupon', { Cupon: 'X' }],
  ['1218', 'Impuesto', desglose(detalle({ Impuesto: '04' }))],
  ['1246', 'ClaveRegimen of no tax', desglose(detalle({ ClaveRegimen: '12' }))],
  ['1181', 'CalificacionOperacion', desglose(detalle({ CalificacionOperacion: 'S3' }))],
  ['1182', 'OperacionExenta', desglose(sinIva({ OperacionExenta: 'E9' }))],
  ['1100', 'three decimals', { CuotaTotal: '21.000' }],
  ['1100', 'decimal comma', { ImporteTotal: '121,00' }],
  ['1274', 'PrimerRegistro', { Encadenamiento: { PrimerRegistro: 'N' } }],
  ['1220', 'NombreSistemaInformatico', productor({ NombreSistemaInformatico: 'x'.repeat(31) })],
  ['1100', 'IdSistemaInformatico in lower case', productor({ IdSistemaInformatico: 'p1' })],
  ['1212', 'TipoUsoPosibleSoloVerifactu', productor({ TipoUsoPosibleSoloVerifactu: 'X' })],
  ['1213', 'TipoUsoPosibleMultiOT', productor({ TipoUsoPosibleMultiOT: 'X' })],
  ['1226', 'IndicadorMultiplesOT', productor({ IndicadorMultiplesOT: 'X' })],
  ['1244', 'fraction of a second', { FechaHoraHusoGenRegistro: '2026-11-20T10:00:37.5+01:00' }],
  ['1244', 'offset without colon', { FechaHoraHusoGenRegistro: '2026-11-20T10:00:37+0100' }],
  ['1244', 'no such day', { FechaHoraHusoGenRegistro: '2026-02-30T10:00:37+01:00' }],
  ['1247', 'TipoHuella', { TipoHuella: '02' }],
  ['1262', 'huella of 65 characters', { Huella: 'A'.repeat(65) }],

  // The key.
  ['1108', 'issuer is not the obligado', idFactura('x', { IDEmisorFactura: CLIENTE })],
  ['1130', 'number with ñ', idFactura('AÑO-1')],
  ['1287', 'number with <', idFactura('A<1')],
  ['1105', 'no such day', idFactura('x', { FechaExpedicionFactura: '31-02-2026' })],
  ['1112', 'tomorrow', idFactura('x', { FechaExpedicionFactura: '21-11-2026' })],
  ['1152', 'before the Orden', idFactura('x', { FechaExpedicionFactura: '27-10-2024' })],

  // Kind of registro and of invoice.
  ['1161', 'RechazoPrevio S alone', { RechazoPrevio: 'S' }],
  ['1153', 'RechazoPrevio X alone', { RechazoPrevio: 'X' }],
  ['1114', 'R1 without TipoRectificativa', { TipoFactura: 'R1' }],
  ['1115', 'F1 with TipoRectificativa', { TipoRectificativa: 'I' }],
  [
    '1117',
    'F1 with FacturasRectificadas',
    { FacturasRectificadas: { IDFacturaRectificada: [RECTIFICADA] } },
  ],
  [
    '1116',
    'F1 with FacturasSustituidas',
    { FacturasSustituidas: { IDFacturaSustituida: [RECTIFICADA] } },
  ],
  [
    '1154',
    'rectified invoice of a NIF that is none',
    rectificativa({
      FacturasRectificadas: {
        IDFacturaRectificada: [{ ...RECTIFICADA, IDEmisorFactura: '89890001A' }],
      },
    }),
  ],
  ['1118', 'S without ImporteRectificacion', rectificativa({ TipoRectificativa: 'S' })],
  [
    '1119',
    'I with ImporteRectificacion',
    rectificativa({ ImporteRectificacion: { BaseRectificada: '1', CuotaRectificada: '0.21' } }),
  ],
  ['1145', 'no such day of operation', { FechaOperacion: '31-02-2026' }],
  ['1134', 'operation of 2006', { FechaOperacion: '19-11-2006' }],
  ['1125', 'operation of 2028', { FechaOperacion: '01-01-2028' }],
  ['1173', 'operation of tomorrow', { FechaOperacion: '21-11-2026' }],
  [
    '1146',
    'operation after the invoice',
    { ...idFactura('x', { FechaExpedicionFactura: '18-11-2026' }), FechaOperacion: '19-11-2026' },
  ],
  ['1183', 'F2 with art. 7.2-7.3', { ...simplificada(detalle()), FacturaSimplificadaArt7273: 'S' }],
  ['1185', 'F1 with art. 6.1.d', { FacturaSinIdentifDestinatarioArt61d: 'S' }],
  ['1138', 'Macrodato of 121 €', { Macrodato: 'S' }],
  ['1139', '100,000,000 € without Macrodato', { ImporteTotal: '-100000000' }],
  ['1157', 'Cupon S in F1', { Cupon: 'S' }],
  ['1128', 'agreement that does not exist', { NumRegistroAcuerdoFacturacion: 'NO' }],
  ['1242', 'agreement of the SIF that does not exist', { IdAcuerdoSistemaInformatico: 'NO' }],

  // Parties.
  ['1186', 'T without Tercero', { EmitidaPorTerceroODestinatario: 'T' }],
  ['1155', 'Tercero without T', { Tercero: { NombreRazon: 'T', NIF: ENTIDAD } }],
  [
    '1159',
    'Tercero with D',
    { ...tercero({ NombreRazon: 'T', NIF: ENTIDAD }), EmitidaPorTerceroODestinatario: 'D' },
  ],
  [
    '1158',
    'D without Destinatarios',
    { ...simplificada(detalle()), EmitidaPorTerceroODestinatario: 'D' },
  ],
  ['1189', 'F1 without Destinatarios', { Destinatarios: undefined }],
  ['1190', 'F2 with Destinatarios', { TipoFactura: 'F2' }],
  ['1188', 'Tercero is the obligado', tercero({ NombreRazon: 'T', NIF: EMISOR })],
  ['1123', 'Tercero of wrong control', tercero({ NombreRazon: 'T', NIF: 'B12345670' })],
  ['1109', 'Tercero out of the census', tercero({ NombreRazon: 'T', NIF: 'A58818501' })],
  ['1211', 'Tercero of kind 07', tercero(NO_CENSADO)],
  [
    '1232',
    'Spanish Tercero of kind 04',
    tercero(extranjero({ CodigoPais: 'ES', IDType: '04', ID: '1' })),
  ],
  ['4109', 'recipient of wrong control', destinatarios({ NombreRazon: 'C', NIF: '89890002A' })],
  ['1283', 'natural person without name', destinatarios({ NombreRazon: '', NIF: CLIENTE })],
  ['1111', 'no country', destinatarios(extranjero({ IDType: '04', ID: '1' }))],
  [
    '1122',
    'country and prefix differ',
    destinatarios(extranjero({ CodigoPais: 'DE', IDType: '02', ID: 'FR40303265045' })),
  ],
  ['1103', 'NIF-IVA too short', destinatarios(extranjero({ IDType: '02', ID: 'FR403032650' }))],
  [
    '1103',
    'NIF-IVA of EL written GR',
    destinatarios(extranjero({ IDType: '02', ID: 'GR094259216' })),
  ],
  [
    '1103',
    'ES is not a NIF-IVA here',
    destinatarios(extranjero({ IDType: '02', ID: 'ESA58818501' })),
  ],
  [
    '1254',
    'XI before 2021',
    {
      ...destinatarios(extranjero({ IDType: '02', ID: 'XI123456789' })),
      FechaOperacion: '31-12-2020',
    },
  ],
  ['1255', 'GB after Brexit', destinatarios(extranjero({ IDType: '02', ID: 'GB123456789' }))],
  [
    '1121',
    'NIF-IVA that VIES does not know',
    destinatarios(extranjero({ IDType: '02', ID: 'PT501964843' })),
  ],
  ['1126', 'ES with 04', destinatarios(extranjero({ CodigoPais: 'ES', IDType: '04', ID: '1' }))],
  [
    '1126',
    '07 with FR',
    destinatarios(extranjero({ CodigoPais: 'FR', IDType: '07', ID: '12345678Z' })),
  ],
  [
    '1290',
    '07 that is no NIF',
    destinatarios(extranjero({ CodigoPais: 'ES', IDType: '07', ID: '123' })),
  ],
  [
    '1131',
    '07 of an entity',
    destinatarios(extranjero({ CodigoPais: 'ES', IDType: '07', ID: ENTIDAD })),
  ],
  ['1191', 'R3 with NIF-IVA', rectificativa({ TipoFactura: 'R3', ...destinatarios(CLIENTE_UE) })],
  ['1192', 'R2 with 04', rectificativa({ TipoFactura: 'R2', ...destinatarios(CLIENTE_USA) })],
  ['1223', 'producer with neither', productor({ NIF: undefined })],
  ['1176', 'producer of wrong control', productor({ NIF: 'A39200010' })],
  ['1179', 'producer out of the census', productor({ NIF: 'A58818501' })],
  [
    '1221',
    'producer of kind 07',
    productor({ NIF: undefined, IDOtro: { CodigoPais: 'ES', IDType: '07', ID: '12345678Z' } }),
  ],
  [
    '1232',
    'Spanish producer of kind 04',
    productor({ NIF: undefined, IDOtro: { CodigoPais: 'ES', IDType: '04', ID: '1' } }),
  ],
  [
    '1174',
    'no such day in RegistroAnterior',
    {
      Encadenamiento: {
        RegistroAnterior: {
          ...RECTIFICADA,
          FechaExpedicionFactura: '31-02-2026',
          Huella: 'A'.repeat(64),
        },
      },
    },
  ],

  // Desglose.
  ['1195', 'neither calificación nor exención', desglose(sinIva({}))],
  ['1196', 'both', desglose(detalle({ OperacionExenta: 'E1' }))],
  ['1245', 'no ClaveRegimen', desglose(detalle({ ClaveRegimen: undefined }))],
  ['1260', 'ClaveRegimen with 05', desglose(detalle({ Impuesto: '05' }))],
  ['1246', 'clave 21 is of IGIC', desglose(detalle({ ClaveRegimen: '21' }))],
  ['1182', 'E7 is of IGIC', desglose(sinIva({ OperacionExenta: 'E7' }))],
  ['1237', 'N1 with rate', desglose(detalle({ CalificacionOperacion: 'N1' }))],
  [
    '1238',
    'exempt with rate',
    desglose(detalle({ CalificacionOperacion: undefined, OperacionExenta: 'E1' })),
  ],
  ['1124', '16 %', desglose(detalle({ TipoImpositivo: '16' }))],
  ['1194', '5 % in 2026', desglose(detalle({ TipoImpositivo: '5' }))],
  ['1235', '2 % in 2026', desglose(detalle({ TipoImpositivo: '2' }))],
  ['1236', '7.5 % in 2026', desglose(detalle({ TipoImpositivo: '7.5' }))],
  [
    '1281',
    'recargo with S2',
    desglose(
      recargo('0', '0', {
        CalificacionOperacion: 'S2',
        TipoImpositivo: '0',
        CuotaRepercutida: '0',
      }),
    ),
  ],
  ['1284', 'recargo without quota', desglose(detalle({ TipoRecargoEquivalencia: '5.2' }))],
  ['1127', 'recargo of 3 %', desglose(recargo('3', '3.00'))],
  ['1162', '21 with 1.4', desglose(recargo('1.4', '1.40'))],
  ['1163', '10 with 5.2', desglose(recargo('5.2', '5.20', { TipoImpositivo: '10' }))],
  ['1164', '4 with 5.2', desglose(recargo('5.2', '5.20', { TipoImpositivo: '4' }))],
  ['1160', '5 with 1', operacion('01-06-2023', recargo('1', '1.00', { TipoImpositivo: '5' }))],
  [
    '1167',
    '5 with 0.62 in 2022',
    operacion('01-12-2022', recargo('0.62', '0.62', { TipoImpositivo: '5' })),
  ],
  [
    '1168',
    '5 with 0.5 in 2023',
    operacion('01-06-2023', recargo('0.5', '0.50', { TipoImpositivo: '5' })),
  ],
  [
    '1169',
    '7.5 with 1.4',
    operacion('01-11-2024', recargo('1.4', '1.40', { TipoImpositivo: '7.5' })),
  ],
  ['1166', '2 with 0.5', operacion('01-11-2024', recargo('0.5', '0.50', { TipoImpositivo: '2' }))],
  [
    '1165',
    '0 with 0.26 in 2023',
    operacion('01-06-2023', recargo('0.26', '0.26', { TipoImpositivo: '0' })),
  ],
  ['1277', '0 with 0.5', desglose(recargo('0.5', '0.50', { TipoImpositivo: '0' }))],
  ['1257', 'base a coste with clave 01', desglose(detalle({ BaseImponibleACoste: '100' }))],
  [
    '1197',
    'S2 in F2',
    simplificada(
      detalle({ CalificacionOperacion: 'S2', TipoImpositivo: '0', CuotaRepercutida: '0' }),
    ),
  ],
  ['1198', 'S2 with 21', desglose(detalle({ CalificacionOperacion: 'S2' }))],
  ['1199', 'clave 01 with E2', desglose(sinIva({ OperacionExenta: 'E2' }))],
  ['1289', 'E5 to a NIF', desglose(sinIva({ OperacionExenta: 'E5' }))],
  ['1286', 'clave 02 with S1', desglose(detalle({ ClaveRegimen: '02' }))],
  [
    '1200',
    'clave 03 with N1',
    desglose(sinIva({ ClaveRegimen: '03', CalificacionOperacion: 'N1' })),
  ],
  ['1201', 'clave 04 with S1', desglose(detalle({ ClaveRegimen: '04' }))],
  ['1202', 'clave 06 without base a coste', desglose(detalle({ ClaveRegimen: '06' }))],
  [
    '1203',
    'clave 07 with N1',
    desglose(sinIva({ ClaveRegimen: '07', CalificacionOperacion: 'N1' })),
  ],
  ['1203', 'clave 07 with E4', desglose(sinIva({ ClaveRegimen: '07', OperacionExenta: 'E4' }))],
  ['1252', 'clave 08 with S1', desglose(detalle({ ClaveRegimen: '08' }))],
  ['1205', 'clave 10 with S1', desglose(detalle({ ClaveRegimen: '10' }))],
  [
    '1206',
    'clave 11 with 10',
    desglose(detalle({ ClaveRegimen: '11', TipoImpositivo: '10', CuotaRepercutida: '10' })),
  ],
  [
    '1147',
    'clave 14 without FechaOperacion',
    { ...desglose(clave14), ...destinatarios(ADMINISTRACION) },
  ],
  ['1149', 'clave 14 to a person', operacion('01-02-2027', clave14)],
  [
    '1148',
    'clave 14 in F3',
    { ...operacion('01-02-2027', clave14), ...destinatarios(ADMINISTRACION), TipoFactura: 'F3' },
  ],
  ['1293', 'clave 20 of IGIC with S1', desglose(detalle({ Impuesto: '03', ClaveRegimen: '20' }))],
  [
    '1207',
    'quota with N2 of IGIC',
    desglose(detalle({ Impuesto: '03', CalificacionOperacion: 'N2' })),
  ],
  ['1208', 'S1 without quota', desglose(detalle({ CuotaRepercutida: undefined }))],
  [
    '1209',
    'clave 06 without quota',
    desglose(
      detalle({ ClaveRegimen: '06', BaseImponibleACoste: '1', CuotaRepercutida: undefined }),
    ),
  ],
  ['1143', 'signs differ', desglose(detalle({ CuotaRepercutida: '-21.00' }))],
  ['1142', 'quota 10.01 away', desglose(detalle({ CuotaRepercutida: '31.01' }))],
  [
    '1140',
    'signs differ, a coste',
    desglose(detalle({ ClaveRegimen: '06', BaseImponibleACoste: '-100' })),
  ],
  [
    '1144',
    'quota 10.01 away, a coste',
    desglose(
      detalle({ ClaveRegimen: '06', BaseImponibleACoste: '100', CuotaRepercutida: '31.01' }),
    ),
  ],
  [
    '1150',
    'F2 of 3,010.01',
    {
      ...simplificada(sinIva({ OperacionExenta: 'E1', BaseImponibleOimporteNoSujeto: '3010.01' })),
      ...total('0', '3010.01'),
    },
  ],
];

const GOOD_ALTAS: readonly (readonly [why: string, changes: Values])[] = [
  ['number with &', idFactura('A&B')],
  ['Z as offset', { FechaHoraHusoGenRegistro: '2026-11-20T09:00:37Z' }],
  ['plus sign', total('+21.00', '+121')],
  [
    'quota 10.00 away',
    { ...desglose(detalle({ CuotaRepercutida: '31.00' })), ...total('31', '131') },
  ],
  ['totals 10.00 away', total('31.00', '131.00')],
  [
    'negative by differences',
    rectificativa({
      ...desglose(detalle({ BaseImponibleOimporteNoSujeto: '-100', CuotaRepercutida: '-21' })),
      ...total('-21', '-121'),
    }),
  ],
  ['entity without name', destinatarios({ NombreRazon: '', NIF: ENTIDAD })],
  ['recipient is the issuer', destinatarios({ NombreRazon: 'YO', NIF: EMISOR })],
  ['07', destinatarios(NO_CENSADO)],
  ['NIF-IVA of Greece', destinatarios(extranjero({ IDType: '02', ID: 'EL094259216' }))],
  ['third country', destinatarios(CLIENTE_USA)],
  [
    'E5 to the Union',
    {
      ...desglose(sinIva({ OperacionExenta: 'E5' })),
      ...destinatarios(CLIENTE_UE),
      ...total('0', '100'),
    },
  ],
  [
    '21 with 5.2',
    {
      ...desglose(recargo('5.2', '5.20')),
      ...total('26.20', '126.20'),
    },
  ],
  [
    '5 % in 2023',
    {
      ...operacion(
        '01-06-2023',
        recargo('0.62', '0.62', { TipoImpositivo: '5.00', CuotaRepercutida: '5' }),
      ),
      ...total('5.62', '105.62'),
    },
  ],
  [
    'F2 of 3,010.00',
    {
      ...simplificada(sinIva({ OperacionExenta: 'E1', BaseImponibleOimporteNoSujeto: '3010' })),
      ...total('0', '3010'),
    },
  ],
  [
    'F2 of more, by art. 6.1.d',
    {
      ...simplificada(sinIva({ OperacionExenta: 'E1', BaseImponibleOimporteNoSujeto: '5000' })),
      FacturaSinIdentifDestinatarioArt61d: 'S',
      ...total('0', '5000'),
    },
  ],
  ['clave 14', { ...operacion('01-02-2027', clave14), ...destinatarios(ADMINISTRACION) }],
  [
    'clave 03, totals unchecked',
    { ...desglose(detalle({ ClaveRegimen: '03' })), ...total('0', '900') },
  ],
  [
    'IGIC of 7 %',
    {
      ...desglose(detalle({ Impuesto: '03', TipoImpositivo: '7', CuotaRepercutida: '7' })),
      ...total('7', '107'),
    },
  ],
  ['issued by a third', tercero({ NombreRazon: 'GESTORÍA', NIF: ENTIDAD })],
  [
    'Macrodato',
    {
      Macrodato: 'S',
      ...desglose(sinIva({ OperacionExenta: 'E1', BaseImponibleOimporteNoSujeto: '100000000' })),
      ...total('0', '100000000'),
    },
  ],
];

const ALTAS_WITH_A_WARNING: readonly Case[] = [
  ['2001', 'recipient out of the census', destinatarios({ NombreRazon: 'C', NIF: 'A58818501' })],
  ['2000', 'wrong huella', { Huella: 'B'.repeat(64) }],
  ['2002', 'previous huella of 63', anterior('A'.repeat(63))],
  ['2003', 'previous huella in lower case', anterior('a'.repeat(64))],
  ['2008', 'previous huella is its own', { ...anterior('C'.repeat(64)), Huella: 'C'.repeat(64) }],
  ['2005', 'ImporteTotal 10.01 away', total('21', '131.01')],
  ['2006', 'CuotaTotal 10.01 away', total('31.01', '121')],
  ['2007', 'PrimerRegistro when there are others', { Encadenamiento: { PrimerRegistro: 'S' } }],
  [
    '2009',
    'IPSI without clave',
    desglose(detalle({ Impuesto: '02', ClaveRegimen: undefined, TipoImpositivo: '21' })),
  ],
  ['2004', '241 seconds late', { FechaHoraHusoGenRegistro: '2026-11-20T09:56:36+01:00' }],
  ['2004', '241 seconds early', { FechaHoraHusoGenRegistro: '2026-11-20T10:04:38+01:00' }],
  [
    '2001',
    'the first of several',
    {
      ...destinatarios({ NombreRazon: 'C', NIF: 'A58818501' }),
      Huella: 'B'.repeat(64),
      ...total('0', '0'),
    },
  ],
];

const ANULACIONES: readonly Case[] = [
  ['Incorrecto 1276', 'SinRegistroPrevio', { SinRegistroPrevio: 'X' }],
  ['Incorrecto 1275', 'RechazoPrevio X', { RechazoPrevio: 'X' }],
  ['Incorrecto 1225', 'GeneradoPor', { GeneradoPor: 'X' }],
  ['Incorrecto 1224', 'GeneradoPor without Generador', { GeneradoPor: 'T' }],
  ['Incorrecto 1228', 'Generador with neither', generador('T', { NombreRazon: 'G' })],
  ['Incorrecto 1227', 'E without NIF', generador('E', CLIENTE_USA)],
  ['Incorrecto 1258', 'wrong control', generador('T', { NombreRazon: 'G', NIF: 'B12345670' })],
  [
    'Incorrecto 1259',
    'Generador is the obligado',
    generador('T', { NombreRazon: 'G', NIF: EMISOR }),
  ],
  ['Incorrecto 1259', 'out of the census', generador('T', { NombreRazon: 'G', NIF: 'A58818501' })],
  ['Incorrecto 1229', 'T with 07', generador('T', NO_CENSADO)],
  [
    'Incorrecto 1232',
    'T with ES and 04',
    generador('T', extranjero({ CodigoPais: 'ES', IDType: '04', ID: '1' })),
  ],
  [
    'Incorrecto 1230',
    'D with ES and 04',
    generador('D', extranjero({ CodigoPais: 'ES', IDType: '04', ID: '1' })),
  ],
  [
    'Incorrecto 1231',
    'IDType',
    generador('D', extranjero({ CodigoPais: 'FR', IDType: '01', ID: '1' })),
  ],
  ['AceptadoConErrores 2000', 'wrong huella', { Huella: 'B'.repeat(64) }],
  ['Correcto', 'by the recipient', generador('D', CLIENTE_CON_NIF)],
];

describe('rules of the registros', () => {
  let service: TestService;
  let last = 0;
  /** Every case is another invoice, unless it changes the number itself. */
  const numero = () => `N-${++last}`;

  beforeAll(async () => {
    service = await testService();
    service.behaviour.change({ nifsNoCensados: ['A58818501', 'PT501964843'] });
    expect(await service.send(message([altaXml(numero())]))).toEqual(['Correcto']);
  });
  afterAll(() => service.close());

  const sendAlta = (changes: Values, cabecera: Values = {}) =>
    service.send(message([altaXml(numero(), changes)], cabecera));

  it.each(ALTAS_WITH_A_MISTAKE)('rejects with %s: %s', async (code, _, changes) => {
    expect(await sendAlta(changes)).toEqual([`Incorrecto ${code}`]);
  });

  it.each(ALTAS_WITH_A_WARNING)('accepts with %s: %s', async (code, _, changes) => {
    expect(await sendAlta(changes)).toEqual([`AceptadoConErrores ${code}`]);
  });

  it.each(GOOD_ALTAS)('accepts: %s', async (_, changes) => {
    expect(await sendAlta(changes)).toEqual(['Correcto']);
  });

  it.each(ANULACIONES)('anulación, %s: %s', async (outcome, _, changes) => {
    const annulled = numero();
    await service.send(message([altaXml(annulled)]));
    expect(await service.send(message([anulacionXml(annulled, changes)]))).toEqual([outcome]);
  });

  it('trims blanks before the huella and everything else', async () => {
    const xml = message([altaXml(numero())]).replace('>121.00<', '> 121.00\n<');
    expect(await service.send(xml)).toEqual(['Correcto']);
  });

  it('does not mind the delay of a message with Incidencia', async () => {
    const late = { FechaHoraHusoGenRegistro: '2026-11-20T07:00:00+01:00' };
    const incidencia = { RemisionVoluntaria: { Incidencia: 'S' } };
    expect(await sendAlta(late, incidencia)).toEqual(['Correcto']);
  });

  it('knows the agreements that the control page gives', async () => {
    service.behaviour.change({ acuerdos: ['ACUERDO'] });
    const huge = simplificada(
      sinIva({ OperacionExenta: 'E1', BaseImponibleOimporteNoSujeto: '9000' }),
    );
    const withAcuerdo = {
      ...huge,
      ...total('0', '9000'),
      NumRegistroAcuerdoFacturacion: 'ACUERDO',
    };
    expect(await sendAlta(withAcuerdo)).toEqual(['Correcto']);
  });

  it('rejects an IPSI line without clave from 2027 on', async () => {
    const line = detalle({ Impuesto: '02', ClaveRegimen: undefined });
    service.setNow(new Date('2027-01-01T09:00:00Z'));
    expect(await sendAlta(desglose(line))).toEqual(['Incorrecto 1245']);
    service.setNow(NOW);
  });
});
