import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  alDejarlaOf,
  codigoQueConsta,
  conLoPerdido,
  constaDeAlta,
  type Desenlace,
  isLatestAltaAccepted,
  MATRIZ,
  marcasDeAlta,
  marcasDeAnulacion,
  quedaSinEfecto,
  rechazoOf,
  seEstaAnulando,
  situacionOf,
} from './correcciones.ts';

const alta = (EstadoRegistro: Desenlace['EstadoRegistro'], codigo: number | null = null) =>
  ({ TipoRegistro: 'Alta', EstadoRegistro, CodigoErrorRegistro: codigo }) as const;
const anulacion = (EstadoRegistro: Desenlace['EstadoRegistro'], codigo: number | null = null) =>
  ({ TipoRegistro: 'Anulacion', EstadoRegistro, CodigoErrorRegistro: codigo }) as const;

describe('the alta that follows', () => {
  it.each([
    ['nothing', [], {}],
    ['an accepted one', [alta('Correcto')], { Subsanacion: 'S' }],
    ['one accepted with errors', [alta('AceptadoConErrores', 2001)], { Subsanacion: 'S' }],
    ['a refused one', [alta('Incorrecto', 1239)], { Subsanacion: 'S', RechazoPrevio: 'X' }],
    [
      'one refused twice',
      [alta('Incorrecto', 1239), alta('Incorrecto', 1239)],
      { Subsanacion: 'S', RechazoPrevio: 'X' },
    ],
    [
      'a refused subsanación',
      [alta('AceptadoConErrores', 2001), alta('Incorrecto', 1239)],
      { Subsanacion: 'S', RechazoPrevio: 'S' },
    ],
    [
      'a subsanación that entered after a refusal',
      [alta('Incorrecto', 1239), alta('AceptadoConErrores', 2001)],
      { Subsanacion: 'S' },
    ],
    [
      'a refused anulación of an accepted alta',
      [alta('Correcto'), anulacion('Incorrecto', 1100)],
      { Subsanacion: 'S' },
    ],
    [
      'a refused anulación of what never entered',
      [alta('Incorrecto', 1239), anulacion('Incorrecto', 1100)],
      { Subsanacion: 'S', RechazoPrevio: 'X' },
    ],
    ['a number that another program used', [alta('Incorrecto', 3000)], { Subsanacion: 'S' }],
    [
      'a subsanación of what the AEAT no longer has',
      [alta('Correcto'), alta('Incorrecto', 3002)],
      { Subsanacion: 'S', RechazoPrevio: 'X' },
    ],
    [
      'an anulación of what the AEAT no longer has',
      [alta('Correcto'), anulacion('Incorrecto', 3002)],
      { Subsanacion: 'S', RechazoPrevio: 'X' },
    ],
    ['its anulación', [alta('Correcto'), anulacion('Correcto')], { Subsanacion: 'S' }],
    [
      'its anulación and a refused one',
      [alta('Correcto'), anulacion('Correcto'), alta('Incorrecto', 1239)],
      { Subsanacion: 'S', RechazoPrevio: 'S' },
    ],
  ])('%s', (_, desenlaces, marcas) => {
    expect(marcasDeAlta(desenlaces)).toEqual(marcas);
  });
});

describe('the anulación that follows', () => {
  it.each([
    ['an accepted alta', [alta('Correcto')], {}],
    ['one accepted with errors', [alta('AceptadoConErrores', 2001)], {}],
    ['a refused alta', [alta('Incorrecto', 1239)], { SinRegistroPrevio: 'S' }],
    [
      'a refused alta and its own refusal',
      [alta('Incorrecto', 1239), anulacion('Incorrecto', 1100)],
      { SinRegistroPrevio: 'S', RechazoPrevio: 'S' },
    ],
    [
      'its own refusal over an accepted alta',
      [alta('Correcto'), anulacion('Incorrecto', 1100)],
      { RechazoPrevio: 'S' },
    ],
    ['a refused subsanación', [alta('Correcto'), alta('Incorrecto', 1239)], {}],
    ['itself', [alta('Correcto'), anulacion('Correcto')], null],
    ['one that the AEAT says is annulled', [alta('Correcto'), anulacion('Incorrecto', 3001)], null],
    ['a number that another program used', [alta('Incorrecto', 3000)], null],
  ])('%s', (_, desenlaces, marcas) => {
    expect(marcasDeAnulacion(desenlaces)).toEqual(marcas);
  });
});

