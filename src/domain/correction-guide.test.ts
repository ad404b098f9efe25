import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  askedOf,
  firstAnnul,
  firstAnswers,
  type GuideAnswers,
  type GuidedInvoice,
  givingUpWords,
  guide,
  refusalWords,
} from './correction-guide.ts';

const invoice = (over: Partial<GuidedInvoice> = {}): GuidedInvoice => ({
  status: 'Registrada',
  tipo: 'F1',
  totalCents: 12100n,
  impuesto: 'IVA',
  cuotaCents: 2100n,
  fechaOperacion: '2026-01-15',
  ...over,
});
const HOY = '2026-11-20';
const sold = { entregada: 'si', existe: 'si' } as const;

const ANULACION = {
  status: 'Rechazado',
  rechazo: { TipoRegistro: 'Anulacion', enAeat: 'alta', alDejarla: 'Registrada' },
} as const;
const SUBSANACION = {
  status: 'Rechazado',
  rechazo: { TipoRegistro: 'Alta', enAeat: 'alta', alDejarla: 'Aceptado con errores' },
} as const;
const AJENA = {
  status: 'Rechazado',
  rechazo: { TipoRegistro: 'Alta', enAeat: 'ajena' },
} as const;
const ANULADA_ALLI = {
  status: 'Rechazado',
  rechazo: { TipoRegistro: 'Anulacion', enAeat: 'anulacion', alDejarla: 'Anulada' },
} as const;

it('an invoice that was mailed starts as delivered, says where it went, and may be answered otherwise', () => {
  const mailed = invoice({ enviadaA: 'pedidos@cliente.es' });
  const [delivered, next] = askedOf(mailed, firstAnswers(mailed), HOY);
  expect(delivered?.ayuda).toBe('Se le envió por correo a pedidos@cliente.es.');
  expect(next?.name).toBe('existe');
  expect(guide(mailed, { entregada: 'no', existe: 'no' }, HOY)).toMatchObject({ kind: 'anular' });
  expect(firstAnswers(invoice())).toEqual({});
});

it('a refusal without more about it is that of the invoice', () => {
  expect(refusalWords(undefined)).toMatchObject({
    titulo: 'La AEAT la ha rechazado',
    queTiene: null,
  });
});

it.each([
  [{ TipoRegistro: 'Alta', enAeat: 'ajena' }, 'La AEAT la ha rechazado', /deja esta sin efecto/],
  [{ TipoRegistro: 'Alta', enAeat: 'nada' }, 'La AEAT la ha rechazado', null],
  [ANULACION.rechazo, 'La AEAT ha rechazado su anulación', /sigue en la AEAT/],
  [{ TipoRegistro: 'Anulacion', enAeat: 'nada' }, 'La AEAT ha rechazado su anulación', /no tiene/],
  [{ TipoRegistro: 'Anulacion', enAeat: 'anulacion' }, 'La AEAT ha rechazado su anulación', /ya/],
  [SUBSANACION.rechazo, 'La AEAT ha rechazado su corrección', /como estaba antes/],
  [{ TipoRegistro: 'Alta', enAeat: 'anulacion' }, 'La AEAT ha rechazado su corrección', /anulada/],
] as const)('the refusal of a %j is named after what was refused', (rechazo, titulo, queTiene) => {
  const words = refusalWords(rechazo);
  expect(words.titulo).toBe(titulo);
  if (queTiene === null) expect(words.queTiene).toBeNull();
  else expect(words.queTiene).toMatch(queTiene);
});

