/**
 * From «something is wrong with this invoice» to what to do about it, in at most four plain questions.
 *
 * Law: RD 1619/2012 art. 15 (rectificativas, and 15.6 for what an F3 replaces); LIVA art. 80 (returns and discounts,
 * 80.Uno and Dos; insolvency, 80.Tres; unpaid, 80.Cuatro); RD 1007/2023 art. 11 (an anulación is for what should
 * never have been issued). AEAT, FAQ for developers 1.3: a subsanación corrects the registro, never what the customer
 * reads on the invoice.
 */

import { fechaEs } from './dates.ts';
import { plazoDeImpago } from './impago.ts';
import type { NombreImpuesto } from './impuestos.ts';
import type { Rechazo, TipoFactura, TipoRectificativa } from './invoice.ts';

/** The invoice, as far as the guide needs it. */
export interface GuidedInvoice {
  readonly status:
    | 'Borrador'
    | 'En espera'
    | 'Rechazado'
    | 'Aceptado con errores'
    | 'Registrada'
    | 'Anulada';
  readonly tipo: TipoFactura;
  readonly totalCents: bigint;
  /** Its tax and how much of it, with the recargo; nothing when it is exempt or another State's. */
  readonly impuesto: NombreImpuesto;
  readonly cuotaCents: bigint;
  /** The day of the operation, `YYYY-MM-DD`, from which the terms for unpaid invoices are counted. */
  readonly fechaOperacion: string;
  /** The address of its customer, if it was mailed there and has not come back. */
  readonly enviadaA?: string | undefined;
  /** For a refused invoice; without it, the AEAT has never admitted the invoice. */
  readonly rechazo?: Rechazo | undefined;
  /** The invoices that rest on it, and would refer to nothing without it. */
  readonly dependientes?: Dependientes | undefined;
}

/** The invoices that rest on another, by number: its rectificativas, and the F3 for which it was exchanged. */
export interface Dependientes {
  readonly rectificadaPor?: readonly string[] | undefined;
  readonly canjeadaPor?: string | undefined;
}

/** The answers given so far; a question is left out until its turn. */
export interface GuideAnswers {
  readonly entregada?: 'si' | 'no';
  readonly existe?: 'si' | 'no';
  /** For a refused correction: whether it is still needed. */
  readonly corregir?: 'si' | 'no';
  readonly problema?: Problema;
  readonly concurso?: 'si' | 'no';
  /** What the total should have been; null while what is typed is not a number. */
  readonly nuevoTotalCents?: bigint | null;
}

export type Problema =
  | 'nada'
  | 'aeat'
  | 'datos'
  | 'importes'
  | 'iva'
  | 'devolucion'
  | 'impago'
  | 'completa';

export interface GuideQuestion {
  readonly kind: 'pregunta';
  readonly name: 'entregada' | 'existe' | 'corregir' | 'problema' | 'concurso' | 'nuevoTotal';
  readonly titulo: string;
  readonly ayuda?: string;
  /** Empty when the answer is an amount. */
  readonly opciones: readonly {
    readonly value: string;
    readonly label: string;
    readonly ayuda?: string;
  }[];
}

/** Before, after and the change, in cents. */
export interface Diferencia {
  readonly antesCents: bigint;
  readonly despuesCents: bigint;
  readonly diferenciaCents: bigint;
}

export type GuideAdvice =
  | {
      readonly kind:
        | 'nada'
        | 'esperar'
        | 'reclamar'
        | 'editar'
        | 'subsanar'
        | 'dejar'
        | 'sin-efecto'
        | 'anular'
        | 'canjear';
      readonly porque: string;
    }
  /** Another invoice has to be annulled before this one. */
  | { readonly kind: 'antes'; readonly docNo: string; readonly porque: string }
  | {
      readonly kind: 'rectificar';
      readonly tipo: Extract<TipoFactura, `R${number}`>;
      readonly metodo: TipoRectificativa;
      readonly porque: string;
      readonly diferencia?: Diferencia;
    };

const SI_NO = [
  { value: 'si', label: 'Sí' },
  { value: 'no', label: 'No' },
] as const;

