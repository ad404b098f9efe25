import { describe, expect, it } from 'vitest';
import type { RegistroConsultado } from '../domain/verifactu/consulta.ts';
import type { RespuestaLinea } from '../domain/verifactu/respuesta.ts';
import type { RegistroSent } from '../store/registros.ts';
import { isAnnulledAlready, linesOf, respuestaOf, verdictOf } from './answer-lines.ts';

const ALTA: RegistroSent = {
  seq: 7n,
  invoiceId: 70n,
  TipoRegistro: 'Alta',
  NumSerieFactura: '00001/LO',
  FechaExpedicionFactura: '20-11-2026',
  FechaOperacion: null,
  Huella: 'A'.repeat(64),
  generatedAt: new Date('2026-11-20T10:00:00Z'),
  Subsanacion: null,
};
const ANULACION: RegistroSent = { ...ALTA, seq: 8n, TipoRegistro: 'Anulacion' };
const NIF = 'B12345674';
const OTHER: RegistroSent = { ...ALTA, seq: 9n, invoiceId: 90n, NumSerieFactura: '00002/LO' };

const lineOf = (
  { NumSerieFactura, FechaExpedicionFactura, TipoRegistro }: RegistroSent,
  changes: Partial<RespuestaLinea> = {},
): RespuestaLinea => ({
  IDEmisorFactura: NIF,
  NumSerieFactura: NumSerieFactura.trim(),
  FechaExpedicionFactura,
  TipoOperacion: TipoRegistro,
  EstadoRegistro: 'Correcto',
  ...changes,
});

describe('the line for each registro', () => {
  const sent = [ALTA, ANULACION, OTHER];
  const lines = sent.map((registro) => lineOf(registro));

  it('stands in the order of the message, or is found by its keys', () => {
    expect(linesOf(NIF, sent, lines)).toEqual(lines);
    expect(linesOf(NIF, sent, lines.toReversed())).toEqual(lines);
  });

  it('is found by its place only, where a message has an alta and its subsanación', () => {
    const both = [ALTA, { ...ALTA, seq: 8n, Subsanacion: 'S' }, OTHER];
    const answered = both.map((registro) => lineOf(registro));
    expect(linesOf(NIF, both, answered)).toEqual(answered);
    expect(linesOf(NIF, both, answered.toReversed())).toBeNull();
  });

  it('is that of a number that was sent with a space behind it', () => {
    const spaced = { ...ALTA, NumSerieFactura: '00001/LO ' };
    expect(linesOf(NIF, [spaced], [lineOf(spaced)])).toEqual([lineOf(ALTA)]);
  });

  it.each<[string, readonly RespuestaLinea[]]>([
    ['lacks the first', lines.slice(1)],
    ['lacks the last', lines.slice(0, 2)],
    ['has one more', [...lines, lineOf(OTHER)]],
    ['says the same of one twice, and nothing of another', [...lines.slice(0, 2), lineOf(ALTA)]],
    ['is of another number', lines.with(2, lineOf({ ...OTHER, NumSerieFactura: '00003/LO' }))],
    ['is of an alta and not of the anulación', lines.with(1, lineOf(ALTA))],
    [
      'is of another day',
      lines.with(2, { ...lineOf(OTHER), FechaExpedicionFactura: '21-11-2026' }),
    ],
    ['is of another company', lines.map((line) => ({ ...line, IDEmisorFactura: 'B99999997' }))],
    ['names no company', lines.with(2, { ...lineOf(OTHER), IDEmisorFactura: '' })],
    [
      'is out of order and of another day',
      lines.toReversed().with(0, lineOf({ ...OTHER, FechaExpedicionFactura: '21-11-2026' })),
    ],
  ])('is none if the answer %s: it is not of this message', (_what, answered) => {
    expect(linesOf(NIF, sent, answered)).toBeNull();
  });
});

it.each<[string, RegistroSent, Partial<RespuestaLinea>, boolean]>([
  ['of an anulación', ANULACION, { CodigoErrorRegistro: 3001 }, true],
  ['of an alta', ALTA, { CodigoErrorRegistro: 3001 }, false],
  ['for another reason', ANULACION, { CodigoErrorRegistro: 3002 }, false],
  ['without a code', ANULACION, {}, false],
  [
    'that is none: a warning',
    ANULACION,
    { EstadoRegistro: 'AceptadoConErrores', CodigoErrorRegistro: 3001 },
    false,
  ],
])('a refusal %s says that the invoice is annulled already, or not', (_, registro, said, is) => {
  expect(isAnnulledAlready(lineOf(registro, { EstadoRegistro: 'Incorrecto', ...said }))).toBe(is);
});

const DUPLICATE = {
  EstadoRegistro: 'Incorrecto',
  CodigoErrorRegistro: 3000,
  DescripcionErrorRegistro: 'Duplicado',
} as const;