describe('the advice', () => {
  it.each<[string, Partial<GuidedInvoice>, GuideAnswers, object]>([
    ['a draft is edited', { status: 'Borrador' }, {}, { kind: 'editar' }],
    ['what waits is waited for', { status: 'En espera' }, {}, { kind: 'nada' }],
    ['annulled is annulled', { status: 'Anulada' }, {}, { kind: 'nada' }],
    [
      'never meant, with nobody',
      {},
      { entregada: 'no', existe: 'no' },
      { kind: 'anular', porque: expect.stringContaining('no la tiene nadie') },
    ],
    [
      'never meant, but delivered: credited whole',
      {},
      { entregada: 'si', existe: 'no' },
      {
        kind: 'rectificar',
        tipo: 'R1',
        metodo: 'I',
        porque: expect.stringMatching(/^Tu cliente la tiene .*Hazle un abono .* en sus cuentas\.$/),
      },
    ],
    [
      'never meant, for nothing: the abono is of nothing too',
      { totalCents: 0n },
      { entregada: 'si', existe: 'no' },
      { kind: 'rectificar', tipo: 'R1', metodo: 'I' },
    ],
    [
      'never meant and refused',
      { status: 'Rechazado' },
      { entregada: 'si', existe: 'no' },
      { kind: 'anular' },
    ],
    ['refused', { status: 'Rechazado' }, sold, { kind: 'subsanar' }],
    [
      'accepted with errors',
      { status: 'Aceptado con errores' },
      { ...sold, problema: 'aeat' },
      { kind: 'subsanar' },
    ],
    ['a doubt', {}, { ...sold, problema: 'nada' }, { kind: 'nada' }],
    [
      'a wrong name',
      {},
      { ...sold, problema: 'datos' },
      { kind: 'rectificar', tipo: 'R4', metodo: 'S' },
    ],
    [
      'a wrong name on a receipt',
      { tipo: 'F2' },
      { ...sold, problema: 'datos' },
      { kind: 'rectificar', tipo: 'R5', metodo: 'S' },
    ],
    [
      'a price too high',
      {},
      { ...sold, problema: 'importes', nuevoTotalCents: 10000n },
      {
        kind: 'rectificar',
        tipo: 'R4',
        metodo: 'I',
        porque: expect.stringMatching(/^Un abono por la diferencia:/),
        // 100,00 − 121,00
        diferencia: { antesCents: 12100n, despuesCents: 10000n, diferenciaCents: -2100n },
      },
    ],
    [
      'a price too low',
      {},
      { ...sold, problema: 'importes', nuevoTotalCents: 15000n },
      {
        kind: 'rectificar',
        tipo: 'R4',
        metodo: 'S',
        porque: expect.stringMatching(/^Una rectificativa por sustitución:/),
      },
    ],
    [
      'a price that was left out',
      { totalCents: 0n },
      { ...sold, problema: 'importes', nuevoTotalCents: 15000n },
      { kind: 'rectificar', tipo: 'R4', metodo: 'S', diferencia: { despuesCents: 15000n } },
    ],
    [
      'the same price',
      {},
      { ...sold, problema: 'importes', nuevoTotalCents: 12100n },
      { kind: 'nada' },
    ],
    [
      'an abono of too much: answered without its sign',
      { tipo: 'R1', totalCents: -12100n },
      { ...sold, problema: 'importes', nuevoTotalCents: 6050n },
      {
        kind: 'rectificar',
        tipo: 'R4',
        metodo: 'S',
        // −60,50 − (−121,00)
        diferencia: { antesCents: -12100n, despuesCents: -6050n, diferenciaCents: 6050n },
      },
    ],
    [
      'an abono of too little, with its sign',
      { tipo: 'R1', totalCents: -12100n },
      { ...sold, problema: 'importes', nuevoTotalCents: -15000n },
      { kind: 'rectificar', tipo: 'R4', metodo: 'I', diferencia: { diferenciaCents: -2900n } },
    ],
    [
      'an abono never meant, but delivered: another by difference would give back twice',
      { tipo: 'R1', totalCents: -12100n },
      { entregada: 'si', existe: 'no' },
      {
        kind: 'rectificar',
        tipo: 'R1',
        metodo: 'S',
        porque: expect.stringContaining('Sustitúyela por una rectificativa'),
        diferencia: { despuesCents: 0n },
      },
    ],
    [
      'a wrong VAT',
      {},
      { ...sold, problema: 'iva', nuevoTotalCents: 11000n },
      { kind: 'rectificar', tipo: 'R1', metodo: 'S' },
    ],
    [
      'goods that came back',
      {},
      { ...sold, problema: 'devolucion', nuevoTotalCents: 0n },
      { kind: 'rectificar', tipo: 'R1', metodo: 'I' },
    ],
    [
      'goods that were exchanged for others of the same price: by difference it would be of nothing',
      {},
      { ...sold, problema: 'devolucion', nuevoTotalCents: 12100n },
      { kind: 'rectificar', tipo: 'R1', metodo: 'S' },
    ],
    [
      'an insolvent customer',
      {},
      { ...sold, problema: 'impago', concurso: 'si' },
      { kind: 'rectificar', tipo: 'R2', porque: expect.stringContaining('publica el auto') },
    ],
    [
      'one who does not pay',
      {},
      { ...sold, problema: 'impago', concurso: 'no' },
      {
        kind: 'rectificar',
        tipo: 'R3',
        // From accrual (devengo), proved in any way since Ley 31/2022, and with six months to do it.
        porque: expect.stringMatching(/fecha de la operación .*fehaciente.* seis meses para/),
      },
    ],
    [
      'one who does not pay yet: nothing is rectified before six months',
      { fechaOperacion: '2026-05-21' },
      { ...sold, problema: 'impago', concurso: 'no' },
      { kind: 'esperar', porque: expect.stringMatching(/no se rectifica .*21\/11\/2026 no te la/) },
    ],
    [
      'one who does not pay, on the day',
      { fechaOperacion: '2026-05-20' },
      { ...sold, problema: 'impago', concurso: 'no' },
      { kind: 'rectificar', tipo: 'R3' },
    ],
    [
      'one who does not pay, on the last day of a year and six months',
      { fechaOperacion: '2025-05-20' },
      { ...sold, problema: 'impago', concurso: 'no' },
      { kind: 'rectificar', tipo: 'R3' },
    ],
    [
      'one who does not pay, a day later: the right is gone',
      { fechaOperacion: '2025-05-19' },
      { ...sold, problema: 'impago', concurso: 'no' },
      { kind: 'reclamar', porque: expect.stringContaining('acabó, como muy tarde, el 19/11/2026') },
    ],
    [
      'one who has not paid for years',
      { fechaOperacion: '2023-01-10' },
      { ...sold, problema: 'impago', concurso: 'no' },
      { kind: 'reclamar' },
    ],
    [
      'one who does not pay what has no quota: there is nothing to come back',
      { cuotaCents: 0n },
      { ...sold, problema: 'impago' },
      { kind: 'reclamar', porque: expect.stringContaining('No lleva cuota de IVA') },
    ],
    [
      'one who does not pay a receipt, which does not say who owes it',
      { tipo: 'F2' },
      { ...sold, problema: 'impago' },
      { kind: 'nada', porque: expect.stringContaining('Cánjeala primero') },
    ],
    ['a complete one', { tipo: 'F2' }, { ...sold, problema: 'completa' }, { kind: 'canjear' }],
    [
      'its anulación refused, never delivered',
      ANULACION,
      { entregada: 'no', existe: 'no' },
      { kind: 'anular', porque: expect.stringMatching(/^La AEAT la tiene: .* es su anulación\./) },
    ],
    [
      'its anulación refused, delivered: held there and by the customer',
      ANULACION,
      { entregada: 'si', existe: 'no' },
      {
        kind: 'rectificar',
        tipo: 'R1',
        metodo: 'I',
        porque: expect.stringMatching(/^La AEAT la tiene: .*«Dejarla como estaba»/),
      },
    ],
    [
      'its anulación refused, and it should stand',
      ANULACION,
      sold,
      { kind: 'dejar', porque: expect.stringContaining('Sigue valiendo') },
    ],
    [
      'its correction refused, and no longer needed',
      SUBSANACION,
      { ...sold, corregir: 'no' },
      { kind: 'dejar', porque: expect.stringMatching(/salen solas.*envíale después esta/) },
    ],
    [
      'its correction refused',
      SUBSANACION,
      { ...sold, corregir: 'si' },
      {
        kind: 'subsanar',
        porque: expect.stringMatching(
          /^La AEAT la tiene como estaba antes: .* es su corrección\. Corrige lo que dice/,
        ),
      },
    ],
    [
      'its correction refused, delivered and never meant',
      SUBSANACION,
      { entregada: 'si', existe: 'no' },
      { kind: 'rectificar', tipo: 'R1', metodo: 'I' },
    ],
    [
      'another program’s under its number: nothing of ours to annul',
      AJENA,
      { entregada: 'no', existe: 'no' },
      { kind: 'sin-efecto', porque: expect.stringContaining('hecha con otro programa') },
    ],
    [
      'another program’s under its number, and sold',
      AJENA,
      sold,
      { kind: 'sin-efecto', porque: expect.stringMatching(/haz otra.*en lugar de esta/) },
    ],
    [
      'never meant, with a rectificativa that would be left alone',
      { dependientes: { rectificadaPor: ['00001/26R'] } },
      { entregada: 'no', existe: 'no' },
      {
        kind: 'antes',
        docNo: '00001/26R',
        porque: expect.stringContaining('anula antes la 00001/26R'),
      },
    ],
    [
      'never meant, and exchanged together with what corrected it: the F3 goes first',
      { tipo: 'F2', dependientes: { rectificadaPor: ['00001/26RS'], canjeadaPor: '00007/26' } },
      { entregada: 'no', existe: 'no' },
      {
        kind: 'antes',
        docNo: '00007/26',
        porque: expect.stringContaining('se canjeó por la 00007/26'),
      },
    ],
    [
      'its anulación refused, and rectified meanwhile',
      { ...ANULACION, dependientes: { rectificadaPor: ['00001/26R', '00002/26R'] } },
      { entregada: 'no', existe: 'no' },
      {
        kind: 'dejar',
        porque: expect.stringMatching(/salen solas.*00001\/26R y 00002\/26R.*anula antes esas/),
      },
    ],
    [
      'annulled there already',
      ANULADA_ALLI,
      { entregada: 'no', existe: 'no' },
      { kind: 'dejar', porque: expect.stringMatching(/^La AEAT ya la tiene anulada/) },
    ],
    [
      'annulled there already, and sold',
      ANULADA_ALLI,
      sold,
      { kind: 'subsanar', porque: expect.stringMatching(/^La AEAT la tiene anulada: .*Corrige/) },
    ],
    [
      'refused with nothing there',
      { status: 'Rechazado', rechazo: { TipoRegistro: 'Alta', enAeat: 'nada' } },
      sold,
      { kind: 'subsanar', porque: expect.stringMatching(/^La AEAT no la ha admitido: corrige/) },
    ],
  ])('%s', (_, over, answers, advice) => {
    expect(guide(invoice(over), answers, HOY)).toMatchObject(advice);
  });
});