const ENTREGADA: GuideQuestion = {
  kind: 'pregunta',
  name: 'entregada',
  titulo: '¿Ya la tiene tu cliente?',
  ayuda: 'En papel, por correo o de cualquier otra manera.',
  opciones: SI_NO,
};

function deliveredQuestion({ enviadaA }: GuidedInvoice): GuideQuestion {
  return enviadaA ? { ...ENTREGADA, ayuda: `Se le envió por correo a ${enviadaA}.` } : ENTREGADA;
}

const EXISTE: GuideQuestion = {
  kind: 'pregunta',
  name: 'existe',
  titulo: '¿Esta factura tenía que existir?',
  opciones: [
    { value: 'si', label: 'Sí', ayuda: 'La venta se hizo, aunque algo esté mal.' },
    { value: 'no', label: 'No', ayuda: 'Era una prueba, está repetida o no iba a este cliente.' },
  ],
};

const CORREGIR: GuideQuestion = {
  kind: 'pregunta',
  name: 'corregir',
  titulo: '¿Todavía hay que corregirla?',
  ayuda: 'La AEAT la tiene como estaba antes: lo que no ha admitido es su corrección.',
  opciones: [
    { value: 'si', label: 'Sí', ayuda: 'Lo que tiene la AEAT está mal.' },
    { value: 'no', label: 'No', ayuda: 'Como la tiene la AEAT está bien.' },
  ],
};

const CONCURSO: GuideQuestion = {
  kind: 'pregunta',
  name: 'concurso',
  titulo: '¿Tu cliente está en concurso de acreedores?',
  opciones: SI_NO,
};

/** What is known before anything is asked, and may be changed. */
export function firstAnswers({ enviadaA }: GuidedInvoice): GuideAnswers {
  return enviadaA ? { entregada: 'si' } : {};
}

/**
 * The next question, or the advice once there is nothing left to ask.
 *
 * @param hoy today, `YYYY-MM-DD`
 */
export function guide(
  invoice: GuidedInvoice,
  answers: GuideAnswers,
  hoy: string,
): GuideQuestion | GuideAdvice {
  const settled = bySituation(invoice);
  if (settled) return settled;
  if (!answers.entregada) return deliveredQuestion(invoice);
  if (!answers.existe) return EXISTE;
  if (answers.existe === 'no') return neverMeant(invoice, answers.entregada);
  if (invoice.status === 'Rechazado') return mendRejected(invoice, answers);
  if (!answers.problema) return problemQuestion(invoice);
  return byProblem(invoice, answers, answers.problema, hoy);
}

/** All questions on the way to where the answers lead, in order. */
export function askedOf(
  invoice: GuidedInvoice,
  answers: GuideAnswers,
  hoy: string,
): GuideQuestion[] {
  const asked: GuideQuestion[] = [];
  let known: GuideAnswers = {};
  for (;;) {
    const next = guide(invoice, known, hoy);
    if (next.kind !== 'pregunta') return asked;
    asked.push(next);
    const key = next.name === 'nuevoTotal' ? 'nuevoTotalCents' : next.name;
    const answer = answers[key];
    if (answer === undefined || answer === null) return asked;
    known = { ...known, [key]: answer };
  }
}

function bySituation({ status }: GuidedInvoice): GuideAdvice | null {
  switch (status) {
    case 'Borrador':
      return {
        kind: 'editar',
        porque:
          'Es un borrador: no consta en ningún sitio. Cámbialo, o elimínalo si no lo quieres.',
      };
    case 'En espera':
      return {
        kind: 'nada',
        porque:
          'La AEAT todavía no ha respondido de esta factura. Espera a su respuesta: suele tardar un minuto. Después podrás corregirla o anularla.',
      };
    case 'Anulada':
      return {
        kind: 'nada',
        porque:
          'Está anulada y su número no se vuelve a usar. Si la venta existió, haz una factura nueva.',
      };
    default:
      return null;
  }
}

