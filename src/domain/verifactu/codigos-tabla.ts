/** The sentences of `codigos.ts`, by family of codes. */

export interface Codigo {
  readonly mensaje: string;
  /** The AEAT's own problem: the same registro may be sent again unchanged. */
  readonly esTecnico: boolean;
  /** The AEAT's text names a field or NIF that ours cannot know: it is quoted. */
  readonly citaDescripcion: boolean;
}

/** Codes that mean the same to the reader (AEAT, table `errores` of 18-08-2026). */
interface Familia extends Codigo {
  readonly codigos: readonly number[];
}

const familia = (codigos: readonly number[], mensaje: string): Familia => ({
  codigos,
  mensaje,
  esTecnico: false,
  citaDescripcion: false,
});

/** The AEAT's text adds what ours cannot know: the field, or whose NIF it is. */
const citando = (codigos: readonly number[], mensaje: string): Familia => ({
  ...familia(codigos, mensaje),
  citaDescripcion: true,
});

/** The AEAT's own problem: sent again automatically. */
const tecnico = (codigos: readonly number[], donde: string): Familia => ({
  ...familia(
    codigos,
    `La AEAT ha tenido un problema técnico ${donde}. Huella vuelve a enviarlo sola: no tienes que hacer nada.`,
  ),
  esTecnico: true,
});

/** A problem in something that only Huella writes, so only we can fix it. */
const nuestro = (codigos: readonly number[], que: string): Familia =>
  citando(
    codigos,
    `Huella ha enviado mal ${que}. No es cosa tuya: escríbenos desde Ayuda y soporte con este código y lo arreglamos.`,
  );

const CORREGIR = 'Pulsa «Corregir», arréglalo y regístrala otra vez.';
const FICHA =
  'Arréglalo en la ficha del cliente, pulsa «Corregir» en la factura y regístrala otra vez.';
const EMPRESA =
  'Arréglalo en Perfil → Información de empresa, pulsa «Corregir» en la factura y regístrala otra vez.';
const ANULAR = 'Eso no se puede corregir en una factura ya numerada: anúlala y emite una nueva.';

const TECNICOS: readonly Familia[] = [
  tecnico([4103], 'al leer el envío'),
  tecnico([4108], 'al leer el certificado'),
  tecnico([4110], 'al comprobar los apoderamientos'),
  tecnico([4111], 'al abrir el trámite'),
  tecnico([4118], 'al recibir el envío'),
  tecnico([4128], 'al consultar sus tablas'),
  tecnico([4134], 'y su servicio VERI*FACTU no está activo ahora'),
  tecnico([3500, 3501], 'en su base de datos'),
  tecnico([1129], 'al buscar el acuerdo de facturación'),
  tecnico([1241], 'al buscar el programa de facturación'),
  tecnico([1243, 1256, 1288], 'al comprobar las fechas'),
  tecnico([102, 20009], 'en su servidor'),
];

const CERTIFICADO: readonly Familia[] = [
  familia(
    [4112],
    'El certificado digital no sirve para enviar facturas de esta empresa: su titular no es la empresa, ni su representante, ni alguien autorizado. Sube otro en Perfil → Certificado Digital.',
  ),
  familia(
    [3003],
    'El titular del certificado no tiene permiso para cambiar esta factura en la AEAT. Sube en Perfil → Certificado Digital el de la empresa o el de su representante, pulsa «Corregir» en la factura y regístrala otra vez o, si la anulabas, anúlala de nuevo.',
  ),
  familia(
    [4132, 4140],
    'El certificado digital no permite consultar estas facturas en la AEAT. Sube en Perfil → Certificado Digital el de la empresa o el de su representante.',
  ),
  familia(
    [4141],
    'La AEAT ha suspendido por ahora los envíos de tu empresa. Escribe a verifactu@correo.aeat.es para resolverlo; tus facturas siguen registradas aquí y esperan.',
  ),
];