it.each<[string, Partial<GuidedInvoice>, GuideAnswers, readonly string[]]>([
  ['a draft', { status: 'Borrador' }, {}, []],
  ['one never meant', {}, { entregada: 'no', existe: 'no' }, ['entregada', 'existe']],
  ['a wrong name', {}, { ...sold, problema: 'datos' }, ['entregada', 'existe', 'problema']],
  [
    'a wrong price',
    {},
    { ...sold, problema: 'importes', nuevoTotalCents: 0n },
    ['entregada', 'existe', 'problema', 'nuevoTotal'],
  ],
  [
    'one that is not paid',
    {},
    { ...sold, problema: 'impago', concurso: 'no' },
    ['entregada', 'existe', 'problema', 'concurso'],
  ],
  ['a refused anulación', ANULACION, sold, ['entregada', 'existe']],
  [
    'a refused correction',
    SUBSANACION,
    { ...sold, corregir: 'no' },
    ['entregada', 'existe', 'corregir'],
  ],
])('of %s asks no more than it has to, in order', (_, over, answers, names) => {
  expect(askedOf(invoice(over), answers, HOY).map(({ name }) => name)).toEqual(names);
  expect(guide(invoice(over), answers, HOY).kind).not.toBe('pregunta');
});

it.each<[string, Partial<GuidedInvoice>, string]>([
  ['a registered one', {}, 'nada datos importes iva devolucion impago'],
  [
    'one with errors',
    { status: 'Aceptado con errores' },
    'aeat datos importes iva devolucion impago',
  ],
  ['an abono', { tipo: 'R1' }, 'nada datos importes iva devolucion'],
  ['a receipt', { tipo: 'F2' }, 'nada datos importes iva devolucion impago completa'],
])('offers the problems that %s may have', (_, over, values) => {
  const asked = guide(invoice(over), sold, HOY);
  const { opciones } = asked as Extract<typeof asked, { kind: 'pregunta' }>;
  expect(opciones.map(({ value }) => value).join(' ')).toBe(values);
});

