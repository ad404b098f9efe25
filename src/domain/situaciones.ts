/**
 * What a small company sells, and to whom, in plain words, and what follows from it for the AEAT and for the invoice.
 * The form offers these rows, the taxes of every company contain them (`gruposIva`), and registros are made from
 * them: this is the only place that gives a situation its clave de régimen, its calificación or exención, its mention
 * and its requirements.
 *
 * Sources: Ley 37/1992 (IVA), Ley 20/1991 and Ley 19/1994 (IGIC), Ley 8/1991 (IPSI), RD 1619/2012 art. 6.1.j to p
 * (mentions); lists L8A, L8B, L9 and L10 of the AEAT, validations 1.2.2 (08-04-2026).
 */

import { nombreImpuesto } from './impuestos.ts';
import { parseDecimal } from './money.ts';
import type { VatGroup, VatGroupVerifactu } from './vat.ts';

/** The tax that the issuer charges where it is established: the three of list L1 that we support. */
export type Impuesto = '01' | '02' | '03';

/** Kinds of customer (`grupos-contables.json`). */
export type GrupoCliente = 'NAC' | 'NACRE' | 'CAN' | 'UE' | 'UEPART' | 'EXT';

/** What a situation requires besides its codes. */
export type Requisito =
  /** A NIF-IVA found in VIES: the customer goes as IDType 02 (code 1289). */
  | 'nif-iva'
  /** A note that names the article, because the exemption has none of its own. */
  | 'articulo'
  /** A day of the operation later than that of the invoice (code 1147). */
  | 'fecha-operacion'
  /** The cost of the goods or the trip: tax is due on the margin (Ley 37/1992 arts. 137 and 145). */
  | 'coste'
  /** The rate of the customer's own State (OSS). */
  | 'tipo-destino'
  /** A series of its own (RD 1619/2012 art. 6.1.a). */
  | 'serie-aparte';

interface Codigo {
  /** VATProdPostingGroup: what a line carries as its `tax`. */
  readonly tax: string;
  /** Per cent; absent without a rate, and for taxes in the catalog. */
  readonly tipo?: number;
}

export interface Situacion {
  readonly id: string;
  /** In the words of somebody who does not know the codes. */
  readonly label: string;
  /** Its effect on the invoice, in a sentence. */
  readonly ayuda: string;
  /** Other search terms. */
  readonly palabras?: string;
  readonly impuesto: Impuesto;
  readonly clientes: readonly GrupoCliente[];
  /** The first is the usual one. */
  readonly codigos: readonly [Codigo, ...Codigo[]];
  readonly ClaveRegimen: string;
  /** `S1`, `S2`, `N1`, `N2`; null when it is exempt. */
  readonly CalificacionOperacion: string | null;
  /** `E1` to `E8`; null when it is not exempt. */
  readonly OperacionExenta: string | null;
  /** What the law requires the invoice to say. */
  readonly leyenda: string | null;
  readonly requiere: readonly Requisito[];
}

const TODOS: readonly GrupoCliente[] = ['NAC', 'NACRE', 'CAN', 'UE', 'UEPART', 'EXT'];
const EN_ESPANA: readonly GrupoCliente[] = ['NAC', 'NACRE', 'CAN'];

const ISP = 'Inversión del sujeto pasivo';
const FUERA = 'Operación no sujeta por reglas de localización';

type Codes = `${string} ${'S1' | 'S2' | 'N1' | 'N2' | `E${1 | 2 | 3 | 4 | 5 | 6 | 7 | 8}`}`;

/** `codes` is the clave de régimen and the calificación or exención: `'01 E1'`. */
function fila(
  id: string,
  impuesto: Impuesto,
  clientes: readonly GrupoCliente[],
  codes: Codes,
  taxes: string,
  rest: Pick<Situacion, 'label' | 'ayuda'> &
    Partial<Pick<Situacion, 'palabras' | 'leyenda' | 'requiere'>>,
): Situacion {
  const [clave = '', kind = ''] = codes.split(' ');
  const [first, ...more] = taxes.split(' ').map(codigoOf);
  if (!first) throw new Error(`${id} has no tax.`);
  return {
    id,
    impuesto,
    clientes,
    codigos: [first, ...more],
    ClaveRegimen: clave,
    CalificacionOperacion: kind.startsWith('E') ? null : kind,
    OperacionExenta: kind.startsWith('E') ? kind : null,
    leyenda: null,
    requiere: [],
    ...rest,
  };
}

/** `'CAJA21:21'` is a tax of our own with its rate; `'IVA21'` is one of the catalog. */
function codigoOf(text: string): Codigo {
  const [tax = '', tipo] = text.split(':');
  return tipo === undefined ? { tax } : { tax, tipo: Number(tipo) };
}

