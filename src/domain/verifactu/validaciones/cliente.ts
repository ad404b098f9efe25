import { paisOf } from '../../catalogs/catalogs.ts';
import { fechaEs } from '../../dates.ts';
import { nombreImpuesto } from '../../impuestos.ts';
import type { ClienteEmitido, IdOtro } from '../../invoice.ts';
import { checkNif, nifKind } from '../../nif.ts';
import { checkNifIva, isUnionForVat, matchNifIva } from '../../nif-iva.ts';
import { territoryOf } from '../../postal-code.ts';
import type { VatGroup } from '../../vat.ts';
import {
  type Caso,
  faltan,
  type Hallazgo,
  needsCliente,
  porDesglose,
  type Regla,
  si,
} from './regla.ts';

const CAMPO = 'invoiceClient';
/** A NIF-IVA of the United Kingdom, as they were while it had them. */
const GB = /^GB(\w{5}|\w{9}|\w{12})$/;
const NACIONALES = ['NAC', 'NACRE', 'CAN'];

/** Rules about the recipient of the invoice (block Destinatarios). */
export const CLIENTE: readonly Regla[] = [
  {
    // Checked here so that the form shows it in place: saving and registering answer 404.
    id: 'cliente-inexistente',
    documento: 'huella',
    fuente: 'Nuestra: el cliente es uno de los de la empresa',
    gravedad: 'bloquea',
    busca: ({ cliente, draft }) =>
      si(cliente === null && draft.invoiceClient !== '', CAMPO, () =>
        noSuchCustomer(draft.invoiceClient),
      ),
  },
  {
    id: 'sin-cliente',
    documento: 'validaciones',
    fuente: 'Destinatarios; RD 1619/2012 art. 6.1.c',
    codigo: '1189',
    gravedad: 'bloquea',
    busca: (caso) =>
      si(
        needsCliente(caso) && caso.cliente === null && caso.draft.invoiceClient === '',
        CAMPO,
        () =>
          caso.tipoFactura === 'F1'
            ? 'Elige el cliente de la factura. Si no lo conoces, puedes hacer una factura simplificada.'
            : 'Elige el cliente de la factura.',
      ),
  },
  {
    id: 'cliente-incompleto',
    documento: 'facturacion',
    fuente: 'RD 1619/2012 art. 6.1.c, d y e',
    gravedad: 'bloquea',
    busca: conCliente((cliente) => {
      const isSpanish = cliente.countryCode === 'ES';
      const missing = faltan([
        [cliente.nombre, 'el nombre'],
        [idOf(cliente), isSpanish ? 'el NIF' : 'su número de identificación'],
        [cliente.direccion, 'la dirección'],
      ]);
      return si(
        missing !== '',
        CAMPO,
        () =>
          `En la ficha de ${cliente.nombre || 'este cliente'} ${missing}. Complétala para registrar la factura.`,
      );
    }),
  },
  {
    id: 'cliente-sin-correo',
    documento: 'huella',
    fuente: 'Nuestra: «Registrar y enviar al cliente» lleva el PDF a su correo',
    gravedad: 'bloquea',
    busca: (caso) => {
      const { enviarA, cliente, draft } = caso;
      const hasNobody = !needsCliente(caso) && draft.invoiceClient === '';
      return si(enviarA === '' && (cliente !== null || hasNobody), CAMPO, () =>
        cliente
          ? `${cliente.nombre} no tiene correo. Escríbelo en su ficha, o registra la factura sin enviarla.`
          : 'Sin cliente no hay a quién enviar la factura. Elígelo, o regístrala sin enviarla.',
      );
    },
  },
  {
    // Measured: the code of the header's section, in the line, with «bloque Destinatario».
    id: 'cliente-nif',
    documento: 'validaciones',
    fuente: 'Destinatarios',
    codigo: '4109',
    gravedad: 'bloquea',
    busca: conCliente(({ nif, nombre }) => {
      const check = nif ? checkNif(nif) : null;
      return check && !check.ok
        ? [{ campo: CAMPO, mensaje: `${check.mensaje} Corrígelo en la ficha de ${nombre}.` }]
        : [];
    }),
  },
  {
    id: 'cliente-nif-inusual',
    documento: 'nif',
    fuente: 'Orden EHA/451/2008',
    gravedad: 'avisa',
    busca: conCliente(({ nif, nombre }) => {
      const check = nif ? checkNif(nif) : null;
      const aviso = check?.ok ? check.aviso : undefined;
      return si(
        aviso !== undefined,
        CAMPO,
        () =>
          `${aviso} Si no lo está, la AEAT rechazará la factura: corrígelo en la ficha de ${nombre}.`,
      );
    }),
  },
  {
    id: 'cliente-uno-mismo',
    documento: 'validaciones',
    fuente: 'Destinatarios (autoconsumo)',
    gravedad: 'avisa',
    busca: conCliente(({ nif }, { emisor }) =>
      si(
        nif !== null && nif === emisor.nif,
        CAMPO,
        () =>
          'El NIF del cliente es el de tu propia empresa. Solo cabe en un autoconsumo: comprueba que no te has confundido de cliente.',
      ),
    ),
  },
  {
    id: 'nif-iva-estructura',
    documento: 'validaciones',
    fuente: 'Destinatarios (IDType 02)',
    codigo: '1103',
    gravedad: 'bloquea',
    busca: conCliente((cliente) => nifIvaProblem(cliente, { hasStructure: false })),
  },
  {
    // It cannot be in VIES: no number with wrong check digits is.
    id: 'nif-iva-control',
    documento: 'validaciones',
    fuente: 'Destinatarios (IDType 02)',
    codigo: '1121',
    gravedad: 'bloquea',
    busca: conCliente((cliente) => nifIvaProblem(cliente, { hasStructure: true })),
  },
  {
    id: 'nif-iva-gb',
    documento: 'validaciones',
    fuente: 'Destinatarios (IDType 02)',
    codigo: '1255',
    gravedad: 'bloquea',
    busca: conCliente(({ idOtro, nombre }, { devengo }) =>
      si(
        idOtro?.IDType === '02' && GB.test(idOtro.ID) && devengo >= '2021-02-01',
        CAMPO,
        () =>
          `Los NIF-IVA del Reino Unido dejaron de valer el ${fechaEs('2021-02-01')}. En la ficha de ${nombre}, identifícalo con el documento de su país.`,
      ),
    ),
  },
  {
    id: 'nif-iva-xi',
    documento: 'validaciones',
    fuente: 'Destinatarios (IDType 02)',
    codigo: '1254',
    gravedad: 'bloquea',
    busca: conCliente(({ idOtro }, { devengo }) =>
      si(
        isOfNorthernIreland(idOtro) && devengo < '2021-01-01',
        CAMPO,
        () =>
          `Los NIF-IVA de Irlanda del Norte (XI) valen desde el ${fechaEs('2021-01-01')}, y la operación es anterior. Revisa la «Fecha de operación».`,
      ),
    ),
  },
  {
    id: 'documento-sin-pais',
    documento: 'validaciones',
    fuente: 'Destinatarios (IDOtro)',
    codigo: '1111',
    gravedad: 'bloquea',
    busca: conCliente(({ idOtro, nombre }) =>
      si(
        idOtro !== null && idOtro.IDType !== '02' && !idOtro.CodigoPais,
        CAMPO,
        () =>
          `El documento de ${nombre} tiene que decir de qué país es. Elige el país en su ficha.`,
      ),
    ),
  },
  {
    id: 'documento-espanol',
    documento: 'validaciones',
    fuente: 'Destinatarios (IDOtro)',
    codigo: '1126',
    gravedad: 'bloquea',
    busca: conCliente(({ idOtro, nombre }) =>
      si(
        idOtro !== null &&
          ((idOtro.CodigoPais === 'ES' && !['03', '07'].includes(idOtro.IDType)) ||
            (idOtro.IDType === '07' && Boolean(idOtro.CodigoPais) && idOtro.CodigoPais !== 'ES')),
        CAMPO,
        () =>
          `${nombre} está en España: se identifica con su NIF, con su pasaporte o como no censado, y solo un español puede ser no censado. Corrígelo en su ficha.`,
      ),
    ),
  },
  {
    id: 'no-censado-nif',
    documento: 'validaciones',
    fuente: 'Destinatarios (IDType 07)',
    codigo: '1290',
    gravedad: 'bloquea',
    busca: conCliente(({ idOtro, nombre }) =>
      si(
        idOtro?.IDType === '07' && idOtro.CodigoPais === 'ES' && !checkNif(idOtro.ID).ok,
        CAMPO,
        () =>
          `El NIF de ${nombre} no es correcto: aunque no esté en el censo, su letra ha de cuadrar. Corrígelo en su ficha.`,
      ),
    ),
  },
  {
    id: 'no-censado-persona',
    documento: 'validaciones',
    fuente: 'Destinatarios (IDType 07)',
    codigo: '1131',
    gravedad: 'bloquea',
    busca: conCliente(({ idOtro, nombre }) =>
      si(
        idOtro?.IDType === '07' &&
          idOtro.CodigoPais === 'ES' &&
          checkNif(idOtro.ID).ok &&
          nifKind(idOtro.ID) === 'entidad',
        CAMPO,
        () =>
          `Solo una persona física puede ir como no censada y ${nombre} es una entidad. Pon su NIF en su ficha.`,
      ),
    ),
  },
  {
    id: 'intracomunitaria-con-nif',
    documento: 'validaciones',
    fuente: 'Desglose (OperacionExenta E5)',
    codigo: '1289',
    gravedad: 'bloquea',
    busca: conCliente(({ nif, nombre }, caso) =>
      porDesglose(
        caso,
        ({ Impuesto, OperacionExenta }) =>
          Impuesto === '01' && OperacionExenta === 'E5' && nif !== null,
        () =>
          `Una entrega intracomunitaria exenta va a un NIF-IVA de otro país, y ${nombre} tiene NIF español. Escribe en su ficha su NIF-IVA, o cobra IVA.`,
        { pointsAt: 'tax' },
      ),
    ),
  },
  {
    id: 'sin-nif-iva',
    documento: 'iva',
    fuente: 'Ley 37/1992 art. 25',
    gravedad: 'bloquea',
    busca: conCliente((cliente, { totals }) =>
      totals.lines.flatMap(({ group, tax }, index) =>
        si(
          asksNifIva(group) &&
            cliente.idOtro?.IDType !== '02' &&
            !(cliente.nif !== null && isIntracomunitaria(group)),
          `invoiceItems.${index}.tax`,
          () =>
            `El impuesto ${tax} es solo para empresas de la Unión Europea con NIF-IVA, y ${cliente.nombre} no lo tiene. Escríbelo en su ficha con las letras del país, o cobra IVA.`,
        ),
      ),
    ),
  },
  {
    // Northern Ireland belongs to the Union for goods, and to the United Kingdom for services.
    id: 'servicio-a-irlanda-del-norte',
    documento: 'iva',
    fuente: 'Directiva (UE) 2020/1756; Ley 37/1992 art. 69',
    gravedad: 'avisa',
    busca: conCliente(({ idOtro, nombre }, caso) =>
      porDesglose(
        caso,
        ({ Impuesto, CalificacionOperacion, ClaveRegimen }) =>
          Impuesto === '01' &&
          CalificacionOperacion === 'N2' &&
          ClaveRegimen === '01' &&
          isOfNorthernIreland(idOtro),
        () =>
          `Los NIF-IVA de Irlanda del Norte (XI) solo valen para mercancías, y esto es un servicio. En la ficha de ${nombre}, pon el grupo contable «Extranjero» y el documento de su país, y elige un servicio a una empresa de fuera de la UE.`,
        { pointsAt: 'tax' },
      ),
    ),
  },
  {
    id: 'vies',
    documento: 'iva',
    fuente: 'Ley 37/1992 art. 25',
    gravedad: 'avisa',
    busca: conCliente(({ idOtro }, { totals }) =>
      si(
        idOtro?.IDType === '02' && totals.lines.some(({ group }) => asksNifIva(group)),
        CAMPO,
        () =>
          `Comprueba que el NIF-IVA ${idOtro?.ID} está dado de alta en VIES el día de la operación: sin eso hay que cobrar IVA.`,
      ),
    ),
  },
  {
    id: 'r2-identificacion',
    documento: 'validaciones',
    fuente: 'Destinatarios (TipoFactura R2)',
    codigo: '1192',
    gravedad: 'bloquea',
    busca: conCliente(({ idOtro }, { tipoFactura }) =>
      si(
        tipoFactura === 'R2' && idOtro !== null && !['02', '07'].includes(idOtro.IDType),
        'crmemoType',
        () =>
          'Una R2 (concurso de acreedores) pide un cliente con NIF español o NIF-IVA. Elige otro tipo de rectificativa.',
      ),
    ),
  },
  {
    id: 'r3-identificacion',
    documento: 'validaciones',
    fuente: 'Destinatarios (TipoFactura R3)',
    codigo: '1191',
    gravedad: 'bloquea',
    busca: conCliente(({ idOtro }, { tipoFactura }) =>
      si(
        tipoFactura === 'R3' && idOtro !== null && idOtro.IDType !== '07',
        'crmemoType',
        () =>
          'Una R3 (crédito incobrable) pide un cliente con NIF español. Elige otro tipo de rectificativa.',
      ),
    ),
  },
  {
    id: 'grupo-y-pais',
    documento: 'huella',
    fuente: 'Nuestra: el grupo contable decide los impuestos que se ofrecen',
    gravedad: 'avisa',
    busca: conCliente((cliente) => {
      const expected = gruposOf(cliente);
      return si(
        !expected.includes(cliente.postingGroup),
        CAMPO,
        () =>
          `${cliente.nombre} es de ${paisOf(cliente.countryCode)?.label ?? cliente.countryCode} y su grupo contable es ${cliente.postingGroup}. Comprueba en su ficha que los dos son correctos: de ellos depende el impuesto.`,
      );
    }),
  },
  {
    id: 'grupo-y-territorio',
    documento: 'iva',
    fuente: 'Ley 37/1992 art. 21; grupos contables',
    gravedad: 'avisa',
    busca: conCliente((cliente, { emisor }) => {
      const isIslander = ['canarias', 'ceuta-melilla'].includes(territoryOf(cliente.postCode));
      const isOwn = territoryOf(cliente.postCode) === territoryOf(emisor.postCode, emisor.pais);
      return si(
        cliente.countryCode === 'ES' && isIslander && !isOwn && cliente.postingGroup === 'NAC',
        CAMPO,
        () =>
          `${cliente.nombre} está fuera del territorio del IVA (código postal ${cliente.postCode}). Comprueba si su grupo contable debería ser «Canarias, Ceuta y Melilla».`,
      );
    }),
  },
  {
    id: 'servicio-a-particular',
    documento: 'iva',
    fuente: 'Ley 37/1992 arts. 69.Uno.2.º y 69.Dos; Ley 20/1991 art. 17.Uno.2.º y 3.º',
    gravedad: 'avisa',
    busca: conCliente((cliente, caso) =>
      isPersona(cliente)
        ? porDesglose(
            caso,
            (desglose) =>
              desglose.CalificacionOperacion === 'N2' &&
              SERVICIO_FUERA[desglose.Impuesto]?.includes(desglose.ClaveRegimen) === true &&
              isOutside(cliente, desglose.Impuesto),
            ({ Impuesto }) => servicioAParticular(cliente, Impuesto),
            { pointsAt: 'tax' },
          )
        : [],
    ),
  },
  {
    id: 'inversion-a-particular',
    documento: 'iva',
    fuente: 'Ley 37/1992 art. 84.Uno.2.º',
    gravedad: 'avisa',
    busca: conCliente(({ nombre, postingGroup }, caso) =>
      porDesglose(
        caso,
        ({ CalificacionOperacion }) => CalificacionOperacion === 'S2' && postingGroup === 'UEPART',
        () =>
          `${nombre} es un particular, y con la inversión del sujeto pasivo lo declararía él: es solo para empresas y profesionales. Elige un impuesto que se cobre o, si es una empresa, cambia su grupo contable.`,
        { pointsAt: 'tax' },
      ),
    ),
  },
  {
    id: 'servicio-sin-clave-08',
    documento: 'validaciones',
    fuente: 'Desglose (ClaveRegimen 08 y, del IGIC, 20; listas L8A y L8B)',
    gravedad: 'avisa',
    busca: conCliente((cliente, caso) =>
      porDesglose(
        caso,
        ({ Impuesto, CalificacionOperacion, ClaveRegimen }) =>
          CalificacionOperacion === 'N2' &&
          ClaveRegimen === '01' &&
          // For a person, `servicio-a-particular` already says that it is taxed here.
          !isPersona(cliente) &&
          cliente.countryCode === 'ES' &&
          isOutside(cliente, Impuesto),
        ({ Impuesto }) => {
          const isIpsi = territoryOf(cliente.postCode) === 'ceuta-melilla';
          const clave = Impuesto === '03' && isIpsi ? '20' : '08';
          return `${cliente.nombre} está donde se paga otro impuesto. Si el servicio se localiza allí, lleva la clave de régimen ${clave}, no la 01: elígelo en «¿Qué vendes y a quién?» o cambia la clave.`;
        },
        { pointsAt: 'tax' },
      ),
    ),
  },
  {
    id: 'recargo-fuera',
    documento: 'iva',
    fuente: 'Ley 37/1992 arts. 148 y 156',
    gravedad: 'avisa',
    busca: conCliente(({ nombre, countryCode }, { totals }) => {
      const index = totals.lines.findIndex(({ group }) => Boolean(group?.RecargoEquivalencia));
      return si(
        countryCode !== 'ES' && index !== -1,
        `invoiceItems.${index}.tax`,
        () =>
          `${nombre} no está en España, y el recargo de equivalencia es solo para comercios minoristas de aquí. Elige otro impuesto.`,
      );
    }),
  },
  {
    id: 'recargo-a-sociedad',
    documento: 'iva',
    fuente: 'Recargo de equivalencia: personas físicas y atribución de rentas',
    gravedad: 'avisa',
    busca: conCliente(({ nif, nombre }, { totals }) =>
      si(
        nif !== null &&
          nifKind(nif) === 'entidad' &&
          !/^[EJ]/.test(nif) &&
          totals.recargoCents !== 0n,
        CAMPO,
        () =>
          `${nombre} es una sociedad y el recargo de equivalencia es solo para personas físicas y comunidades de bienes. Comprueba su grupo contable.`,
      ),
    ),
  },
];

