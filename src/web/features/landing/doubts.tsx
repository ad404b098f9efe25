import { lawDate, OBLIGATION } from '../../../domain/obligation.ts';
import { entero } from '../../lib/format.ts';
import { useProvider } from '../../lib/provider.ts';
import classes from './doubts.module.css';
import shared from './landing.module.css';

const { sociedadesFrom, restFrom, userFineEuros } = OBLIGATION;

const DOUBTS: readonly (readonly [question: string, answer: string])[] = [
  [
    '¿Estoy obligado a usar un programa adaptado?',
    `Sí, si facturas con un programa informático y no estás en el SII ni en un territorio foral. Según la ley vigente, las sociedades desde el ${lawDate(sociedadesFrom)} y el resto de empresas y autónomos desde el ${lawDate(restFrom)}.`,
  ],
  [
    '¿Qué arriesgo si no lo uso?',
    `Una multa de hasta ${entero(userFineEuros)} € por ejercicio por usar un programa que no cumple (artículo 201 bis de la Ley General Tributaria).`,
  ],
  [
    '¿Necesito certificado digital?',
    'Sí, para que la AEAT sepa que quien envía es tu empresa. Sirve el de la empresa o el de su representante. Lo subes desde el perfil y lo guardamos cifrado.',
  ],
  [
    '¿Puedo corregir una factura ya registrada?',
    'Una factura registrada no se edita: se emite una rectificativa, que queda unida a la original. Mientras es un borrador la cambias cuanto quieras.',
  ],
  [
    '¿Qué pasa si la AEAT rechaza una factura?',
    'La verás en Pendientes con el motivo. La corriges y la vuelves a enviar; las posteriores esperan y después salen solas, en su orden.',
  ],
  [
    '¿Puedo probarlo antes de pagar?',
    'Sí. Crea una cuenta con la suscripción Demo, sin tarjeta. Sus facturas llevan la marca DEMO y no tienen validez fiscal.',
  ],
  [
    '¿Puedo llevarme mis datos?',
    'Sí. Descargas tus facturas en PDF y tus registros en XML, con las respuestas de la AEAT, cuando quieras.',
  ],
  [
    '¿Y si se cae la conexión con la AEAT?',
    'Sigues facturando. La factura queda emitida con su huella y su QR, y la enviamos en cuanto vuelve la conexión.',
  ],
];

/** Questions that open without a script, because they are `details`. */
export function Doubts() {
  const { empresa } = useProvider();
  return (
    <section id="dudas" className={`${shared.container} ${shared.section} ${classes.block}`}>
      <div>
        <h2 className={shared.h2}>Dudas</h2>
        <p className={`${shared.lead} ${classes.lead}`}>
          ¿No está la tuya? Escríbenos a <a href={`mailto:${empresa.correo}`}>{empresa.correo}</a>
        </p>
      </div>
      <div className={classes.list}>
        {DOUBTS.map(([question, answer], i) => (
          <details key={question} open={i === 0}>
            <summary>
              <h3>{question}</h3>
            </summary>
            <p className={shared.text}>{answer}</p>
          </details>
        ))}
      </div>
    </section>
  );
}