const IVA: readonly Situacion[] = [
  fila('venta-nacional', '01', ['NAC'], '01 S1', 'IVA21 IVA10 IVA4', {
    label: 'Vendo o trabajo en España',
    ayuda: 'Para un cliente de España. Lleva IVA, al 21, 10 o 4 %.',
    palabras: 'general normal nacional peninsula baleares',
  }),
  fila('recargo', '01', ['NACRE'], '01 S1', 'IVA21 IVA10 IVA4 IVA21TAB', {
    label: 'Vendo género a una tienda en recargo de equivalencia',
    ayuda: 'Lleva IVA y, aparte, el recargo de equivalencia.',
    palabras: 'minorista comercio autonomo tabaco',
  }),
  fila('recargo-servicio', '01', ['NACRE'], '01 S1', 'SERV21', {
    label: 'Presto un servicio a una tienda en recargo de equivalencia',
    ayuda: 'Lleva IVA sin recargo: el recargo es solo de las mercancías.',
    palabras: 'minorista comercio',
  }),
  fila('hecho-en-espana', '01', ['CAN', 'UE', 'UEPART', 'EXT'], '01 S1', 'IVA21 IVA10 IVA4', {
    label: 'Cliente de fuera, pero lo entrego o lo presto en Península o Baleares',
    ayuda:
      'Lleva IVA español. También los servicios corrientes a un particular de Canarias, Ceuta, Melilla o de fuera de la UE.',
    palabras: 'hotel restaurante inmueble obra evento extranjero particular',
  }),
  fila('bienes-ue', '01', ['UE'], '01 E5', 'INTRAUE', {
    label: 'Vendo mercancía a una empresa de Francia u otro país de la UE',
    ayuda:
      'Sin IVA: entrega intracomunitaria exenta. Tu cliente necesita un NIF-IVA dado de alta en VIES.',
    palabras: 'alemania italia portugal monaco intracomunitaria bienes europa 349',
    leyenda:
      'Entrega intracomunitaria exenta, artículo 25 de la Ley 37/1992 (art. 138 Directiva 2006/112/CE)',
    requiere: ['nif-iva'],
  }),
  fila('servicio-ue', '01', ['UE'], '01 N2', 'SERVUE', {
    label: 'Presto un servicio a una empresa de Francia u otro país de la UE',
    ayuda: 'Sin IVA: lo declara tu cliente en su país. Necesita un NIF-IVA dado de alta en VIES.',
    palabras: 'alemania italia portugal monaco intracomunitario consultoria software europa 349',
    leyenda: 'Inversión del sujeto pasivo (arts. 44 y 196 Directiva 2006/112/CE)',
    requiere: ['nif-iva'],
  }),
  fila('oss', '01', ['UEPART'], '17 N2', 'OSS', {
    label: 'Vendo por internet a un particular de otro país de la UE (ventanilla única, OSS)',
    ayuda: 'Lleva el IVA del país de tu cliente, que se declara en la ventanilla única.',
    palabras: 'ioss distancia tienda online ecommerce francia alemania descarga',
    leyenda: 'IVA del Estado miembro de consumo, régimen OSS',
    requiere: ['tipo-destino'],
  }),
  fila('exportacion', '01', ['EXT'], '02 E2', 'EXPORT', {
    label: 'Exporto mercancía a Reino Unido u otro país de fuera de la UE',
    ayuda: 'Sin IVA. Guarda el DUA como prueba de la salida.',
    palabras: 'estados unidos suiza marruecos bienes aduana dua',
    leyenda: 'Exportación exenta, artículo 21 de la Ley 37/1992 (art. 146 Directiva 2006/112/CE)',
  }),
  fila('servicio-exterior', '01', ['EXT'], '01 N2', 'SERVEXT', {
    label: 'Presto un servicio a una empresa de Reino Unido u otro país de fuera de la UE',
    ayuda:
      'Sin IVA: se localiza donde está tu cliente. A un particular, solo los del artículo 69.Dos: asesoría, publicidad, traducción, informática…',
    palabras: 'estados unidos suiza consultoria software',
    leyenda: `${FUERA}, artículo 69 de la Ley 37/1992`,
  }),
  fila('bienes-canarias', '01', ['CAN'], '02 E2', 'EXPORT', {
    label: 'Envío mercancía a Canarias, Ceuta o Melilla',
    ayuda: 'Sin IVA: es una exportación. Guarda el DUA como prueba de la salida.',
    palabras: 'bienes exportacion igic ipsi aduana',
    leyenda: 'Exportación exenta, artículo 21 de la Ley 37/1992',
  }),
  fila('servicio-canarias', '01', ['CAN'], '08 N2', 'SERVCAN', {
    label: 'Presto un servicio a una empresa de Canarias, Ceuta o Melilla',
    ayuda: 'Sin IVA: allí se paga IGIC o IPSI. A un particular se le cobra IVA.',
    palabras: 'igic ipsi consultoria',
    leyenda: 'Operación no sujeta a IVA por reglas de localización',
  }),
  fila('isp-obra', '01', ['NAC', 'NACRE'], '01 S2', 'ISPOBRA', {
    label: 'Inversión del sujeto pasivo: obra de construcción o rehabilitación',
    ayuda: 'Sin IVA: lo declara el promotor o contratista para el que trabajas.',
    palabras: 'reforma edificio contratista subcontrata promotor urbanizacion',
    leyenda: `${ISP} (artículo 84.Uno.2.º f) de la Ley 37/1992)`,
  }),
  fila('isp-inmueble', '01', ['NAC', 'NACRE'], '01 S2', 'ISPINM', {
    label: 'Inversión del sujeto pasivo: vendo un local o un solar a otra empresa',
    ayuda: 'Sin IVA en la factura: lo declara quien compra.',
    palabras: 'inmueble nave terreno renuncia exencion',
    leyenda: `${ISP} (artículo 84.Uno.2.º e) de la Ley 37/1992)`,
  }),
  fila('isp-residuos', '01', ['NAC', 'NACRE'], '01 S2', 'ISPRES', {
    label: 'Inversión del sujeto pasivo: chatarra y materiales de recuperación',
    ayuda: 'Sin IVA: lo declara la empresa que te los compra.',
    palabras: 'residuos reciclaje papel carton vidrio metales',
    leyenda: `${ISP} (artículo 84.Uno.2.º c) de la Ley 37/1992)`,
  }),
  fila('isp-dispositivos', '01', ['NAC', 'NACRE'], '01 S2', 'ISPTEC', {
    label: 'Inversión del sujeto pasivo: móviles, consolas, portátiles y tabletas',
    ayuda:
      'Sin IVA: lo declara quien compra, si es revendedor acreditado o la factura pasa de 10.000 €. Lleva su propia serie.',
    palabras: 'telefonos smartphone ordenadores tablets videojuegos revendedor',
    leyenda: `${ISP} (artículo 84.Uno.2.º g) de la Ley 37/1992)`,
    requiere: ['serie-aparte'],
  }),
  fila('isp-metales', '01', ['NAC', 'NACRE'], '01 S2', 'ISPMET', {
    label: 'Inversión del sujeto pasivo: plata, platino y paladio en bruto',
    ayuda:
      'Sin IVA: lo declara la empresa que te los compra. En bruto, en polvo o semilabrados. Lleva su propia serie.',
    palabras: 'metales preciosos joyeria',
    leyenda: `${ISP} (artículo 84.Uno.2.º g) de la Ley 37/1992)`,
    requiere: ['serie-aparte'],
  }),
  fila('isp', '01', ['NAC', 'NACRE'], '01 S2', 'ISP', {
    label: 'Inversión del sujeto pasivo: otros casos',
    ayuda: 'Sin IVA: lo declara tu cliente.',
    palabras: 'reverse charge articulo 84',
    leyenda: `${ISP} (art. 84.Uno.2.º Ley 37/1992)`,
  }),
  fila('oro', '01', ['NAC', 'NACRE'], '04 S2', 'ISPORO', {
    label: 'Vendo oro de inversión con IVA a otra empresa',
    ayuda: 'Sin IVA en la factura: lo declara quien compra.',
    palabras: 'lingotes renuncia exencion',
    leyenda: `${ISP} (artículo 84.Uno.2.º b) de la Ley 37/1992)`,
  }),
  fila('ensenanza', '01', TODOS, '01 E1', 'EXEENS', {
    label: 'Doy clases: enseñanza reglada o clases particulares exentas',
    ayuda: 'Exenta de IVA.',
    palabras: 'academia colegio formacion curso profesor',
    leyenda: 'Operación exenta de IVA, artículo 20.Uno.9.º y 10.º de la Ley 37/1992',
  }),
  fila('sanidad', '01', TODOS, '01 E1', 'EXESAN', {
    label: 'Atención sanitaria a personas',
    ayuda: 'Exenta de IVA.',
    palabras: 'medico dentista fisioterapeuta psicologo clinica hospital',
    leyenda: 'Operación exenta de IVA, artículo 20.Uno.2.º a 5.º de la Ley 37/1992',
  }),
  fila('vivienda', '01', TODOS, '01 E1', 'EXEVIV', {
    label: 'Alquilo una vivienda',
    ayuda: 'Exenta de IVA.',
    palabras: 'arrendamiento piso casa inquilino',
    leyenda: 'Operación exenta de IVA, artículo 20.Uno.23.º de la Ley 37/1992',
  }),
  fila('seguros-finanzas', '01', TODOS, '01 E1', 'EXEFIN', {
    label: 'Seguros y operaciones financieras',
    ayuda: 'Exenta de IVA.',
    palabras: 'comision prestamo mediador corredor intereses',
    leyenda: 'Operación exenta de IVA, artículo 20.Uno.16.º y 18.º de la Ley 37/1992',
  }),
  fila('exenta-20', '01', TODOS, '01 E1', 'EXENTO20', {
    label: 'Otra operación exenta del artículo 20',
    ayuda:
      'Exenta de IVA: servicios sociales, deporte, cultura, autores, segundas entregas de inmuebles…',
    palabras: 'asociacion museo escritor artista deporte postal',
    leyenda: 'Operación exenta de IVA, artículo 20 de la Ley 37/1992',
  }),
  fila('exenta-22', '01', TODOS, '02 E3', 'EXENTO22', {
    label: 'Buques, aviones y diplomáticos (asimiladas a exportación)',
    ayuda: 'Exenta de IVA.',
    palabras: 'barco aeronave embajada transporte internacional',
    leyenda: 'Operación exenta de IVA, artículo 22 de la Ley 37/1992',
  }),
  fila('exenta-24', '01', TODOS, '01 E4', 'EXENTO24', {
    label: 'Zonas francas y depósitos aduaneros',
    ayuda: 'Exenta de IVA.',
    palabras: 'aduana deposito',
    leyenda: 'Operación exenta de IVA, artículos 23 y 24 de la Ley 37/1992',
  }),
  fila('exenta-otra', '01', TODOS, '01 E6', 'EXENTOOTR', {
    label: 'Exenta por otro artículo',
    ayuda: 'Exenta de IVA. Escribe el artículo en «Notas».',
    leyenda: 'Operación exenta de IVA',
    requiere: ['articulo'],
  }),
  fila('no-sujeta', '01', TODOS, '01 N1', 'NOSUJETO', {
    label: 'Indemnización, traspaso del negocio, muestras: no lleva IVA',
    ayuda: 'Operación no sujeta.',
    palabras: 'transmision unidad economica publicidad articulo 7',
    leyenda: 'Operación no sujeta a IVA',
  }),
  fila('donativo', '01', ['NAC'], '01 S1', 'IVA0', {
    label: 'Dono bienes a una entidad sin fines lucrativos',
    ayuda: 'IVA al 0 %.',
    palabras: 'ong fundacion donacion ley 49/2002',
  }),
  fila(
    'caja',
    '01',
    ['NAC', 'CAN', 'UE', 'UEPART', 'EXT'],
    '07 S1',
    'CAJA21:21 CAJA10:10 CAJA4:4',
    {
      label: 'Estoy en el criterio de caja',
      ayuda: 'Lleva IVA, que se declara cuando cobras. La factura lo dice.',
      palabras: 'recc cobro',
      leyenda: 'Régimen especial del criterio de caja',
    },
  ),
  fila('rebu', '01', TODOS, '03 S1', 'REBU21:21 REBU10:10 REBU4:4', {
    label: 'Vendo bienes usados (REBU)',
    ayuda: 'El IVA va dentro del precio, sobre lo que ganas. La factura no lo muestra.',
    palabras: 'segunda mano coche vehiculo ocasion compraventa margen',
    leyenda: 'Régimen especial de los bienes usados',
    requiere: ['coste'],
  }),
  fila('rebu-arte', '01', TODOS, '03 S1', 'REBUART:21', {
    label: 'Vendo objetos de arte (REBU)',
    ayuda: 'El IVA va dentro del precio, sobre lo que ganas. La factura no lo muestra.',
    palabras: 'cuadro galeria margen',
    leyenda: 'Régimen especial de los objetos de arte',
    requiere: ['coste'],
  }),
  fila('rebu-antiguedades', '01', TODOS, '03 S1', 'REBUANT:21', {
    label: 'Vendo antigüedades y objetos de colección (REBU)',
    ayuda: 'El IVA va dentro del precio, sobre lo que ganas. La factura no lo muestra.',
    palabras: 'anticuario sellos monedas margen',
    leyenda: 'Régimen especial de las antigüedades y objetos de colección',
    requiere: ['coste'],
  }),
  fila('agencia', '01', TODOS, '05 S1', 'AGENCIA21:21', {
    label: 'Soy agencia de viajes y vendo un viaje en mi nombre',
    ayuda: 'El IVA va dentro del precio, sobre lo que ganas. La factura no lo muestra.',
    palabras: 'turismo paquete margen',
    leyenda: 'Régimen especial de las agencias de viajes',
    requiere: ['coste'],
  }),
  fila('agencia-mediadora', '01', TODOS, '09 S1', 'AGENMED10:10 AGENMED21:21', {
    label: 'Soy agencia de viajes y facturo billetes u hoteles en nombre de otro (mediadora)',
    ayuda:
      'Lleva el IVA del servicio. La factura la haces tú, con su propia serie, y dice qué billetes o reservas son.',
    palabras: 'turismo transporte avion tren intermediaria disposicion adicional cuarta',
    leyenda:
      'Factura expedida al amparo de la disposición adicional cuarta del Real Decreto 1619/2012',
    requiere: ['serie-aparte'],
  }),
  fila('alquiler-local', '01', ['NAC'], '11 S1', 'ALQLOCAL:21', {
    label: 'Alquilo un local de negocio',
    ayuda: 'IVA al 21 %. Si el inquilino es empresa, suele llevar retención.',
    palabras: 'arrendamiento oficina nave inquilino',
  }),
  fila('obra-publica', '01', ['NAC'], '14 S1', 'OBRAPUB21:21 OBRAPUB10:10', {
    label: 'Certificación de obra a una Administración pública',
    ayuda: 'Lleva IVA, que se declara al cobrarla: di el día previsto en «Fecha de operación».',
    palabras: 'ayuntamiento ministerio devengo pendiente',
    requiere: ['fecha-operacion'],
  }),
  fila(
    'tracto-sucesivo',
    '01',
    ['NAC', 'CAN', 'UE', 'UEPART', 'EXT'],
    '15 S1',
    'TRACTO21:21 TRACTO10:10 TRACTO4:4',
    {
      label: 'Cuota de un contrato que todavía no vence (tracto sucesivo)',
      ayuda: 'Lleva IVA, que se declara al vencer: di el día en «Fecha de operación».',
      palabras: 'suministro alquiler mantenimiento anticipada devengo pendiente',
    },
  ),
  fila('cobro-terceros', '01', ['NAC'], '10 N1', 'COBROTERC', {
    label: 'Cobro honorarios o derechos por cuenta de socios o colegiados',
    ayuda: 'No lleva IVA: no es venta tuya.',
    palabras: 'colegio asociacion autor propiedad industrial',
    leyenda: 'Cobro por cuenta de terceros, operación no sujeta',
  }),
  fila('modulos', '01', ['NAC'], '20 S1', 'MODULOS21:21 MODULOS10:10 MODULOS4:4', {
    label: 'Estoy en el régimen simplificado (módulos)',
    ayuda: 'Lleva IVA, con la clave del régimen simplificado.',
    palabras: 'estimacion objetiva',
  }),
  fila(
    'minorista-emisor',
    '01',
    ['NAC', 'UEPART', 'EXT'],
    '18 S1',
    'MINOR21:21 MINOR10:10 MINOR4:4',
    {
      label: 'Soy comercio minorista en recargo de equivalencia',
      ayuda: 'Lleva IVA, con la clave de tu régimen.',
      palabras: 'tienda autonomo',
    },
  ),
];