function neverMeant(invoice: GuidedInvoice, entregada: 'si' | 'no'): GuideAdvice {
  const isRejected = invoice.status === 'Rechazado';
  const { enAeat = 'nada' } = invoice.rechazo ?? {};
  if (isRejected && enAeat === 'ajena') {
    return {
      kind: 'sin-efecto',
      porque: `${whatIsHeld(invoice)} Esta no tenía que existir y la AEAT no la tiene: déjala sin efecto. No se envía nada, y las facturas que esperan detrás salen solas.${entregada === 'si' ? ' Di a tu cliente que no vale.' : ''}`,
    };
  }
  if (isRejected && enAeat === 'anulacion') {
    return {
      kind: 'dejar',
      porque: `La AEAT ya la tiene anulada, y no admite anularla otra vez. ${LET_PASS} Su número queda usado.`,
    };
  }
  if (isRejected && enAeat === 'nada') {
    return {
      kind: 'anular',
      porque: `No tenía que existir y la AEAT no la llegó a admitir: se anula. Su número queda usado.${entregada === 'si' ? ' Di a tu cliente que no vale.' : ''}`,
    };
  }
  const first = firstAnnul(null, invoice.dependientes ?? {});
  if (entregada === 'no' && first) {
    return isRejected
      ? { kind: 'dejar', porque: `${whatIsHeld(invoice)} ${LET_PASS} ${first.porque}` }
      : { kind: 'antes', docNo: first.docNo, porque: `${first.porque} Después, vuelve aquí.` };
  }
  if (entregada === 'no') {
    return {
      kind: 'anular',
      porque: isRejected
        ? `${whatIsHeld(invoice)} No tenía que existir y tu cliente no la tiene: se anula. Su número queda usado.`
        : 'No tenía que existir y no la tiene nadie: se anula. Su número queda usado.',
    };
  }
  const isAbono = invoice.totalCents < 0n;
  const how = isAbono
    ? 'Sustitúyela por una rectificativa con los precios a cero'
    : 'Hazle un abono por todo su importe';
  return {
    kind: 'rectificar',
    ...typeFor(invoice, 'R1'),
    metodo: isAbono ? 'S' : 'I',
    porque: `${isRejected ? `${whatIsHeld(invoice)} ` : ''}Tu cliente la tiene y puede haberla contabilizado: no basta con anularla. ${how}, que la deja sin efecto también en sus cuentas.${isRejected ? ` ${FIRST_LET_PASS}` : ''}`,
    diferencia: difference(invoice.totalCents, 0n),
  };
}

function mendRejected(
  invoice: GuidedInvoice,
  { entregada, corregir }: GuideAnswers,
): GuideQuestion | GuideAdvice {
  const { TipoRegistro = 'Alta', enAeat = 'nada', alDejarla } = invoice.rechazo ?? {};
  if (enAeat === 'ajena') {
    return {
      kind: 'sin-efecto',
      porque: `${whatIsHeld(invoice)} El número no se corrige: deja esta sin efecto y haz otra con los mismos datos, que llevará un número nuevo.${entregada === 'si' ? ' Dásela a tu cliente en lugar de esta.' : ''} Solo si la otra no vale, pulsa «Corregir» en la factura: al registrarla otra vez, ocupa su lugar en la AEAT.`,
    };
  }
  if (alDejarla && enAeat === 'alta') {
    if (TipoRegistro === 'Anulacion') {
      return {
        kind: 'dejar',
        porque: `${whatIsHeld(invoice)} Sigue valiendo. ${LET_PASS} Si algo de lo que dice está mal, vuelve aquí después.`,
      };
    }
    if (!corregir) return CORREGIR;
    if (corregir === 'no') {
      return {
        kind: 'dejar',
        porque: `${whatIsHeld(invoice)} ${LET_PASS}${entregada === 'si' ? ' Si tu cliente tiene la corregida, envíale después esta.' : ''}`,
      };
    }
  }
  const held = enAeat === 'nada' ? 'La AEAT no la ha admitido:' : whatIsHeld(invoice);
  const first = enAeat === 'nada' ? 'corrige' : 'Corrige';
  return {
    kind: 'subsanar',
    porque: `${held} ${first} lo que dice y vuelve a registrarla, con el mismo número y la misma fecha.${entregada === 'si' ? ' Envía después a tu cliente el PDF corregido.' : ''}`,
  };
}