describe('«Dejarla como estaba»', () => {
  it.each([
    ['a refused anulación', [alta('Correcto'), anulacion('Incorrecto', 1100)], 'Registrada'],
    [
      'a refused subsanación',
      [alta('AceptadoConErrores', 2001), alta('Incorrecto', 1239)],
      'Aceptado con errores',
    ],
    [
      'one of what was accepted late, with nothing to mend',
      [alta('AceptadoConErrores', 2004), anulacion('Incorrecto', 1100)],
      'Registrada',
    ],
    [
      'a second subsanación, the first having mended it',
      [alta('AceptadoConErrores', 2001), alta('Correcto'), alta('Incorrecto', 1239)],
      'Registrada',
    ],
    [
      'both, one after the other',
      [alta('AceptadoConErrores', 2005), alta('Incorrecto', 1239), anulacion('Incorrecto', 1100)],
      'Aceptado con errores',
    ],
    [
      'an anulación of what is annulled there',
      [alta('Correcto'), anulacion('Incorrecto', 3001)],
      'Anulada',
    ],
    ['a refused first alta: nothing is there', [alta('Incorrecto', 1239)], null],
    ['a number of another program', [alta('Incorrecto', 3000)], null],
    ['what the AEAT no longer has', [alta('Correcto'), alta('Incorrecto', 3002)], null],
    ['what was accepted', [alta('Correcto')], null],
    ['what waits', [alta('Correcto'), anulacion(null)], null],
    ['nothing', [], null],
  ])('after %s', (_, desenlaces, queda) => {
    expect(alDejarlaOf(desenlaces)).toBe(queda);
    expect(rechazoOf(desenlaces)?.alDejarla ?? null).toBe(queda);
  });
});

it.each([
  ['a number of another program', [alta('Incorrecto', 3000)], true],
  ['its correction, refused too', [alta('Incorrecto', 3000), alta('Incorrecto', 1100)], true],
  ['an invoice typed into the AEAT’s form', [alta('Incorrecto', 3004)], true],
  ['ours, changed there', [alta('Correcto'), alta('Incorrecto', 3004)], false],
  ['its correction, which took the place', [alta('Incorrecto', 3000), alta('Correcto')], false],
  ['its correction, not answered', [alta('Incorrecto', 3000), alta(null)], false],
  ['a duplicate of what is ours', [alta('Correcto'), alta('Incorrecto', 3000)], false],
  ['a refused alta', [alta('Incorrecto', 1239)], false],
  ['nothing', [], false],
])('is left without effect after %s: %j %s', (_, desenlaces, is) => {
  expect(quedaSinEfecto(desenlaces)).toBe(is);
});