const IGIC: readonly Situacion[] = [
  fila('igic', '03', TODOS, '01 S1', 'IGIC7 IGIC3 IGIC0 IGIC5 IGIC9.5 IGIC15 IGIC20', {
    label: 'Vendo o trabajo en Canarias',
    ayuda: 'Lleva IGIC. También los servicios corrientes a un particular de fuera.',
    palabras: 'general normal particular',
  }),
  fila('igic-exportacion', '03', TODOS, '02 E2', 'IGICEXP', {
    label: 'Envío mercancía fuera de Canarias: Península, UE o el extranjero',
    ayuda: 'Sin IGIC. Guarda el DUA como prueba de la salida.',
    palabras: 'exporto bienes francia reino unido aduana',
    leyenda: 'Exportación exenta de IGIC, artículo 11 de la Ley 20/1991',
  }),
  fila('igic-asimilada', '03', TODOS, '02 E3', 'IGICASI', {
    label: 'Buques, aviones y diplomáticos (asimiladas a exportación)',
    ayuda: 'Exenta de IGIC.',
    palabras: 'barco aeronave transporte internacional',
    leyenda: 'Operación exenta de IGIC, artículo 12 de la Ley 20/1991',
  }),
  fila('igic-servicio-peninsula', '03', ['NAC', 'NACRE', 'CAN'], '08 N2', 'IGICSPEN', {
    label: 'Presto un servicio a una empresa de Península o Baleares',
    ayuda: 'Sin IGIC: allí se paga IVA, que declara tu cliente. A un particular se le cobra IGIC.',
    palabras: 'consultoria software madrid',
    leyenda: `${FUERA}. ${ISP}`,
  }),
  fila('igic-servicio-ceuta', '03', ['CAN'], '20 N2', 'IGICSCM', {
    label: 'Presto un servicio a una empresa de Ceuta o Melilla',
    ayuda: 'Sin IGIC: allí se paga IPSI. A un particular se le cobra IGIC.',
    leyenda: FUERA,
  }),
  fila('igic-servicio-ue', '03', ['UE'], '01 N2', 'IGICSEXT', {
    label: 'Presto un servicio a una empresa de la UE',
    ayuda: 'Sin IGIC: se localiza donde está tu cliente, que declara allí el IVA.',
    palabras: 'francia alemania consultoria software',
    leyenda: `${FUERA}. ${ISP}`,
  }),
  fila('igic-servicio-exterior', '03', ['UEPART', 'EXT'], '01 N2', 'IGICSEXT', {
    label: 'Presto un servicio que se localiza en el extranjero, donde está tu cliente',
    ayuda:
      'Sin IGIC, a una empresa. A un particular, solo si se localiza fuera por ley, como la asesoría o la publicidad a quien vive fuera de la UE; los demás llevan IGIC.',
    palabras: 'francia alemania reino unido consultoria software',
    leyenda: FUERA,
  }),
  fila('igic-isp', '03', EN_ESPANA, '01 S2', 'IGICISP', {
    label: 'Inversión del sujeto pasivo: obra y otros casos',
    ayuda: 'Sin IGIC: lo declara tu cliente.',
    palabras: 'construccion contratista inmueble',
    leyenda: `${ISP} (artículo 19.1.2.º de la Ley 20/1991)`,
  }),
  fila('igic-exenta', '03', TODOS, '01 E1', 'IGICEX', {
    label: 'Operación exenta: sanidad, enseñanza, vivienda, seguros…',
    ayuda: 'Exenta de IGIC.',
    palabras: 'medico clases alquiler',
    leyenda: 'Operación exenta de IGIC',
  }),
  fila('igic-pequeno', '03', TODOS, '18 E7', 'IGICPEQ', {
    label: 'Soy pequeño empresario o profesional (exento de IGIC)',
    ayuda: 'Exenta de IGIC por tu régimen.',
    palabras: 'repep autonomo',
    leyenda: 'Operación exenta de IGIC, régimen especial del pequeño empresario o profesional',
  }),
  fila('igic-minorista', '03', TODOS, '17 E1', 'IGICMIN', {
    label: 'Soy comerciante minorista (exento de IGIC)',
    ayuda: 'Exenta de IGIC por tu régimen.',
    palabras: 'tienda',
    leyenda: 'Operación exenta de IGIC, comerciante minorista',
  }),
  fila('igic-inversion', '03', EN_ESPANA, '19 E5', 'IGICINV', {
    label: 'Vendo bienes de inversión a una empresa de Canarias (Ley 19/1994, art. 25)',
    ayuda: 'Exenta de IGIC.',
    palabras: 'incentivo ref',
    leyenda: 'Operación exenta de IGIC, artículo 25 de la Ley 19/1994',
  }),
  fila('igic-zec', '03', EN_ESPANA, '01 E6', 'IGICZEC', {
    label: 'Operación entre entidades de la Zona Especial Canaria',
    ayuda: 'Exenta de IGIC.',
    palabras: 'zec',
    leyenda: 'Operación exenta de IGIC, artículo 47 de la Ley 19/1994',
  }),
  fila('igic-no-sujeta', '03', TODOS, '01 N1', 'IGICNS', {
    label: 'Indemnización, traspaso del negocio, muestras: no lleva IGIC',
    ayuda: 'Operación no sujeta.',
    leyenda: 'Operación no sujeta a IGIC',
  }),
  fila('igic-caja', '03', TODOS, '07 S1', 'IGICCAJA7:7 IGICCAJA3:3', {
    label: 'Estoy en el criterio de caja',
    ayuda: 'Lleva IGIC, que se declara cuando cobras.',
    leyenda: 'Régimen especial del criterio de caja',
  }),
  fila('igic-rebu', '03', TODOS, '03 S1', 'IGICREBU7:7', {
    label: 'Vendo bienes usados (REBU)',
    ayuda: 'El IGIC va dentro del precio, sobre lo que ganas. La factura no lo muestra.',
    palabras: 'segunda mano coche margen',
    leyenda: 'Régimen especial de los bienes usados',
    requiere: ['coste'],
  }),
  fila('igic-agencia', '03', TODOS, '05 S1', 'IGICAGEN7:7', {
    label: 'Soy agencia de viajes y vendo un viaje en mi nombre',
    ayuda: 'El IGIC va dentro del precio, sobre lo que ganas. La factura no lo muestra.',
    palabras: 'turismo paquete margen',
    leyenda: 'Régimen especial de las agencias de viajes',
    requiere: ['coste'],
  }),
];