const EMPRESA_EMISORA: readonly Familia[] = [
  citando(
    [4104],
    'La AEAT no encuentra en su censo el NIF y el nombre de tu empresa. Comprueba en Perfil → Información de empresa que están escritos como en tu certificado.',
  ),
  citando(
    [4107, 4109],
    'La AEAT no reconoce uno de los NIF del envío: no tiene la forma correcta o no está en su censo con ese nombre. Si es el del cliente, arréglalo en su ficha, pulsa «Corregir» en la factura y regístrala otra vez; si es el de tu empresa, compruébalo en Perfil → Información de empresa.',
  ),
  citando(
    [4115, 4116, 1120, 1219],
    'La AEAT no admite el NIF de tu empresa. El de unas facturas registradas no se cambia: si está mal, crea otra cuenta con el bueno y factura desde ella; si está bien, escríbenos desde Ayuda y soporte.',
  ),
  citando(
    [1172, 1215, 1217, 1240],
    `La AEAT no admite los datos de tu empresa que van en la factura. ${EMPRESA}`,
  ),
  familia([1282], `Falta el nombre de tu empresa, que la AEAT pide junto al NIF. ${EMPRESA}`),
  nuestro([1108], 'el NIF de tu empresa, que no es igual en toda la factura'),
];

const DESTINATARIO: readonly Familia[] = [
  familia([1189], `Este tipo de factura necesita un cliente. ${CORREGIR}`),
  familia(
    [1190],
    `Una factura simplificada no lleva cliente. ${CORREGIR} Si quieres que lo lleve, anúlala y haz una F1 Factura.`,
  ),
  citando([1123, 1290], `El NIF del cliente no tiene la forma correcta. ${FICHA}`),
  citando(
    [1109, 1110],
    `La AEAT no encuentra el NIF del cliente en su censo. Comprueba el NIF y el nombre completo. ${FICHA}`,
  ),
  citando(
    [1193],
    `La AEAT no encuentra el NIF del cliente en su censo, o es el de tu propia empresa. ${FICHA}`,
  ),
  citando([1239], `La AEAT no admite los datos del cliente. ${FICHA}`),
  familia([1283], `Falta el nombre del cliente, que la AEAT pide junto al NIF. ${FICHA}`),
  familia(
    [1121],
    `La AEAT no encuentra el NIF-IVA del cliente entre los de la Unión Europea (VIES). Compruébalo con él. ${FICHA}`,
  ),
  familia([1103, 1222], `El número de identificación del cliente no es correcto. ${FICHA}`),
  familia(
    [1101, 1111, 1122],
    `El país del cliente falta o no casa con su número de identificación. ${FICHA}`,
  ),
  familia(
    [1102, 1126, 1234],
    `El documento que identifica al cliente no corresponde a su país: a un cliente de España se le identifica con su NIF. ${FICHA}`,
  ),
  familia(
    [1131],
    `Un cliente no censado debe ser una persona física con su NIF. Comprueba si es una empresa. ${FICHA}`,
  ),
  familia(
    [1254, 1255],
    `El prefijo del NIF-IVA no vale en la fecha de la operación: desde febrero de 2021 Reino Unido no tiene NIF-IVA e Irlanda del Norte usa XI. ${FICHA}`,
  ),
  familia(
    [1156],
    `A un cliente con NIF-IVA de otro país no se le puede hacer este tipo de factura. ${CORREGIR}`,
  ),
  familia([1191], `Una R3 (crédito incobrable) pide un cliente con NIF español. ${CORREGIR}`),
  familia(
    [1192],
    `Una R2 (concurso de acreedores) pide un cliente con NIF español o NIF-IVA. ${CORREGIR}`,
  ),
  familia(
    [1289],
    `Una entrega intracomunitaria exenta pide un cliente con NIF-IVA de otro país de la Unión. ${CORREGIR}`,
  ),
  familia(
    [1149],
    `La clave de régimen 14 es para administraciones públicas, cuyo NIF empieza por P, Q, S o V. ${CORREGIR}`,
  ),
];