/**
 * Why an invoice cannot be annulled while others rest on it, and which goes first; null when none does.
 *
 * @param docNo its number; null when the reader already knows which invoice is meant
 */
export function firstAnnul(
  docNo: string | null,
  { rectificadaPor = [], canjeadaPor }: Dependientes,
): { readonly docNo: string; readonly porque: string } | null {
  const subject = docNo === null ? 'La factura' : `La factura ${docNo}`;
  // An F3 also names the rectificativas of the simplified invoice, which cannot go before it either.
  if (canjeadaPor) {
    return {
      docNo: canjeadaPor,
      porque: `${subject} se canjeó por la ${canjeadaPor}, que sigue valiendo. Para anularla, anula antes la ${canjeadaPor}.`,
    };
  }
  const last = rectificadaPor.at(-1);
  if (last === undefined) return null;
  const isOne = rectificadaPor.length === 1;
  const which = isOne
    ? `la rectificativa ${last}, que sigue valiendo y quedaría sola`
    : `las rectificativas ${rectificadaPor.slice(0, -1).join(', ')} y ${last}, que siguen valiendo y quedarían solas`;
  return {
    docNo: last,
    porque: `${subject} tiene ${which}. Para anularla, anula antes ${isOne ? `la ${last}` : 'esas'}.`,
  };
}

/** What giving up does for the invoices behind. */
const LET_PASS = 'Déjala así: no se envía nada, y las facturas que esperan detrás salen solas.';

/** A refused registro holds back everything registered after it, an abono too. */
const FIRST_LET_PASS =
  'Antes, para que el abono pueda salir, pulsa «Dejarla como estaba» en la factura.';

/** What the AEAT holds of a refused invoice, in a sentence; only for invoices of which it holds something. */
function whatIsHeld({ rechazo }: GuidedInvoice): string {
  const { TipoRegistro = 'Alta', enAeat = 'nada' } = rechazo ?? {};
  const refused = TipoRegistro === 'Anulacion' ? 'su anulación' : 'su corrección';
  switch (enAeat) {
    case 'alta':
      return TipoRegistro === 'Anulacion'
        ? `La AEAT la tiene: lo que no ha admitido es ${refused}.`
        : `La AEAT la tiene como estaba antes: lo que no ha admitido es ${refused}.`;
    case 'anulacion':
      return `La AEAT la tiene anulada: lo que no ha admitido es ${refused}.`;
    case 'ajena':
      return 'La AEAT tiene otra factura con este número, hecha con otro programa.';
    case 'nada':
      return 'La AEAT no la tiene.';
  }
}

const TRAS_ANULAR: Readonly<Record<Rechazo['enAeat'], string>> = {
  alta: 'La factura sigue en la AEAT y vale.',
  anulacion: 'La AEAT ya tenía la factura anulada.',
  nada: 'La AEAT no tiene la factura.',
  ajena: 'La AEAT tiene otra factura con este número, hecha con otro programa.',
};

/** The other invoice belongs to somebody, and may be right: «Corregir» replaces it. */
const CON_NUMERO_DE_OTRA =
  'La AEAT tiene otra factura con este número, hecha con otro programa. Si aquella vale, deja esta sin efecto y haz otra: «Corregir» la pondría en su lugar.';

/** What was refused of an invoice, and what the AEAT holds of it if anything. */
export function refusalWords(rechazo: Rechazo | undefined): {
  readonly titulo: string;
  readonly queTiene: string | null;
} {
  const { TipoRegistro = 'Alta', enAeat = 'nada' } = rechazo ?? {};
  if (TipoRegistro === 'Anulacion') {
    return { titulo: 'La AEAT ha rechazado su anulación', queTiene: TRAS_ANULAR[enAeat] };
  }
  switch (enAeat) {
    case 'alta':
      return {
        titulo: 'La AEAT ha rechazado su corrección',
        queTiene: 'La AEAT tiene la factura como estaba antes de corregirla.',
      };
    case 'anulacion':
      return {
        titulo: 'La AEAT ha rechazado su corrección',
        queTiene: 'La AEAT tiene la factura anulada.',
      };
    case 'ajena':
      return { titulo: 'La AEAT la ha rechazado', queTiene: CON_NUMERO_DE_OTRA };
    case 'nada':
      return { titulo: 'La AEAT la ha rechazado', queTiene: null };
  }
}