describe('what the AEAT holds', () => {
  it.each([
    ['nothing', [], false],
    ['what waits', [alta(null)], false],
    ['what was accepted', [alta('Correcto')], true],
    ['what was accepted with errors', [alta('AceptadoConErrores', 2001)], true],
    ['what was refused', [alta('Incorrecto', 1239)], false],
    ['a number of another program', [alta('Incorrecto', 3000)], false],
    ['a refused correction', [alta('Correcto'), alta('Incorrecto', 1239)], true],
    ['an anulación that waits', [alta('Correcto'), anulacion(null)], true],
    ['an anulación', [alta('Correcto'), anulacion('Correcto')], false],
  ])('is an alta or not, after %s', (_, desenlaces, is) => {
    expect(constaDeAlta(desenlaces)).toBe(is);
  });

  it.each([
    ['nothing', [], false],
    ['what waits', [alta(null)], false],
    ['a correction that waits', [alta('Correcto'), alta(null)], false],
    ['a refused correction', [alta('Correcto'), alta('Incorrecto', 1239)], false],
    ['a correction', [alta('Incorrecto', 1239), alta('AceptadoConErrores', 2001)], true],
    ['a refused anulación', [alta('Correcto'), anulacion('Incorrecto', 1100)], true],
  ])('is the latest alta or not, after %s', (_, desenlaces, is) => {
    expect(isLatestAltaAccepted(desenlaces)).toBe(is);
  });

  it.each([
    ['nothing', [], null],
    ['what was refused', [alta('Incorrecto', 1239)], null],
    ['a refused correction', [alta('AceptadoConErrores', 2001), alta('Incorrecto', 1239)], 2001],
    ['a correction', [alta('AceptadoConErrores', 2001), alta('AceptadoConErrores', 2000)], 2000],
    ['one that mended it', [alta('AceptadoConErrores', 2001), alta('Correcto')], null],
    ['a late anulación', [alta('Correcto'), anulacion('AceptadoConErrores', 2004)], null],
  ])('has this wrong, after %s', (_, desenlaces, codigo) => {
    expect(codigoQueConsta(desenlaces)).toBe(codigo);
  });
});

it.each([
  ['nothing', [], false],
  ['an alta that waits', [alta(null)], false],
  ['an anulación that waits', [alta('Correcto'), anulacion(null)], true],
  ['an accepted one', [alta('Correcto'), anulacion('Correcto')], false],
  ['a refused one', [alta('Correcto'), anulacion('Incorrecto', 1100)], false],
  ['an alta that waits behind it', [alta('Correcto'), anulacion(null), alta(null)], false],
])('is being annulled after %s: %j %s', (_, desenlaces, is) => {
  expect(seEstaAnulando(desenlaces)).toBe(is);
});

it('tells what was refused and what is held after it', () => {
  expect(rechazoOf([])).toBeNull();
  expect(rechazoOf([alta('Incorrecto', 1239)])).toStrictEqual({
    TipoRegistro: 'Alta',
    enAeat: 'nada',
  });
  expect(rechazoOf([alta('Correcto'), anulacion('Incorrecto', 1100)])).toStrictEqual({
    TipoRegistro: 'Anulacion',
    enAeat: 'alta',
    alDejarla: 'Registrada',
  });
});

it('has one row per situation', () => {
  const keys = MATRIZ.map(({ enAeat, rechazada }) => `${enAeat} ${rechazada}`);
  expect(new Set(keys).size).toBe(keys.length);
});

/** The AEAT's side of the matrix, written independently: its answer to those marks, by what it holds. */
function aeatAnswers(
  held: 'nada' | 'alta' | 'anulacion',
  tipo: Desenlace['TipoRegistro'],
  marcas: { Subsanacion?: string; RechazoPrevio?: string; SinRegistroPrevio?: string },
): number | null {
  if (tipo === 'Anulacion') {
    if (marcas.SinRegistroPrevio === 'S') return held === 'nada' ? null : 3000;
    return held === 'nada' ? 3002 : null;
  }
  if (marcas.Subsanacion !== 'S') {
    if (marcas.RechazoPrevio) return 1153;
    return held === 'nada' ? null : 3000;
  }
  if (marcas.RechazoPrevio === 'X') return held === 'nada' ? null : 3000;
  return held === 'nada' ? 3002 : null;
}

type Step =
  | { readonly kind: 'declare'; readonly tipo: 'Alta' | 'Anulacion'; readonly fails: boolean }
  | { readonly kind: 'other-program' }
  | { readonly kind: 'forgotten' };

const steps = fc.array(
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({
        kind: fc.constant('declare' as const),
        tipo: fc.constantFrom('Alta' as const, 'Anulacion' as const),
        fails: fc.boolean(),
      }),
    },
    { weight: 1, arbitrary: fc.constant({ kind: 'other-program' as const }) },
    { weight: 1, arbitrary: fc.constant({ kind: 'forgotten' as const }) },
  ),
  { maxLength: 60 },
);