it.each<[string, Partial<GuidedInvoice>, GuideAnswers, string]>([
  [
    'refused, never meant',
    { status: 'Rechazado' },
    { existe: 'no' },
    'Di a tu cliente que no vale',
  ],
  ['another’s, never meant', AJENA, { existe: 'no' }, 'Di a tu cliente que no vale'],
  ['another’s, and sold', AJENA, { existe: 'si' }, 'Dásela a tu cliente en lugar de esta'],
  ['refused', { status: 'Rechazado' }, { existe: 'si' }, 'Envía después a tu cliente el PDF'],
  [
    'whose correction is not needed',
    SUBSANACION,
    { existe: 'si', corregir: 'no' },
    'Si tu cliente tiene la corregida',
  ],
  [
    'with errors',
    { status: 'Aceptado con errores' },
    { existe: 'si', problema: 'aeat' },
    'si está mal algo que lee tu cliente',
  ],
])(
  'of one %s, says what to do about the customer who has it, and only then',
  (_, over, rest, words) => {
    const said = (entregada: 'si' | 'no') => guide(invoice(over), { ...rest, entregada }, HOY);
    expect(said('si')).toMatchObject({ porque: expect.stringContaining(words) });
    expect(said('no')).toMatchObject({ porque: expect.not.stringContaining(words) });
  },
);