const FECHAS: readonly Familia[] = [
  familia([1105], `La AEAT no admite la fecha de la factura. ${ANULAR}`),
  familia(
    [1112],
    'Para la AEAT, la fecha de la factura no había llegado todavía: su reloj y el de Huella no coinciden. Cuando sea ese día, pulsa «Corregir» y regístrala otra vez sin cambiar nada.',
  ),
  familia(
    [1133, 1152],
    `La fecha de la factura es más antigua de lo que admite VERI*FACTU. ${ANULAR}`,
  ),
  citando(
    [1145, 4106],
    `Una de las fechas de la factura no existe o está mal escrita. ${CORREGIR}`,
  ),
  familia(
    [1125, 1134],
    `La fecha de operación está demasiado lejos: se admiten los últimos veinte años y hasta el final del año que viene. ${CORREGIR}`,
  ),
  familia(
    [1146, 1173],
    `La fecha de operación es posterior a la de la factura o a hoy, y eso solo cabe con las claves de régimen 14 y 15. ${CORREGIR}`,
  ),
  familia(
    [1147],
    `Con la clave de régimen 14 hay que poner una fecha de operación posterior a la de la factura. ${CORREGIR}`,
  ),
];

const NUMERO: readonly Familia[] = [
  familia(
    [1104, 1130, 1287],
    `El número de la factura es demasiado largo o lleva signos que la AEAT no admite. ${ANULAR} Antes, cambia el contador en Perfil → Datos de facturación.`,
  ),
];

const TIPO_DE_FACTURA: readonly Familia[] = [
  familia([1106], `La AEAT no admite ese tipo de factura. ${CORREGIR}`),
  familia(
    [1107, 1114],
    `Falta decir si la rectificativa es por diferencias o por sustitución. ${CORREGIR}`,
  ),
  familia(
    [1115, 1117, 1119],
    `La factura lleva datos de una rectificativa que aquí no caben: no lo es, o no es por sustitución. ${CORREGIR}`,
  ),
  familia([1116], `Solo una F3 puede decir qué facturas simplificadas sustituye. ${CORREGIR}`),
  familia(
    [1118],
    `Una rectificativa por sustitución debe decir los importes de la factura que sustituye. Pulsa «Corregir» y elige esa factura, o cambia a «Por diferencias».`,
  ),
  familia(
    [1154],
    `La AEAT no reconoce el NIF de quien emitió la factura rectificada o sustituida. ${CORREGIR}`,
  ),
  nuestro([1157], 'la marca de cupones y descuentos'),
  familia(
    [1150],
    `Una factura simplificada no puede pasar de 3.000 €. Anúlala y haz una F1 Factura con los datos del cliente.`,
  ),
  nuestro([1136, 1183, 1184, 1185], 'las marcas de factura simplificada'),
  nuestro([1128], 'un acuerdo de facturación que la AEAT no tiene'),
];