/** The code is nobody's, or another company's: the answer is the same for both. */
export function noSuchCustomer(no: string): string {
  return `El cliente «${no}» no existe. Elige en «Cliente» uno de los tuyos, o créalo.`;
}

/** By its situation, or an intra-Community supply with codes chosen by hand. */
function asksNifIva(group: VatGroup | undefined): boolean {
  return group?.requiereVies === true || isIntracomunitaria(group);
}

function isIntracomunitaria(group: VatGroup | undefined): boolean {
  return group?.verifactu.Impuesto === '01' && group.verifactu.OperacionExenta === 'E5';
}

/** A rule about the customer, for invoices that name one. */
function conCliente(
  rule: (cliente: ClienteEmitido, caso: Caso) => readonly Hallazgo[],
): Regla['busca'] {
  return (caso) => (caso.cliente && needsCliente(caso) ? rule(caso.cliente, caso) : []);
}

/** A consumer of the Union or a person: identified by a Spanish NIF of one or a passport, or not in the census. */
function isPersona({ nif, idOtro, postingGroup }: ClienteEmitido): boolean {
  if (postingGroup === 'UEPART') return true;
  if (nif !== null) return nifKind(nif) === 'persona';
  return ['03', '07'].includes(idOtro?.IDType ?? '');
}