const IPSI: readonly Situacion[] = [
  fila('ipsi', '02', TODOS, '01 S1', 'IPSI0.5 IPSI1 IPSI2 IPSI4 IPSI8 IPSI10', {
    label: 'Vendo o trabajo en Ceuta o Melilla',
    ayuda: 'Lleva IPSI. También los servicios corrientes a un particular de fuera.',
    palabras: 'general normal particular',
  }),
  fila('ipsi-exportacion', '02', TODOS, '01 E2', 'IPSIEXP', {
    label: 'Envío mercancía fuera de Ceuta o Melilla',
    ayuda: 'Sin IPSI. Guarda el DUA como prueba de la salida.',
    palabras: 'exporto bienes peninsula francia reino unido aduana',
    leyenda: 'Exportación exenta de IPSI, artículo 8 de la Ley 8/1991',
  }),
  fila('ipsi-servicio-peninsula', '02', EN_ESPANA, '08 N2', 'IPSISPEN', {
    label: 'Presto un servicio a una empresa de Península, Baleares o Canarias',
    ayuda:
      'Sin IPSI: allí se paga IVA o IGIC, que declara tu cliente. A un particular se le cobra IPSI.',
    palabras: 'consultoria software',
    leyenda: `${FUERA}. ${ISP}`,
  }),
  fila('ipsi-servicio-ue', '02', ['UE'], '01 N2', 'IPSISEXT', {
    label: 'Presto un servicio a una empresa de la UE',
    ayuda: 'Sin IPSI: se localiza donde está tu cliente, que declara allí el IVA.',
    palabras: 'francia alemania consultoria software',
    leyenda: `${FUERA}. ${ISP}`,
  }),
  fila('ipsi-servicio-exterior', '02', ['UEPART', 'EXT'], '01 N2', 'IPSISEXT', {
    label: 'Presto un servicio que se localiza en el extranjero, donde está tu cliente',
    ayuda:
      'Sin IPSI, a una empresa. A un particular, solo si se localiza fuera por ley, como la asesoría o la publicidad a quien vive fuera de la UE; los demás llevan IPSI.',
    palabras: 'francia reino unido marruecos consultoria software',
    leyenda: FUERA,
  }),
  fila('ipsi-isp', '02', EN_ESPANA, '01 S2', 'IPSIISP', {
    label: 'Inversión del sujeto pasivo',
    ayuda: 'Sin IPSI: lo declara tu cliente.',
    palabras: 'construccion obra contratista',
    leyenda: ISP,
  }),
  fila('ipsi-exenta', '02', TODOS, '01 E1', 'IPSIEX', {
    label: 'Operación exenta: sanidad, enseñanza, vivienda, seguros…',
    ayuda: 'Exenta de IPSI.',
    palabras: 'medico clases alquiler',
    leyenda: 'Operación exenta de IPSI, artículo 7 de la Ley 8/1991',
  }),
  fila('ipsi-no-sujeta', '02', TODOS, '01 N1', 'IPSINS', {
    label: 'Indemnización, traspaso del negocio, muestras: no lleva IPSI',
    ayuda: 'Operación no sujeta.',
    leyenda: 'Operación no sujeta a IPSI',
  }),
];