it('names what has to be annulled first, and the invoice where the reader does not see which', () => {
  const one = { rectificadaPor: ['00001/26R'] };
  expect(firstAnnul('00005/26', one)).toEqual({
    docNo: '00001/26R',
    porque:
      'La factura 00005/26 tiene la rectificativa 00001/26R, que sigue valiendo y quedaría sola. Para anularla, anula antes la 00001/26R.',
  });
  expect(firstAnnul(null, one)?.porque).toMatch(/^La factura tiene la rectificativa/);
  expect(firstAnnul(null, { rectificadaPor: [] })).toBeNull();
});

it.each([
  [ANULACION.rechazo, 'Dejarla como estaba', /^La factura sigue valiendo.*la anulación/],
  [SUBSANACION.rechazo, 'Dejarla como estaba', /con errores.*antes de corregirla.*la corrección/],
  [ANULADA_ALLI.rechazo, 'Dejarla como anulada', /constará anulada.*la anulación/],
] as const)('the consequence of giving up %j is stated in advance', (rechazo, accion, said) => {
  const { frases, ...words } = givingUpWords(rechazo);
  expect(words.accion).toBe(accion);
  expect(frases.join(' ')).toMatch(said);
  // Only a correction had made it say something else.
  expect(frases.some((frase) => frase.startsWith('Vuelve a decir'))).toBe(
    rechazo === SUBSANACION.rechazo,
  );
});