/** The consequences of «Dejarla sin efecto», a sentence each. */
export const SIN_EFECTO_FRASES: readonly string[] = [
  'La AEAT tiene otra factura con este número, hecha con otro programa, que se queda como está. Esta constará aquí como anulada, su número queda usado y no se puede deshacer.',
  'No se envía nada a la AEAT: el registro que rechazó queda guardado en la cadena, sin efecto, y las facturas que esperan detrás salen solas.',
  'Si la venta existió, haz después otra factura con los mismos datos («Duplicar») y dásela a tu cliente en lugar de esta. Si con el otro programa sigues usando esta serie, cámbiala en Perfil antes de hacerla.',
];

/** «Dejarla como estaba»: the text of the button, and its consequences, a sentence each. */
export function givingUpWords({ TipoRegistro, alDejarla }: Rechazo): {
  readonly accion: string;
  readonly frases: readonly string[];
} {
  const queda = {
    Registrada: 'La factura sigue valiendo, como la tiene la AEAT.',
    'Aceptado con errores':
      'La factura sigue valiendo, como la tiene la AEAT: aceptada con errores, que podrás corregir después.',
    Anulada: 'La AEAT tiene la factura anulada, y aquí constará anulada también.',
  }[alDejarla ?? 'Registrada'];
  const refused = TipoRegistro === 'Anulacion' ? 'la anulación' : 'la corrección';
  return {
    accion: alDejarla === 'Anulada' ? 'Dejarla como anulada' : 'Dejarla como estaba',
    frases: [
      queda,
      ...(TipoRegistro === 'Alta' && alDejarla !== 'Anulada'
        ? [
            'Vuelve a decir lo que decía antes de corregirla. Si tu cliente tiene la corregida, envíale esta.',
          ]
        : []),
      `No se envía nada a la AEAT: ${refused} que rechazó queda guardada en la cadena, sin efecto, y las facturas que esperan detrás salen solas.`,
    ],
  };
}

function problemQuestion({ status, tipo, impuesto }: GuidedInvoice): GuideQuestion {
  return {
    kind: 'pregunta',
    name: 'problema',
    titulo: '¿Qué le pasa?',
    opciones: [
      ...(status === 'Aceptado con errores'
        ? [{ value: 'aeat', label: 'Lo que señala la AEAT' }]
        : [{ value: 'nada', label: 'Nada: solo tenía una duda' }]),
      {
        value: 'datos',
        label: 'Un dato que se lee en ella',
        ayuda: 'El nombre, el NIF o la dirección del cliente, una descripción…',
      },
      { value: 'importes', label: 'El precio o la cantidad' },
      { value: 'iva', label: `El ${impuesto} que lleva` },
      {
        value: 'devolucion',
        label: 'Una devolución o un descuento posterior',
        ayuda: 'También si la venta se ha deshecho.',
      },
      ...(tipo.startsWith('R') ? [] : [{ value: 'impago', label: 'No me la pagan' }]),
      ...(tipo === 'F2'
        ? [{ value: 'completa', label: 'Mi cliente quiere una factura completa' }]
        : []),
    ],
  };
}

