import { lawDate, OBLIGATION } from '../../../domain/obligation.ts';
import { entero } from '../../lib/format.ts';

export interface Question {
  readonly question: string;
  readonly answer: string;
}

const { sociedadesFrom, restFrom, source, userFineEuros, makerFineEuros, siiTurnoverEuros } =
  OBLIGATION;

/** A question on one of the six cards. */
export interface Card extends Question {
  /** The answer in a few words, on the front of the card. */
  readonly brief: string;
}

/** Six cards about VERI*FACTU. Where the law is more precise than the usual answer, they follow the law. */
export const CARDS: readonly Card[] = [
  {
    question: '¿Cómo se reconoce una factura de VERI*FACTU?',
    brief: 'Lleva un código QR y, a su lado, «VERI*FACTU».',
    answer:
      'Por su código QR y la referencia «VERI*FACTU» al lado, que dice que el sistema la envía a la AEAT al emitirla. El registro de eventos lo llevan solo los sistemas que no envían; con el envío, la AEAT ya lo tiene todo.',
  },
  {
    question: '¿Qué normativa se aplica?',
    brief: 'Una ley, un real decreto y una orden; y desde cuándo.',
    answer:
      'El artículo 29.2.j de la Ley General Tributaria, el Real Decreto 1007/2023 y la Orden HAC/1177/2024. El contenido de la factura, el Real Decreto 1619/2012. ' +
      `Según la ley vigente, las sociedades desde el ${lawDate(sociedadesFrom)} y el resto desde el ${lawDate(restFrom)}: ${source}.`,
  },
  {
    question: '¿En qué se diferencia de la factura electrónica?',
    brief: 'Una es cómo la recibe tu cliente; la otra, lo que sabe la AEAT.',
    answer:
      'La factura electrónica es el formato en que la recibe tu cliente. VERI*FACTU es lo que la AEAT sabe de ella: un registro con su huella, unido al anterior. Una factura en papel o en PDF también se registra.',
  },
  {
    question: '¿Cómo se emiten y se registran las facturas?',
    brief: 'El número y la huella, a la vez; el envío, en orden.',
    answer:
      'Al registrar, la factura toma su número y nace su registro con la huella de la anterior. Se envía a la AEAT en orden, y la AEAT responde si lo acepta. El PDF lleva el código QR con que se comprueba.',
  },
  {
    question: '¿A quién afecta?',
    brief: 'A quien factura con un programa, con pocas excepciones.',
    answer: `A las empresas y autónomos que facturan con un programa y no llegan a ${entero(siiTurnoverEuros / 1_000_000)} millones de euros de volumen. No a quien factura a mano, ni a quien está en el Suministro Inmediato de Información (SII) o declara a una hacienda foral.`,
  },
  {
    question: '¿Qué multa hay por no cumplir?',
    brief: `Hasta ${entero(userFineEuros)} € por ejercicio.`,
    answer: `Hasta ${entero(userFineEuros)} € por ejercicio a la empresa que usa un programa que no cumple (artículo 201 bis de la Ley General Tributaria). Quien fabrica o vende el programa responde aparte, con hasta ${entero(makerFineEuros)} €.`,
  },
];

