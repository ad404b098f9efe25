import { expect, it } from 'vitest';
import type { InvoiceHistoryRow } from '../store/envios.ts';
import { invoiceTimeline } from './invoice-timeline.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 9, minute));

const REGISTRO: InvoiceHistoryRow = {
  seq: 7n,
  tipoRegistro: 'Alta',
  Subsanacion: null,
  generatedAt: at(1),
  motivo: null,
  Huella: 'AB',
  HuellaAnterior: '',
  sentAt: null,
  intentoOutcome: null,
  intentoDetail: null,
  intentoHttpStatus: null,
  answeredAt: null,
  EstadoRegistro: null,
  CodigoErrorRegistro: null,
  esDuplicado: null,
  CSV: null,
};
const answered = { answeredAt: at(9), EstadoRegistro: 'Correcto', esDuplicado: false } as const;

/** What happened at the AEAT, without the draft and the registro. */
function story(...rows: readonly Partial<InvoiceHistoryRow>[]) {
  const history = rows.map((row) => ({ ...REGISTRO, ...row }));
  return invoiceTimeline({ createdAt: at(0) }, { history, mails: [], downloads: [], givenUp: [] })
    .slice(2)
    .map(({ titulo, detalle }) => [titulo, detalle]);
}

it('distinguishes no answer, an unreadable one, a refused message and the answer', () => {
  const sent = { ...answered, CSV: 'A-1' };
  expect(
    story(
      { ...sent, sentAt: at(2), intentoOutcome: 'no-answer', intentoDetail: 'No responde.' },
      { ...sent, sentAt: at(3), intentoOutcome: 'no-answer', intentoHttpStatus: 403 },
      { ...sent, sentAt: at(3), intentoOutcome: 'fault', intentoDetail: 'Error interno.' },
      { ...sent, sentAt: at(4), intentoOutcome: 'answered' },
    ),
  ).toEqual([
    ['Envío sin respuesta', 'No responde.'],
    ['Envío sin respuesta válida', undefined],
    ['La AEAT no admitió el envío', 'Error interno.'],
    ['Enviada a la AEAT', undefined],
    ['Aceptada por la AEAT', 'CSV A-1'],
  ]);
});

it('shows as refused an invoice whose message was refused once it was sent alone', () => {
  const refusal = {
    intentoOutcome: 'fault',
    intentoDetail: 'Codigo[4102].El XML no cumple el esquema.',
  };
  const alone = {
    ...refusal,
    ...answered,
    EstadoRegistro: 'Incorrecto',
    CodigoErrorRegistro: 4102,
  };
  expect(
    story(
      { ...refusal, sentAt: at(2) },
      { ...alone, sentAt: at(3), intentoDetail: 'Error interno.' },
      { ...alone, sentAt: at(4) },
    ),
  ).toEqual([
    ['La AEAT no admitió el envío', refusal.intentoDetail],
    ['La AEAT no admitió el envío', 'Error interno.'],
    ['Enviada a la AEAT', undefined],
    ['Rechazada por la AEAT', expect.stringMatching(/4102|esquema|estructura/i)],
  ]);
});

it('gives a duplicate no CSV, and says why', () => {
  const [, , [titulo, detalle] = []] = story(
    { ...answered, esDuplicado: true, sentAt: at(2), intentoOutcome: 'no-answer' },
    { ...answered, esDuplicado: true, sentAt: at(3), intentoOutcome: 'answered' },
  );
  expect(titulo).toBe('Aceptada por la AEAT');
  expect(detalle).toMatch(/ya la tenía.*no se puede recuperar/);
});

it('shows what was refused and given up, and the state of the invoice since', () => {
  const refused = { sinEfecto: false, sinEnviar: false };
  const givenUp = [
    { seq: 8n, at: at(11), status: 'Registrada', ...refused, TipoRegistro: 'Anulacion' },
    { seq: 9n, at: at(12), status: 'Aceptado con errores', ...refused, TipoRegistro: 'Alta' },
    { seq: 10n, at: at(13), status: 'Anulada', ...refused, TipoRegistro: 'Anulacion' },
    { seq: 11n, at: at(14), status: 'Anulada', ...refused, sinEfecto: true, TipoRegistro: 'Alta' },
    { seq: 12n, at: at(15), status: 'Anulada', ...refused, sinEnviar: true, TipoRegistro: 'Alta' },
  ] as const;
  const steps = invoiceTimeline(
    { createdAt: at(0) },
    { history: [], mails: [], downloads: [], givenUp },
  );
  expect(steps.slice(1).map(({ titulo, detalle }) => `${titulo}. ${detalle}`)).toEqual([
    'Dejada como estaba. Se renunció a la anulación que la AEAT rechazó: vale la que tenía aceptada.',
    'Dejada como estaba. Se renunció a la corrección que la AEAT rechazó: vale la que tenía aceptada, con errores.',
    'Dejada como anulada. Se renunció a la anulación que la AEAT rechazó: allí consta anulada.',
    'Dejada sin efecto. Su número era de otra factura, hecha con otro programa. No se envió nada a la AEAT.',
    'No enviada a la AEAT. No se envió la corrección que esperaba: la AEAT tiene un registro posterior, que aquí se perdió.',
  ]);
});

it('shows a refusal without a code from the AEAT', () => {
  expect(story({ ...answered, EstadoRegistro: 'Incorrecto', sentAt: at(2) })).toEqual([
    ['Enviada a la AEAT', undefined],
    ['Rechazada por la AEAT', expect.stringMatching(/no dice con qué código/)],
  ]);
});