function byProblem(
  invoice: GuidedInvoice,
  { entregada, concurso, nuevoTotalCents }: GuideAnswers,
  problema: Problema,
  hoy: string,
): GuideQuestion | GuideAdvice {
  switch (problema) {
    case 'nada':
      return { kind: 'nada', porque: 'Entonces no hay nada que hacer: está registrada y consta.' };
    case 'aeat':
      return {
        kind: 'subsanar',
        porque: `La AEAT la tiene, con un aviso. Corrígelo y vuelve a registrarla, con el mismo número y la misma fecha.${entregada === 'si' ? ' Cambia solo lo que señala la AEAT: si está mal algo que lee tu cliente, como su nombre o un importe, vuelve atrás y elígelo, porque eso lo arregla una rectificativa.' : ''}`,
      };
    case 'datos':
      return {
        kind: 'rectificar',
        ...typeFor(invoice, 'R4'),
        metodo: 'S',
        porque:
          'Lo registrado no se cambia. Una rectificativa por sustitución sale entera, con el dato bien, y ocupa su lugar.',
        diferencia: difference(invoice.totalCents, invoice.totalCents),
      };
    case 'importes':
    case 'iva':
    case 'devolucion': {
      const despuesCents = totalMeant(invoice, nuevoTotalCents);
      if (despuesCents === null) return questionOfTotal(invoice);
      return byAmount(invoice, problema, despuesCents);
    }
    case 'impago': {
      const { impuesto } = invoice;
      if (invoice.cuotaCents === 0n) {
        return {
          kind: 'reclamar',
          porque: `Sigue valiendo: no se rectifica ni se anula. No lleva cuota de ${impuesto} que se pueda recuperar, así que solo queda reclamarla; si hace falta, envíasela otra vez desde su ficha.`,
        };
      }
      // A simplified invoice names nobody: there is no debtor whose tax could be claimed back.
      if (invoice.tipo === 'F2') {
        return {
          kind: 'nada',
          porque: `Una factura simplificada no dice a quién se vendió, y sin eso no se puede recuperar su ${impuesto}. Cánjeala primero por una completa.`,
        };
      }
      if (!concurso) return CONCURSO;
      if (concurso === 'si') return { ...RECUPERAR, tipo: 'R2', porque: CON_CONCURSO[impuesto] };
      return impuesto === 'IVA' ? unpaid(invoice, hoy) : unpaidOfIslands(invoice, hoy);
    }
    case 'completa':
      return {
        kind: 'canjear',
        porque:
          'Se canjea por una factura completa (F3) que dice a cuál sustituye. La simplificada no se anula.',
      };
  }
}

/** A rectificativa that gives the whole quota back. */
const RECUPERAR = { kind: 'rectificar', metodo: 'I' } as const;

const conConcurso = (impuesto: NombreImpuesto) =>
  `Su ${impuesto} se recupera con una rectificativa, dentro de un plazo que empieza cuando el BOE publica el auto del concurso. Antes de hacerla, pregunta a tu asesor los plazos y requisitos del ${impuesto}.`;

const CON_CONCURSO: Readonly<Record<NombreImpuesto, string>> = {
  IVA: 'Tienes tres meses, desde que el BOE publica el auto del concurso, para recuperar el IVA con una rectificativa (art. 80.Tres de la Ley del IVA).',
  IGIC: conConcurso('IGIC'),
  IPSI: conConcurso('IPSI'),
};

/**
 * Before the first term there is nothing to rectify: the debt only has to be claimed, which gives the right to
 * rectify later. After the last one it can only be claimed.
 */
function unpaid({ fechaOperacion }: GuidedInvoice, hoy: string): GuideAdvice {
  const { desde, hasta } = plazoDeImpago(fechaOperacion);
  if (hoy < desde) {
    return {
      kind: 'esperar',
      porque: `Sigue valiendo: de momento no se rectifica ni se anula. Reclámala; si hace falta, envíasela otra vez desde su ficha. Si el ${fechaEs(desde)} no te la han pagado (un año después de la operación, si tu volumen pasa de 6.010.121,04 €) y la has reclamado por el juzgado, por notario o de otro modo que lo pruebe de forma fehaciente, como un burofax, podrás recuperar su IVA: vuelve aquí entonces (art. 80.Cuatro de la Ley del IVA).`,
    };
  }
  if (hoy > hasta) {
    return {
      kind: 'reclamar',
      porque: `Sigue valiendo: no se rectifica ni se anula, y puedes reclamarla. El plazo para recuperar su IVA acabó, como muy tarde, el ${fechaEs(hasta)}: son los seis meses que siguen al año (o a los seis meses) desde la operación (art. 80.Cuatro de la Ley del IVA). Si la vendiste a plazos, cada plazo cuenta desde su vencimiento: consúltalo con tu asesor.`,
    };
  }
  return {
    ...RECUPERAR,
    tipo: 'R3',
    porque:
      'Si ha pasado un año desde la fecha de la operación (o seis meses, si tu volumen no pasa de 6.010.121,04 €) y la has reclamado por el juzgado, por notario o de otro modo que lo pruebe de forma fehaciente, como un burofax, puedes recuperar el IVA con una rectificativa. Desde que se cumple ese plazo tienes seis meses para hacerla (art. 80.Cuatro de la Ley del IVA). Consúltalo con tu asesor.',
  };
}

