import { describe, expect, it } from 'vitest';
import { conciliar, type RegistroPropio } from './conciliar.ts';
import type { RegistroConsultado } from './consulta.ts';

const own = (
  seq: number,
  numero: string,
  EstadoRegistro: RegistroPropio['EstadoRegistro'],
  Huella = `H${seq}`,
): RegistroPropio => ({
  seq: BigInt(seq),
  NumSerieFactura: numero,
  FechaExpedicionFactura: '20-11-2026',
  Huella,
  EstadoRegistro,
});
const there = (
  numero: string,
  Huella: string,
  NumeroInstalacion = 'nuestra',
): RegistroConsultado => ({
  IDEmisorFactura: 'B12345674',
  NumSerieFactura: numero,
  FechaExpedicionFactura: '20-11-2026',
  Huella,
  HuellaAnterior: '',
  FechaHoraHusoGenRegistro: '',
  IdSistemaInformatico: 'HU',
  NumeroInstalacion,
  EstadoRegistro: 'Correcto',
});
const compare = (antes: RegistroPropio[], held: RegistroConsultado[], despues = antes) =>
  conciliar({
    antes,
    despues,
    held,
    madeBy: ({ NumeroInstalacion }) =>
      ({ nuestra: 'here' as const, pasada: 'former' as const })[NumeroInstalacion ?? ''] ?? 'other',
  });
const nothing = { distintos: [], soloAqui: [], soloAEAT: [], enEspera: 0, perdidos: [] };

describe('conciliar', () => {
  it('counts as equal what both hold, by the latest registro of each invoice', () => {
    const antes = [
      own(1, 'A', 'AceptadoConErrores'),
      own(2, 'B', 'Correcto'),
      own(3, 'A', 'Correcto'),
    ];
    expect(compare(antes, [there('A', 'H3'), there('B', 'H2')])).toEqual({
      ...nothing,
      iguales: 2,
    });
  });

  it('treats as equal what entered there although its answer was lost, and waits for the rest', () => {
    const antes = [own(1, 'A', null), own(2, 'B', null), own(3, 'C', null)];
    expect(compare(antes, [there('A', 'H1')])).toEqual({ ...nothing, iguales: 1, enEspera: 2 });
  });

  it('expects nothing of what was rejected', () => {
    expect(compare([own(1, 'A', 'Incorrecto')], [])).toEqual({ ...nothing, iguales: 0 });
  });

  it('does not report as lost what was registered between the two queries', () => {
    expect(compare([], [there('A', 'H1')], [own(1, 'A', 'Correcto')])).toEqual({
      ...nothing,
      iguales: 1,
    });
  });

  it.each([
    [
      'another huella, of another program',
      [own(1, 'A', 'Correcto')],
      there('A', 'X', 'otra'),
      'otra huella',
      0,
    ],
    ['another huella, made by us', [own(1, 'A', 'Correcto')], there('A', 'X'), 'otra huella', 1],
    [
      'another huella, of an installation that is over',
      [own(1, 'A', 'Correcto')],
      there('A', 'X', 'pasada'),
      'se perdió aquí',
      0,
    ],
    [
      'an older version',
      [own(1, 'A', 'Correcto'), own(2, 'A', 'Correcto')],
      there('A', 'H1'),
      'anterior',
      0,
    ],
    ['what is rejected here', [own(1, 'A', 'Incorrecto')], there('A', 'H1'), 'rechazada', 0],
  ] as const)('reports a difference when the AEAT holds %s', (_, antes, row, motivo, lost) => {
    const { distintos, iguales, perdidos } = compare([...antes], [row]);
    expect(iguales).toBe(0);
    expect(distintos).toEqual([
      expect.objectContaining({ motivo: expect.stringContaining(motivo) }),
    ]);
    expect(perdidos).toHaveLength(lost);
  });

  it('reports what is on one side only, and whose it is', () => {
    const { soloAqui, soloAEAT, perdidos } = compare(
      [own(1, 'A', 'Correcto')],
      [there('B', 'X', 'otra'), there('C', 'Y'), there('D', 'Z', 'pasada')],
    );
    expect(soloAqui).toMatchObject([{ NumSerieFactura: 'A', Huella: 'H1' }]);
    expect(soloAEAT).toMatchObject([
      { NumSerieFactura: 'B', HuellaAEAT: 'X', motivo: expect.stringContaining('otro programa') },
      {
        NumSerieFactura: 'C',
        HuellaAEAT: 'Y',
        motivo: expect.stringContaining('esta cuenta'),
      },
      {
        NumSerieFactura: 'D',
        HuellaAEAT: 'Z',
        motivo: expect.stringContaining('antes de que se perdieran'),
      },
    ]);
    // There is no huella of ours.
    for (const diferencia of soloAEAT) expect(diferencia).not.toHaveProperty('Huella');
    expect(perdidos.map((row) => row.NumSerieFactura)).toEqual(['C']);
  });

  it('shows our latest registro of an invoice beside the one that the AEAT holds', () => {
    const { distintos } = compare(
      [own(1, 'A', 'Correcto'), own(2, 'A', 'Correcto')],
      [there('A', 'H1')],
    );
    expect(distintos).toEqual([
      {
        NumSerieFactura: 'A',
        FechaExpedicionFactura: '20-11-2026',
        motivo: expect.any(String),
        Huella: 'H2',
        HuellaAEAT: 'H1',
      },
    ]);
  });

  it.each([
    ['ours was refused: the number is another program’s', ['Incorrecto'], 'otra', /otro programa/],
    ['ours was accepted too', ['Incorrecto', 'Correcto'], 'otra', /tiene otra huella\.$/],
    ['it is an earlier one of ours', ['Incorrecto'], 'nuestra', /tiene otra huella\.$/],
  ] as const)('says of another huella whose it is: %s', (_, estados, installation, motivo) => {
    const antes = estados.map((estado, i) => own(i + 1, 'A', estado));
    const { distintos } = compare(antes, [there('A', 'X', installation)]);
    expect(distintos.map((one) => one.motivo)).toEqual([expect.stringMatching(motivo)]);
    const annulled = { ...there('A', 'X'), EstadoRegistro: 'Anulado' } as const;
    expect(compare(antes, [annulled]).distintos[0]?.motivo).toContain('anulada, con otra huella.');
  });

  it('does not wait for the correction of what is missing there', () => {
    const { soloAqui, enEspera } = compare([own(1, 'A', 'Correcto'), own(2, 'A', null)], []);
    expect(soloAqui).toMatchObject([{ NumSerieFactura: 'A', Huella: 'H1' }]);
    expect(enEspera).toBe(0);
  });

  it('compares numbers without the blanks around them, which the AEAT does not keep', () => {
    expect(compare([own(1, 'A ', 'Correcto')], [there('A', 'H1')])).toEqual({
      ...nothing,
      iguales: 1,
    });
  });
});