it('asks of an abono how much had to be refunded', () => {
  const asked = (totalCents: bigint) =>
    guide(invoice({ tipo: 'R1', totalCents }), { ...sold, problema: 'importes' }, HOY);
  expect(asked(-12100n)).toMatchObject({ titulo: '¿Cuánto tenías que abonar?' });
  expect(asked(12100n)).toMatchObject({ titulo: '¿Cuánto tenía que ser el total?' });
  expect(asked(0n)).toMatchObject({ titulo: '¿Cuánto tenía que ser el total?' });
});

it('asks at most four questions, each once, and always comes to an end', () => {
  const invoices = fc.record({
    status: fc.constantFrom('Rechazado', 'Aceptado con errores', 'Registrada', 'Anulada') as never,
    tipo: fc.constantFrom('F1', 'F2', 'F3', 'R1', 'R5') as never,
    totalCents: fc.bigInt({ min: -(10n ** 14n), max: 10n ** 14n }),
    impuesto: fc.constantFrom('IVA', 'IGIC', 'IPSI'),
    cuotaCents: fc.constantFrom(0n, 2100n),
    fechaOperacion: fc.constantFrom('2023-01-10', '2026-01-15', HOY),
    rechazo: fc.constantFrom(
      undefined,
      ...[ANULACION, SUBSANACION, ANULADA_ALLI].map(({ rechazo }) => rechazo),
    ),
  }) as fc.Arbitrary<GuidedInvoice>;
  fc.assert(
    fc.property(invoices, fc.array(fc.nat(), { minLength: 6, maxLength: 6 }), (one, picks) => {
      let answers: GuideAnswers = {};
      const names: string[] = [];
      for (const pick of picks) {
        const next = guide(one, answers, HOY);
        if (next.kind !== 'pregunta') break;
        names.push(next.name);
        const value = next.opciones[pick % next.opciones.length]?.value;
        answers =
          next.name === 'nuevoTotal'
            ? { ...answers, nuevoTotalCents: BigInt(pick) }
            : { ...answers, [next.name]: value };
      }
      expect(guide(one, answers, HOY).kind).not.toBe('pregunta');
      expect(names.length).toBeLessThanOrEqual(4);
      expect(new Set(names).size).toBe(names.length);
      expect(askedOf(one, answers, HOY).map(({ name }) => name)).toEqual(names);
    }),
  );
});

it.each(['IGIC', 'IPSI'] as const)('of %s never mentions another tax or its law', (impuesto) => {
  for (const concurso of ['si', 'no'] as const) {
    for (const fechaOperacion of ['2026-11-01', '2026-01-15', '2023-01-10']) {
      const answers = { ...sold, problema: 'impago', concurso } as const;
      const advice = guide(invoice({ impuesto, fechaOperacion }), answers, HOY);
      const { porque } = advice as Extract<typeof advice, { porque: string }>;
      expect(porque).toContain(impuesto);
      expect(porque).not.toMatch(/\bIVA\b|art\./);
    }
  }
  const asked = askedOf(invoice({ impuesto }), { ...sold, problema: 'importes' }, HOY);
  expect(JSON.stringify(asked)).not.toContain('IVA');
});

it.each([
  ['2026-05-21', { kind: 'esperar' }],
  ['2026-05-20', { kind: 'rectificar', tipo: 'R3', metodo: 'I' }],
  ['2025-05-20', { kind: 'rectificar', tipo: 'R3', metodo: 'I' }],
  ['2025-05-19', { kind: 'reclamar' }],
] as const)(
  'of IGIC, one of %s that is not paid waits for the same terms',
  (fechaOperacion, advice) => {
    const answers = { ...sold, problema: 'impago', concurso: 'no' } as const;
    expect(guide(invoice({ impuesto: 'IGIC', fechaOperacion }), answers, HOY)).toMatchObject(
      advice,
    );
  },
);