const IMPUESTOS: readonly Familia[] = [
  familia([1124], `El tipo de IVA de una línea no existe. ${CORREGIR}`),
  familia(
    [1132, 1194, 1235, 1236],
    `El tipo de IVA de una línea no estaba vigente en la fecha de la operación. Pulsa «Corregir» y cambia el impuesto, o pon la fecha en que se hizo la operación.`,
  ),
  familia(
    [1127, 1135, 1160, 1162, 1163, 1164, 1165, 1166, 1167, 1168, 1169, 1170, 1277],
    `El recargo de equivalencia no es el que corresponde a ese IVA en la fecha de la operación. ${CORREGIR}`,
  ),
  familia(
    [1281, 1284],
    `El recargo de equivalencia está incompleto o va en una línea que no lo admite. ${CORREGIR}`,
  ),
  familia(
    [1182, 1195, 1196, 1181],
    `Falta decir si una línea está sujeta, exenta o no sujeta, o la causa no vale para ese impuesto. Pulsa «Corregir» y elige otro impuesto en la línea.`,
  ),
  familia(
    [1197],
    `La inversión del sujeto pasivo necesita una factura completa. Anúlala y haz una F1 Factura.`,
  ),
  familia(
    [1198, 1207, 1237, 1238],
    `Una línea exenta, no sujeta o con inversión del sujeto pasivo lleva cuota de impuesto, y no puede. ${CORREGIR}`,
  ),
  familia([1208, 1209], `A una línea le falta el tipo de impuesto o la cuota. ${CORREGIR}`),
  familia([1218], `La AEAT no reconoce el impuesto de una línea. ${CORREGIR}`),
  familia(
    [1140, 1142, 1143, 1144],
    `La cuota de una línea no corresponde a su base y a su tipo de impuesto. ${CORREGIR}`,
  ),
  familia(
    [1210, 1216, 2005, 2006],
    `El total de la factura no es la suma de sus bases y cuotas. ${CORREGIR} Si se repite, escríbenos desde Ayuda y soporte.`,
  ),
  familia(
    [1266, 1267],
    `Un importe de la factura tiene más cifras de las que la AEAT admite. ${CORREGIR}`,
  ),
  nuestro([1137, 1138, 1139], 'la marca de factura de más de cien millones'),
  familia(
    [1257],
    `La base a coste solo cabe con la clave de régimen 06, IPSI u otros impuestos. ${CORREGIR}`,
  ),
];

const REGIMENES: readonly Familia[] = [
  familia(
    [1245, 1246, 1260],
    `Falta la clave de régimen o no vale para el impuesto de la factura. Pulsa «Corregir» y elige otra.`,
  ),
  familia(
    [1199],
    `Una exportación no puede llevar la clave de régimen 01. Pulsa «Corregir» y elige la 02.`,
  ),
  familia(
    [1286],
    `La clave de régimen 02 es solo para exportaciones exentas. Pulsa «Corregir» y elige la 01, o cambia el impuesto.`,
  ),
  familia(
    [1200],
    `La clave de régimen 03 (bienes usados) no admite el impuesto de alguna línea. ${CORREGIR}`,
  ),
  familia(
    [1201],
    `La clave de régimen 04 (oro de inversión) pide líneas exentas o con inversión del sujeto pasivo. ${CORREGIR}`,
  ),
  familia(
    [1202],
    `La clave de régimen 06 (grupo de entidades) pide una factura completa con la base a coste. Pulsa «Corregir» y elige otra clave.`,
  ),
  familia(
    [1203],
    `La clave de régimen 07 (criterio de caja) no admite el impuesto de alguna línea. ${CORREGIR}`,
  ),
  familia(
    [1205],
    `La clave de régimen 10 (cobros por terceros) pide una F1, líneas no sujetas y un cliente con NIF. ${CORREGIR}`,
  ),
  familia([1206], `La clave de régimen 11 (alquiler de locales) pide IVA del 21 %. ${CORREGIR}`),
  familia(
    [1252],
    `La clave de régimen 08 es solo para líneas no sujetas por localización. ${CORREGIR}`,
  ),
  familia(
    [1293],
    `La clave de régimen 20 del IGIC es solo para líneas no sujetas por localización. ${CORREGIR}`,
  ),
  familia(
    [1148],
    `La clave de régimen 14 (certificaciones de obra) pide una factura completa. Pulsa «Corregir» y elige otra clave.`,
  ),
];

const EXISTENCIA: readonly Familia[] = [
  familia(
    [3000],
    'La AEAT ya tiene una factura con este número y esta fecha, hecha con otro programa. En la ficha de esta, pulsa «Dejarla sin efecto» y haz otra, que llevará otro número.',
  ),
  familia(
    [3001],
    'La AEAT ya tiene anulada esta factura. En su ficha, pulsa «Dejarla como anulada»; si la venta existió, emite una nueva.',
  ),
  familia(
    [3002],
    'La AEAT no tiene la factura que se quiere cambiar o anular. Pulsa «Corregir» y regístrala otra vez o, si la anulabas, anúlala de nuevo; si se repite, escríbenos desde Ayuda y soporte.',
  ),
  familia(
    [3004],
    'Esta factura se registró en la web de la AEAT, con su formulario, y no se puede cambiar desde aquí: cámbiala o anúlala en esa web. En su ficha, pulsa «Dejarla sin efecto» o, si ya constaba en la AEAT, «Dejarla como estaba»: las facturas que esperan detrás salen solas.',
  ),
];