/** All situations. */
export const SITUACIONES: readonly Situacion[] = [...IVA, ...IGIC, ...IPSI];

const byTax = new Map<string, Situacion>(
  SITUACIONES.flatMap((situacion) =>
    situacion.codigos.flatMap(({ tax }) =>
      situacion.clientes.map((cliente) => [`${tax} ${cliente}`, situacion] as const),
    ),
  ),
);

/** The situation of a line's tax for a kind of customer; undefined for codes chosen by hand. */
export function situacionDe(tax: string, typeClient: string): Situacion | undefined {
  return byTax.get(`${tax} ${typeClient}`);
}

/** D.A. 4.ª of RD 1619/2012: what travel agencies invoice as intermediaries. */
const MEDIADORA = '09';

const SERIE_APARTE: ReadonlyMap<string, 'G' | 'M'> = new Map(
  SITUACIONES.filter(({ requiere }) => requiere.includes('serie-aparte')).flatMap(
    ({ codigos, ClaveRegimen }) =>
      codigos.map(({ tax }) => [tax, ClaveRegimen === MEDIADORA ? 'M' : 'G'] as const),
  ),
);

/**
 * The separate series that the law requires for the content of a line: `G`, art. 84.Uno.2.º g) of Ley 37/1992 (RD
 * 1619/2012 art. 6.1.a); `M`, travel agencies as intermediaries (D.A. 4.ª). Null for the ordinary one.
 *
 * @param claveRegimen the one chosen for the whole invoice
 */