export const GROUPS: readonly {
  readonly title: string;
  readonly questions: readonly Question[];
}[] = [
  {
    title: 'Certificado digital',
    questions: [
      {
        question: '¿Es obligatorio el certificado digital?',
        answer:
          'Sí. Sirve para que la AEAT sepa que quien envía es tu empresa. Vale el de la empresa o el de su representante.',
      },
      {
        question: '¿Dónde lo subo?',
        answer:
          'En Perfil empresa, sección Certificado Digital: elige el archivo .p12 o .pfx y escribe su contraseña. Lo guardamos cifrado y no se puede volver a descargar.',
      },
      {
        question: '¿Qué pasa si caduca?',
        answer:
          'Con el certificado caducado no se puede enviar nada a la AEAT. Sube el nuevo en tu perfil y lo que esperaba saldrá solo.',
      },
    ],
  },
  {
    title: 'Envío y registro de facturas',
    questions: [
      {
        question: '¿En qué orden se envían?',
        answer:
          'En el orden en que se registran. Cada registro lleva la huella del anterior, así que ninguno se adelanta.',
      },
      {
        question: '¿Qué pasa si la AEAT rechaza una factura?',
        answer:
          'Queda en Facturas pendientes con su motivo, y las posteriores esperan. Cuando la corriges y la vuelves a registrar, salen todas solas, en su orden.',
      },
      {
        question: '¿Puedo borrar una factura rechazada?',
        answer:
          'No: ya tiene número y registro. Se corrige y se registra de nuevo, o se anula. Solo los borradores se pueden eliminar.',
      },
      {
        question: '¿Puedo editar una factura enviada?',
        answer:
          'No. Lo registrado no cambia: se emite una factura rectificativa (un abono), que queda unida a la original.',
      },
      {
        question: '¿Y si la AEAT no responde?',
        answer:
          'Tu factura queda emitida con su número, su huella y su QR. La enviamos en cuanto vuelve la conexión, y en Facturas pendientes ves cuándo es el próximo intento.',
      },
    ],
  },
  {
    title: 'Funcionalidad del sistema',
    questions: [
      {
        question: '¿Tengo que crear el cliente antes de facturar?',
        answer:
          'Sí, una factura necesita un cliente. Puedes crearlo en Clientes o sin salir de la factura, con «Crear Nuevo Cliente».',
      },
      {
        question: '¿Puedo empezar cada línea con un IVA que no sea el general?',
        answer:
          'Sí. En tu perfil, elige el «Impuesto habitual»: las líneas nuevas empiezan con él. Si solo algunas cosas llevan otro, ponlo en cada producto.',
      },
      {
        question: '¿Qué hace «Guardar borrador»?',
        answer:
          'Guarda lo que has escrito y nada más: ni se envía ni se registra. No tiene número todavía y lo cambias cuanto quieras.',
      },
      {
        question: '¿Qué hace «Registrar y enviar al cliente»?',
        answer:
          'Registra la factura y manda a tu cliente una copia en PDF por correo electrónico. En la factura ves si el correo ha salido.',
      },
      {
        question: '¿Qué es la huella de una factura?',
        answer:
          'Un resumen SHA-256 de sus datos y de la huella de la anterior. Si alguien cambiara un céntimo, dejaría de coincidir con la que consta en la AEAT.',
      },
    ],
  },
  {
    title: 'Suscripción y acceso',
    questions: [
      {
        question: '¿Qué pasa si mi suscripción caduca?',
        answer:
          'No se puede facturar ni enviar. Tu historial, tus PDF y tu perfil siguen ahí. La renuevas en Perfil empresa, sección Datos de suscripción.',
      },
      {
        question: '¿Qué incluye la suscripción Demo?',
        answer:
          'Todo durante 30 días, con hasta 200 facturas registradas en el servicio de pruebas. Llevan la marca DEMO y no tienen validez fiscal.',
      },
      {
        question: '¿Cómo cierro la sesión?',
        answer:
          'Desde el menú de los tres puntos, arriba a la derecha, o al pie del menú lateral. La sesión termina también en el servidor.',
      },
      {
        question: '¿Y si olvido mi contraseña?',
        answer:
          'En la pantalla de inicio de sesión, «¿Has olvidado tu contraseña?» te manda un código al correo para crear otra.',
      },
    ],
  },
];

/** The questions whose texts contain every word of the search, ignoring case and accents. */
export function findQuestions<Q extends Question>(questions: readonly Q[], search: string): Q[] {
  const words = plain(search).split(/\s+/).filter(Boolean);
  return questions.filter((question) => {
    const text = plain(Object.values(question).join(' '));
    return words.every((word) => text.includes(word));
  });
}

const plain = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase();