/** Claves of a service that is taxed where the customer is, for each tax that the issuer would have charged. */
const SERVICIO_FUERA: Readonly<Record<string, readonly string[]>> = {
  '01': ['01', '08'],
  '02': ['01', '08'],
  '03': ['01', '08', '20'],
};

/**
 * Whether the customer is outside the territory of that tax. For IVA: outside the Union, or a consumer of another
 * Member State, whose businesses are recognised by their NIF-IVA instead.
 */
function isOutside(cliente: ClienteEmitido, impuesto: string): boolean {
  const { countryCode, postCode, postingGroup } = cliente;
  const territory = countryCode === 'ES' ? territoryOf(postCode) : null;
  if (impuesto === '03') return territory !== 'canarias';
  if (impuesto === '02') return territory !== 'ceuta-melilla';
  return postingGroup === 'UEPART' || isOutOfTheUnion(cliente);
}

function servicioAParticular(cliente: ClienteEmitido, impuesto: string): string {
  const { nombre, countryCode, postingGroup } = cliente;
  const tax = impuesto === '01' ? 'IVA español' : nombreImpuesto(impuesto);
  if (postingGroup === 'UEPART') {
    return `${nombre} es un particular de la Unión Europea y los servicios corrientes que le prestas llevan ${tax}: elige otro impuesto. Está bien así si el servicio se localiza en su país, como el de un inmueble de allí.`;
  }
  const but = isOutOfTheUnion(cliente) && countryCode !== 'ES';
  const article = impuesto === '01' ? 'los del artículo 69.Dos' : 'algunos';
  return `${nombre} es una persona. Si es autónomo, está bien así. Si es un particular, los servicios corrientes llevan ${tax}${but ? `, menos ${article}, como la asesoría o la publicidad` : ''}: elige otro impuesto.`;
}