export function serieAparteOf(tax: string, claveRegimen: string): 'G' | 'M' | null {
  const own = SERIE_APARTE.get(tax);
  if (own) return own;
  const clave = codigosOfTax(tax)?.ClaveRegimen ?? '01';
  return claveRegimen === MEDIADORA || clave === MEDIADORA ? 'M' : null;
}

/** Telephones, consoles, laptops and tablets: art. 84.Uno.2.º g), last two dashes. */
export const TAX_DISPOSITIVOS = 'ISPTEC';

/** An ordinary sale, with nothing about its tax to explain. */
export function isOrdinary({
  ClaveRegimen,
  CalificacionOperacion,
}: Pick<Situacion, 'ClaveRegimen' | 'CalificacionOperacion'>): boolean {
  return ClaveRegimen === '01' && CalificacionOperacion === 'S1';
}

export function situacionById(id: string): Situacion | undefined {
  return SITUACIONES.find((situacion) => situacion.id === id);
}

/** The taxes that the situations add to the rates of a catalog. */
export function gruposDeSituaciones(impuesto: Impuesto): VatGroup[] {
  return SITUACIONES.filter((situacion) => situacion.impuesto === impuesto).flatMap((situacion) =>
    situacion.codigos
      .filter(({ tipo }) => situacion.CalificacionOperacion !== 'S1' || tipo !== undefined)
      .flatMap(({ tax, tipo }) =>
        situacion.clientes.map((cliente) => grupoOf(situacion, tax, tipo ?? 0, cliente)),
      ),
  );
}