/** What the AEAT holds under the number of the invoice: this very registro, unless said otherwise. */
const held = (changes: Partial<RegistroConsultado> = {}): RegistroConsultado => ({
  IDEmisorFactura: NIF,
  NumSerieFactura: ALTA.NumSerieFactura,
  FechaExpedicionFactura: ALTA.FechaExpedicionFactura,
  Huella: ALTA.Huella,
  HuellaAnterior: '',
  FechaHoraHusoGenRegistro: '2026-11-20T11:00:00+01:00',
  EstadoRegistro: 'Correcto',
  ...changes,
});
const duplicado = (EstadoRegistroDuplicado: string) =>
  lineOf(ALTA, {
    ...DUPLICATE,
    RegistroDuplicado: {
      IdPeticionRegistroDuplicado: '1',
      EstadoRegistroDuplicado,
      CodigoErrorRegistro: 2005,
      DescripcionErrorRegistro: 'Huella',
    },
  });

describe('what the AEAT said of a registro', () => {
  const brief = (respuesta: ReturnType<typeof respuestaOf>) => [
    respuesta.EstadoRegistro,
    respuesta.CodigoErrorRegistro,
    respuesta.DescripcionErrorRegistro,
    respuesta.esDuplicado,
  ];

  it('is what its line says', () => {
    expect(brief(respuestaOf(ALTA, lineOf(ALTA), undefined))).toEqual([
      'Correcto',
      null,
      null,
      false,
    ]);
    const refused = lineOf(ALTA, {
      EstadoRegistro: 'Incorrecto',
      CodigoErrorRegistro: 1153,
      DescripcionErrorRegistro: 'NIF',
    });
    expect(brief(respuestaOf(ALTA, refused, undefined))).toEqual([
      'Incorrecto',
      1153,
      'NIF',
      false,
    ]);
    // Only a duplicate depends on what is held.
    expect(brief(respuestaOf(ALTA, refused, held()))).toEqual(['Incorrecto', 1153, 'NIF', false]);
  });

  it.each([
    ['Correcta', ['Correcto', null, null, true]],
    ['AceptadaConErrores', ['AceptadoConErrores', 2005, 'Huella', true]],
    ['Anulada', ['Incorrecto', 3001, null, true]],
  ])(
    'of one that had entered when its answer was lost, and is %s, is what it said then',
    (state, expected) => {
      expect(brief(respuestaOf(ALTA, duplicado(state), held()))).toEqual(expected);
    },
  );

  it.each([
    ['Correcto', ['Correcto', null, null, true]],
    ['AceptadoConErrores', ['AceptadoConErrores', 2005, 'Huella', true]],
    ['Anulado', ['Incorrecto', 3001, null, true]],
  ] as const)(
    'is taken from the query (%s) if the line does not tell the state',
    (EstadoRegistro, expected) => {
      const there = held({
        EstadoRegistro,
        CodigoErrorRegistro: 2005,
        DescripcionErrorRegistro: 'Huella',
      });
      expect(brief(respuestaOf(ALTA, lineOf(ALTA, DUPLICATE), there))).toEqual(expected);
    },
  );

  it('of an anulación that had entered is that it did: annulled is what it asked for', () => {
    const line = lineOf(ANULACION, DUPLICATE);
    const there = held({ EstadoRegistro: 'Anulado' });
    expect(brief(respuestaOf(ANULACION, line, there))).toEqual(['Correcto', null, null, true]);
  });

  it.each([
    ['another registro has', held({ Huella: 'B'.repeat(64) })],
    ['the AEAT does not show', undefined],
  ])('of a number that %s is that it clashes', (_what, there) => {
    expect(brief(respuestaOf(ALTA, duplicado('Correcta'), there))).toEqual([
      'Incorrecto',
      3000,
      'Duplicado',
      false,
    ]);
  });
});

describe('what becomes of its invoice', () => {
  const verdict = (registro: RegistroSent, changes: Partial<RespuestaLinea>) => {
    const respuesta = respuestaOf(registro, lineOf(registro, changes), held());
    const { status, CSV, errorCode } = verdictOf(registro, respuesta, 'A-CSV');
    return [status, CSV, errorCode];
  };

  it('follows from the state of the registro', () => {
    expect(verdict(ALTA, {})).toEqual(['Registrada', 'A-CSV', null]);
    expect(verdict(ANULACION, {})).toEqual(['Anulada', 'A-CSV', null]);
  });

  it('is with errors if there is something to mend, not for the clock nor for IPSI', () => {
    const accepted = (CodigoErrorRegistro: number) =>
      verdict(ALTA, { EstadoRegistro: 'AceptadoConErrores', CodigoErrorRegistro });
    expect(accepted(2005)).toEqual(['Aceptado con errores', 'A-CSV', 2005]);
    expect(accepted(2004)).toEqual(['Registrada', 'A-CSV', 2004]);
    expect(accepted(2009)).toEqual(['Registrada', 'A-CSV', 2009]);
  });

  it('has no CSV if it is refused, or if it entered with an answer that was lost', () => {
    expect(verdict(ALTA, { EstadoRegistro: 'Incorrecto', CodigoErrorRegistro: 1153 })).toEqual([
      'Rechazado',
      null,
      1153,
    ]);
    expect(verdict(ALTA, DUPLICATE)).toEqual(['Registrada', null, null]);
  });
});