/** Outside the Union for IVA, which includes the Canaries, Ceuta and Melilla (Ley 37/1992 art. 3). */
function isOutOfTheUnion({ countryCode, postCode }: ClienteEmitido): boolean {
  if (countryCode === 'ES') return ['canarias', 'ceuta-melilla'].includes(territoryOf(postCode));
  return !isUnionForVat(countryCode);
}

/**
 * What is wrong with a NIF-IVA: either only among those with the structure of their country, or only among those
 * without it. A Spanish one has no structure here (AEAT, validations 1.2.2), and a customer with a Spanish NIF is
 * identified by that.
 */
function nifIvaProblem(
  { idOtro, countryCode, nombre }: ClienteEmitido,
  { hasStructure }: { readonly hasStructure: boolean },
): readonly Hallazgo[] {
  if (idOtro?.IDType !== '02' || GB.test(idOtro.ID)) return [];
  if (countryCode === 'ES' || idOtro.ID.startsWith('ES')) {
    return si(
      !hasStructure,
      CAMPO,
      () =>
        `Un NIF-IVA español no vale aquí: ${nombre} se identifica con su NIF, con su pasaporte o como no censado. Corrígelo en «Más opciones» o en su ficha.`,
    );
  }
  // Old numbers of Ireland and the Netherlands may contain them; the AEAT accepts letters and digits (validations
  // 1.2.2).
  if (/[+*]/.test(idOtro.ID)) {
    return si(
      !hasStructure,
      CAMPO,
      () =>
        `El NIF-IVA ${idOtro.ID} lleva un signo, y la AEAT solo admite letras y cifras. Pide a ${nombre} el que lo sustituye y escríbelo en su ficha.`,
    );
  }
  const check = checkNifIva(countryCode, idOtro.ID);
  if (check.ok || (matchNifIva(countryCode, idOtro.ID) !== null) !== hasStructure) return [];
  return [{ campo: CAMPO, mensaje: `${check.mensaje} Corrígelo en la ficha de ${nombre}.` }];
}

function isOfNorthernIreland(idOtro: IdOtro | null): boolean {
  return idOtro?.IDType === '02' && idOtro.ID.startsWith('XI');
}

function idOf({ nif, idOtro }: ClienteEmitido): string {
  return nif ?? idOtro?.ID ?? '';
}

/** Groups that are possible for the customer's country. */
function gruposOf({ countryCode }: ClienteEmitido): readonly string[] {
  if (countryCode === 'ES') return NACIONALES;
  return isUnionForVat(countryCode) || countryCode === 'GB' ? ['UE', 'UEPART', 'EXT'] : ['EXT'];
}