function grupoOf(situacion: Situacion, tax: string, tipo: number, cliente: GrupoCliente): VatGroup {
  const { ClaveRegimen, CalificacionOperacion, OperacionExenta, requiere, codigos } = situacion;
  const rate = codigos.length > 1 ? ` (${percentEs(tipo)} %)` : '';
  return {
    VATProdPostingGroup: tax,
    VATBusPostingGroup: cliente,
    VATCalculationType: calculation(CalificacionOperacion),
    VATPercentage: tipo,
    Description: situacion.label + rate,
    RecargoEquivalencia: null,
    leyenda: situacion.leyenda,
    verifactu: {
      Impuesto: situacion.impuesto,
      CalificacionOperacion,
      OperacionExenta,
      ClaveRegimen,
    },
    ...(requiere.includes('nif-iva') && { requiereVies: true }),
    ...(requiere.includes('articulo') && { requiereTexto: true }),
  };
}

function calculation(CalificacionOperacion: string | null): string {
  if (CalificacionOperacion === 'S1') return 'Normal';
  return CalificacionOperacion === 'S2' ? 'Reverse Charge VAT' : 'No Taxable VAT';
}

function percentEs(percent: number): string {
  return String(percent).replace('.', ',');
}

/** Codes chosen by hand, by users who know them, stored as the `tax` of a line: `01/07/S1/21`. */
export interface Codigos {
  readonly Impuesto: Impuesto;
  readonly ClaveRegimen: string;
  /** `S1`, `S2`, `N1`, `N2`, or `E1` to `E8`. */
  readonly calificacion: string;
  /** Per cent; only with S1. */
  readonly tipo: string;
  /** Per cent of recargo de equivalencia; empty without. */
  readonly recargo: string;
}

const CODIGOS =
  /^(0[123])\/(\d\d)\/(S[12]|N[12]|E[1-8])(?:\/(\d{1,2}(?:\.\d{1,2})?))?(?:\/(\d{1,2}(?:\.\d{1,2})?))?$/;

/**
 * The `tax` of a line for those codes. Only S1 has rates, where an absent one means 0 %: `01/07/S1/21`, with recargo
 * `01/18/S1/21/5.2`, without rates `01/02/E2`.
 */
export function taxOfCodigos({
  Impuesto,
  ClaveRegimen,
  calificacion,
  tipo,
  recargo,
}: Codigos): string {
  const rates = calificacion === 'S1' ? [tipo || '0', ...(recargo ? [recargo] : [])] : [];
  return [Impuesto, ClaveRegimen, calificacion, ...rates].join('/');
}

/** The inverse. Null for the code of a tax of the catalog, and when S1 lacks its rate or another code has one. */
export function codigosOfTax(tax: string): Codigos | null {
  const match = CODIGOS.exec(tax);
  if (!match) return null;
  const [, Impuesto = '', ClaveRegimen = '', calificacion = '', tipo = '', recargo = ''] = match;
  if ((calificacion === 'S1') === (tipo === '')) return null;
  return { Impuesto: Impuesto as Impuesto, ClaveRegimen, calificacion, tipo, recargo };
}

/** Mentions that follow from the codes alone (RD 1619/2012 art. 6.1.j to p). */
const LEYENDA_DE_CLAVE: Readonly<Record<string, string>> = {
  '03': 'Régimen especial de los bienes usados',
  '05': 'Régimen especial de las agencias de viajes',
  '07': 'Régimen especial del criterio de caja',
  '09': 'Factura expedida al amparo de la disposición adicional cuarta del Real Decreto 1619/2012',
};