/** Runs the story of an invoice; its registros have the marks of the table. */
function run(story: readonly Step[]) {
  const desenlaces: Desenlace[] = [];
  const codes: (number | null)[] = [];
  let held: 'nada' | 'alta' | 'anulacion' = 'nada';
  const declare = (tipo: 'Alta' | 'Anulacion', fails: boolean) => {
    const marcas = tipo === 'Alta' ? marcasDeAlta(desenlaces) : marcasDeAnulacion(desenlaces);
    if (!marcas) return;
    // Errors in the data are found before the stored state is checked.
    const code = fails ? 1239 : aeatAnswers(held, tipo, marcas);
    codes.push(code);
    if (code === null) held = tipo === 'Alta' ? 'alta' : 'anulacion';
    desenlaces.push({
      TipoRegistro: tipo,
      EstadoRegistro: code === null ? 'Correcto' : 'Incorrecto',
      CodigoErrorRegistro: code,
    });
  };
  for (const step of story) {
    if (step.kind === 'declare') declare(step.tipo, step.fails);
    else held = step.kind === 'forgotten' ? 'nada' : 'alta';
  }
  return { declare, codes, desenlaces, held: () => held };
}

it('the registro after one that was lost here replaces it', () => {
  const refused = [alta('Incorrecto', 1100)];
  const clashed = [alta('Incorrecto', 3000)];
  expect(marcasDeAlta(conLoPerdido(refused, { constaAceptada: true }))).toEqual({
    Subsanacion: 'S',
  });
  expect(marcasDeAnulacion(conLoPerdido(refused, { constaAceptada: true }))).toEqual({});
  expect(marcasDeAnulacion(conLoPerdido(clashed, { constaAceptada: true }))).toEqual({});
  // A refused anulación of it counts after that too.
  const kept = conLoPerdido([...refused, anulacion('Incorrecto', 1100)], { constaAceptada: true });
  expect(marcasDeAnulacion(kept)).toEqual({ RechazoPrevio: 'S' });
  expect(conLoPerdido(refused, { constaAceptada: false })).toBe(refused);
  const held = [alta('AceptadoConErrores', 2001)];
  expect(conLoPerdido(held, { constaAceptada: true })).toBe(held);
});

describe('over any sequence of outcomes', () => {
  it('is never refused for its marks while only we declare', () => {
    const alone = steps.map((story) => story.filter((step) => step.kind === 'declare'));
    fc.assert(
      fc.property(alone, (story) => {
        const { codes } = run(story);
        expect(codes.filter((code) => code !== null && code !== 1239)).toEqual([]);
      }),
    );
  });

  it('knows what the AEAT holds while only we declare', () => {
    const alone = steps.map((story) => story.filter((step) => step.kind === 'declare'));
    fc.assert(
      fc.property(alone, (story) => {
        const { desenlaces, held } = run(story);
        expect(situacionOf(desenlaces).enAeat).toBe(held());
      }),
    );
  });

  it('leaves an invoice as the AEAT has it, whenever that is offered', () => {
    const alone = steps.map((story) => story.filter((step) => step.kind === 'declare'));
    fc.assert(
      fc.property(alone, (story) => {
        const { declare, codes, desenlaces, held } = run(story);
        const queda = alDejarlaOf(desenlaces);
        const isRefused = desenlaces.at(-1)?.EstadoRegistro === 'Incorrecto';
        const asHeld = { nada: null, alta: 'Registrada', anulacion: 'Anulada' }[held()];
        expect(queda).toBe(isRefused ? asHeld : null);
        // A later registro of it is accepted, as if the refused one had never existed.
        if (queda !== 'Registrada') return;
        declare('Anulacion', false);
        expect([codes.at(-1), held()]).toEqual([null, 'anulacion']);
      }),
    );
  });

  it('is accepted at the second attempt at the latest, whatever other programs did there', () => {
    fc.assert(
      fc.property(steps, (story) => {
        const { declare, codes, held } = run(story);
        declare('Alta', false);
        if (codes.at(-1) !== null) declare('Alta', false);
        expect(codes.at(-1)).toBeNull();
        expect(held()).toBe('alta');
      }),
    );
  });
});