const ACEPTADA: readonly Familia[] = [
  familia(
    [2000],
    'La AEAT ha aceptado la factura, pero no le sale la misma huella. Pulsa «Corregir» y regístrala otra vez sin cambiar nada; si se repite, escríbenos desde Ayuda y soporte.',
  ),
  citando(
    [2001],
    `La AEAT ha aceptado la factura, pero no encuentra al cliente en su censo. Comprueba su NIF y su nombre completo, tal como los tiene Hacienda; si están bien y es una persona, identifícala como «No censado». ${FICHA}`,
  ),
  familia(
    [2002, 2003, 2007, 2008],
    'La AEAT ha aceptado la factura, pero no le cuadra su lugar en la cadena de registros. Pulsa «Corregir» y regístrala otra vez sin cambiar nada; si se repite, escríbenos desde Ayuda y soporte.',
  ),
  familia(
    [2004],
    'La AEAT ha aceptado la factura; solo avisa de que la hora del registro no coincide con la suya. No hay nada que corregir.',
  ),
  familia(
    [2009],
    'La AEAT ha aceptado la factura; solo avisa de que su clave de régimen no es una de las del IPSI. No hay nada que corregir, pero elige otra en las próximas: desde 2027 la rechazará.',
  ),
];

/** Parts of the message that the user never sees. */
const NUESTROS: readonly Familia[] = [
  nuestro([1100], 'un dato de la factura'),
  nuestro([4102, 4136, 4137, 4138], 'el mensaje: le falta una parte o está desordenado'),
  nuestro([4113, 4114], 'el mensaje: lleva demasiados registros'),
  nuestro([4119], 'el mensaje: lleva letras que la AEAT no puede leer'),
  nuestro([4105, 4117, 4123, 4124], 'los datos del representante'),
  nuestro([4120, 4121, 4122, 4125, 4126, 4127, 4129, 4130, 4131, 4133], 'la cabecera del mensaje'),
  nuestro([4135, 4139], 'el mensaje: ha usado una dirección de la AEAT que no es la suya'),
  nuestro([1251], 'la versión del formato'),
  nuestro([1253], 'la referencia externa'),
  nuestro(
    [1151, 1155, 1158, 1159, 1178, 1186, 1187, 1188, 1211],
    'los datos de quien expide por ti',
  ),
  nuestro([1232, 1233], 'el documento de identificación de una de las partes'),
  nuestro([1224, 1225, 1227, 1228, 1229, 1230, 1231, 1258, 1259, 1273], 'los datos de quien anula'),
  nuestro([1153, 1161, 1171, 1275, 1276], 'las marcas de corrección del registro'),
  nuestro(
    [1176, 1177, 1179, 1212, 1213, 1214, 1220, 1221, 1223, 1226, 1242],
    'los datos del programa de facturación',
  ),
  nuestro([1174, 1175, 1180, 1264, 1269, 1274, 1291], 'el enlace con el registro anterior'),
  nuestro([1247, 1262, 1263, 1292], 'la huella del registro'),
  nuestro([1244, 1268], 'la hora del registro'),
  nuestro([1265], 'el tipo de factura'),
  nuestro([1248, 1249, 1250, 1261, 1270, 1271, 1272, 1285, 3502, 3503], 'una consulta'),
];

export const FAMILIAS: readonly Familia[] = [
  ...TECNICOS,
  ...CERTIFICADO,
  ...EMPRESA_EMISORA,
  ...DESTINATARIO,
  ...FECHAS,
  ...NUMERO,
  ...TIPO_DE_FACTURA,
  ...IMPUESTOS,
  ...REGIMENES,
  ...EXISTENCIA,
  ...ACEPTADA,
  ...NUESTROS,
];