/** The tax made by codes chosen by hand, for any kind of customer; undefined for other texts. */
export function grupoDeCodigos(tax: string, typeClient: string): VatGroup | undefined {
  const codigos = codigosOfTax(tax);
  if (!codigos) return undefined;
  const { Impuesto, ClaveRegimen, calificacion, tipo, recargo } = codigos;
  const isExempt = calificacion.startsWith('E');
  const percents = [tipo, recargo].filter(Boolean).map((text) => `${text.replace('.', ',')} %`);
  return {
    VATProdPostingGroup: tax,
    VATBusPostingGroup: typeClient,
    VATCalculationType: calculation(isExempt ? null : calificacion),
    VATPercentage: Number(tipo || '0'),
    Description: [`Clave ${ClaveRegimen}, ${calificacion}`, ...percents].join(' · '),
    RecargoEquivalencia: recargo ? Number(recargo) : null,
    leyenda: leyendaOf(codigos, typeClient),
    verifactu: {
      Impuesto,
      ClaveRegimen,
      CalificacionOperacion: isExempt ? null : calificacion,
      OperacionExenta: isExempt ? calificacion : null,
    },
  };
}

function leyendaOf(
  { Impuesto: impuesto, ClaveRegimen: clave, calificacion }: Codigos,
  typeClient: string,
): string | null {
  const regime = LEYENDA_DE_CLAVE[clave];
  if (regime && impuesto !== '02') return regime; // IPSI has no special regimes.
  const rows = SITUACIONES.filter(
    (row) =>
      row.impuesto === impuesto &&
      row.ClaveRegimen === clave &&
      (row.CalificacionOperacion ?? row.OperacionExenta) === calificacion,
  );
  // A business of the Union declares the tax itself, and the invoice says so (RD 1619/2012 art. 6.1.m).
  if (typeClient === 'UE' && calificacion === 'N2') {
    const toUnion = rows.find(({ clientes }) => clientes.includes('UE'));
    if (toUnion) return toUnion.leyenda;
  }
  // An exemption of IVA has the mention of its situation, except those of article 20, which has one for each of its
  // sections; everything else, the minimum that the law requires.
  const [known] = rows;
  if (known?.OperacionExenta && impuesto === '01' && calificacion !== 'E1') return known.leyenda;
  if (calificacion.startsWith('E')) return `Operación exenta de ${nombreImpuesto(impuesto)}`;
  if (calificacion === 'S2') return ISP;
  return calificacion === 'S1' ? null : `Operación no sujeta a ${nombreImpuesto(impuesto)}`;
}

/** Claves whose invoice may precede its operation (AEAT, validations 1.2.2, codes 1146 and 1173). */
export const CLAVES_ANTICIPADAS: readonly string[] = ['14', '15'];

type CodigosDeLinea = Omit<VatGroupVerifactu, 'OperacionExenta'>;

/**
 * Whether the base is the margin and the price includes the tax: 03 REBU and 05 travel agencies, in the lists of IVA
 * and IGIC (L8A and L8B); IPSI has neither.
 */
export function isMargen({
  Impuesto,
  ClaveRegimen,
  CalificacionOperacion,
}: CodigosDeLinea): boolean {
  const isKey = ClaveRegimen === '03' || ClaveRegimen === '05';
  return isKey && Impuesto !== '02' && CalificacionOperacion === 'S1';
}

/**
 * Claves whose regime changes what is charged or what the invoice must say (lists L8A and L8B): REBU, travel
 * agencies, cash basis, agencies as intermediaries, OSS; for IGIC, 17 is retailers. Under another clave their lines
 * would lose it.
 */
const CLAVES_CON_REGIMEN: readonly string[] = ['03', '05', '07', '09', '17'];

/** Whether a clave chosen for the whole invoice takes away the regime of a line. */
export function isRegimenPerdido({ ClaveRegimen }: CodigosDeLinea, chosen: string): boolean {
  return CLAVES_CON_REGIMEN.includes(ClaveRegimen) && chosen !== ClaveRegimen;
}

/** Whether the tax is another State's (OSS): 17 of IVA; for IGIC, 17 is retailers. */
export function isOss({ Impuesto, ClaveRegimen, CalificacionOperacion }: CodigosDeLinea): boolean {
  return Impuesto === '01' && ClaveRegimen === '17' && CalificacionOperacion === 'N2';
}

/**
 * Standard VAT rates of the other Member States, in per cent, as of December 2025; Monaco's is that of France. Only a
 * proposal for OSS, which the user may change, e.g. to a reduced rate.
 */
export const TIPO_GENERAL_UE: Readonly<Record<string, number>> = {
  AT: 20,
  BE: 21,
  BG: 20,
  CY: 19,
  CZ: 21,
  DE: 19,
  DK: 25,
  EE: 24,
  FI: 25.5,
  FR: 20,
  GR: 24,
  HR: 25,
  HU: 27,
  IE: 23,
  IT: 22,
  LT: 21,
  LU: 17,
  LV: 21,
  MC: 20,
  MT: 18,
  NL: 21,
  PL: 23,
  PT: 23,
  RO: 21,
  SE: 25,
  SI: 22,
  SK: 23,
};

/** Whether the text is a percentage that a line may have as the rate of the destination. */
export function isTipoDestino(text: string | number | undefined): boolean {
  const bps = text === undefined || text === '' ? null : parseDecimal(text, 2);
  return bps !== null && bps > 0n && bps <= 3_000n;
}