/** IGIC and IPSI have terms of their own (Ley 20/1991 art. 22; Ley 8/1991), which are for an adviser to explain. */
function unpaidOfIslands({ fechaOperacion, impuesto }: GuidedInvoice, hoy: string): GuideAdvice {
  const { desde, hasta } = plazoDeImpago(fechaOperacion);
  if (hoy < desde) {
    return {
      kind: 'esperar',
      porque: `Sigue valiendo: de momento no se rectifica ni se anula. Reclámala; si hace falta, envíasela otra vez desde su ficha. Si pasa el tiempo y no te la pagan, puede que puedas recuperar su ${impuesto}: pregunta a tu asesor desde cuándo y cómo hay que haberla reclamado.`,
    };
  }
  if (hoy > hasta) {
    return {
      kind: 'reclamar',
      porque: `Sigue valiendo: puedes reclamarla. El plazo para recuperar su ${impuesto} habrá pasado, salvo que la vendieras a plazos: antes de rectificarla, consúltalo con tu asesor.`,
    };
  }
  return {
    ...RECUPERAR,
    tipo: 'R3',
    porque: `Si se cumplen los plazos y requisitos del ${impuesto} para lo que no se cobra, puedes recuperar su cuota con una rectificativa. Antes de hacerla, consúltalo con tu asesor: son plazos cortos, y hay que haberla reclamado.`,
  };
}

/** For an abono, the question is how much it gives back, answered without a sign. */
function questionOfTotal({ totalCents, impuesto }: GuidedInvoice): GuideQuestion {
  return {
    kind: 'pregunta',
    name: 'nuevoTotal',
    titulo: totalCents < 0n ? '¿Cuánto tenías que abonar?' : '¿Cuánto tenía que ser el total?',
    ayuda: `Con el ${impuesto} incluido.`,
    opciones: [],
  };
}

/** What the total should have been, with its sign; null while nobody has said it. */
function totalMeant(
  { totalCents }: GuidedInvoice,
  answer: GuideAnswers['nuevoTotalCents'],
): bigint | null {
  if (answer === undefined || answer === null) return null;
  return totalCents < 0n && answer > 0n ? -answer : answer;
}

/**
 * A reduction goes by difference; an increase, or an unchanged total, in full. So does a change of tax: its
 * difference has no base, and no lines that anybody would write.
 */
function byAmount(
  invoice: GuidedInvoice,
  problema: 'importes' | 'iva' | 'devolucion',
  despuesCents: bigint,
): GuideAdvice {
  const tipo = problema === 'importes' ? 'R4' : 'R1';
  const diferencia = difference(invoice.totalCents, despuesCents);
  if (diferencia.diferenciaCents === 0n && tipo === 'R4') {
    return { kind: 'nada', porque: 'Es el mismo total que ya tiene: no cambia nada.' };
  }
  const isCredit = diferencia.diferenciaCents < 0n && problema !== 'iva';
  return {
    kind: 'rectificar',
    ...typeFor(invoice, tipo),
    metodo: isCredit ? 'I' : 'S',
    porque: isCredit
      ? 'Un abono por la diferencia: la factura se queda como está, y este papel dice cuánto se descuenta de ella.'
      : 'Una rectificativa por sustitución: sale entera, con los importes bien, y dice cuánto era lo que sustituye.',
    diferencia,
  };
}

/** A simplified invoice is always rectified by an R5. */
function typeFor<T extends 'R1' | 'R4'>({ tipo }: GuidedInvoice, wanted: T): { tipo: T | 'R5' } {
  return { tipo: tipo === 'F2' || tipo === 'R5' ? 'R5' : wanted };
}

function difference(antesCents: bigint, despuesCents: bigint): Diferencia {
  return { antesCents, despuesCents, diferenciaCents: despuesCents - antesCents };
}
