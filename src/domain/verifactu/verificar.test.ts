import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AHORA, issued, item, SISTEMA } from '../../../tests/fixtures/verifactu/invoices.ts';
import { anteriorOf, regFactuXml } from '../../../tests/support/verifactu.ts';
import { readAnyXml, readOwnXml } from './leer-registro.ts';
import {
  type Anterior,
  type RegistroAlta,
  type RegistroAnulacion,
  registroAltaFromInvoice,
  registroAnulacionOf,
} from './registro.ts';
import {
  CadenaVerifier,
  type ClaveRegistro,
  inOrderOfCadena,
  type RegistroLeido,
  verifyDocument,
  verifyRegistro,
} from './verificar.ts';
import { registroDocument, registroXml } from './xml.ts';

/** From the AEAT's documentation, which is not part of this repository. */
const OFFICIAL = resolve(
  fileURLToPath(new URL('../../../', import.meta.url)),
  process.env.AEAT_EJEMPLOS ?? '../shared/aeat/ejemplos',
  'oficial/registro-alta-R3-firmado-xades.xml',
);
const isThere = existsSync(OFFICIAL);
if (!isThere) console.warn(`Sin el ejemplo de la AEAT en ${OFFICIAL} (AEAT_EJEMPLOS): se salta.`);

/**
 * Five registros: four altas and, in third place, the anulación of the second.
 *
 * @param behind text after the number of an invoice
 */
function cadena(behind: string): string[] {
  let anterior: Anterior | null = null;
  const append = (registro: RegistroAlta | RegistroAnulacion) => {
    anterior = anteriorOf(registro);
    return registroXml(registro);
  };
  const contexto = (second: number) => ({
    anterior,
    SistemaInformatico: SISTEMA,
    FechaHoraHusoGenRegistro: AHORA.replace(/:\d\d([+-])/, `:0${second}$1`),
  });
  const invoice = (n: number) => ({
    ...issued({ items: [item(`${n}00`)] }),
    numSerie: `0000${n}${behind}`,
  });
  return [
    append(registroAltaFromInvoice(invoice(1), contexto(1))),
    append(registroAltaFromInvoice(invoice(2), contexto(2))),
    append(registroAnulacionOf(invoice(2), contexto(3))),
    append(registroAltaFromInvoice(invoice(3), contexto(4))),
    append(registroAltaFromInvoice(invoice(4), contexto(5))),
  ];
}

const CADENA = cadena('/LO&<');

function verify(fragments: readonly string[], { fromFirst = true } = {}) {
  const verifier = new CadenaVerifier({ fromFirst });
  for (const fragment of fragments) {
    const registro = verifyRegistro(fragment);
    if (registro) verifier.add(registro);
    else verifier.breakAt('?', 'ilegible');
  }
  return verifier.primeraRotura;
}

describe('verifying one registro', () => {
  it.each(CADENA.map((xml, i) => [i, xml] as const))(
    'accepts number %i as it was made',
    (_, xml) => {
      expect(verifyRegistro(xml)).toMatchObject({ problema: null });
    },
  );

  it('reads it with other prefixes, with blanks and inside a whole message', () => {
    const [first = '', second = '', third = ''] = CADENA;
    const message = regFactuXml({ ObligadoEmision: { NombreRazon: 'Uno', NIF: '89890001K' } }, [
      first,
      second,
      third,
    ]);
    const other = message
      .replaceAll('sum1:', 'x:')
      .replaceAll('xmlns:sum1', 'xmlns:x')
      .replace(/(<[^<]*>)(?=<)/g, '$1\n\t');
    expect(verifyDocument(other)?.map((r) => [r.TipoRegistro, r.problema])).toEqual([
      ['Alta', null],
      ['Alta', null],
      ['Anulacion', null],
    ]);
  });

  it('recognises whose program made it, even a foreign one', () => {
    const [xml = ''] = CADENA;
    expect(verifyRegistro(xml)).toMatchObject({
      Productor: 'A39200019',
      IdSistemaInformatico: SISTEMA.IdSistemaInformatico,
      NumeroInstalacion: SISTEMA.NumeroInstalacion,
    });
    const abroad = xml.replace(
      '<sum1:NIF>A39200019</sum1:NIF>',
      '<sum1:IDOtro><sum1:CodigoPais>DE</sum1:CodigoPais><sum1:IDType>04</sum1:IDType><sum1:ID>HRB 1</sum1:ID></sum1:IDOtro>',
    );
    expect(verifyRegistro(abroad)).toMatchObject({ Productor: 'HRB 1', problema: null });
  });

  it('distinguishes what is no XML from XML without registros', () => {
    expect(verifyDocument('<html><p>403</html>')).toBeNull();
    expect(verifyDocument('<html/>')).toEqual([]);
    expect(
      verifyDocument(registroDocument(CADENA[0] ?? '').replace('SuministroInf', 'Otro')),
    ).toEqual([]);
  });

  it('says which field is missing, repeated or of another kind', () => {
    const problem = (from: string | RegExp, to: string) =>
      verifyRegistro((CADENA[1] ?? '').replace(from, to))?.problema;
    expect(problem(/<sum1:CuotaTotal>.*?<\/sum1:CuotaTotal>/, '')).toContain('CuotaTotal');
    expect(
      problem('<sum1:CuotaTotal>', '<sum1:CuotaTotal>1</sum1:CuotaTotal><sum1:CuotaTotal>'),
    ).toContain('dos veces');
    expect(problem('<sum1:TipoHuella>01', '<sum1:TipoHuella>02')).toContain('TipoHuella');
    expect(
      problem(
        '<sum1:Encadenamiento>',
        '<sum1:Encadenamiento><sum1:PrimerRegistro>S</sum1:PrimerRegistro>',
      ),
    ).toContain('claramente');
  });

  const ID = ['IDEmisorFactura', 'NumSerieFactura', 'FechaExpedicionFactura'];
  const OF_ALL = ['FechaHoraHusoGenRegistro', 'TipoHuella', 'Huella'];
  it.each([
    ...[...ID, 'TipoFactura', 'CuotaTotal', 'ImporteTotal', ...OF_ALL].map((name) => [1, name]),
    ...[...ID.map((name) => `${name}Anulada`), ...OF_ALL].map((name) => [2, name]),
  ] as [number, string][])('names what is missing or blank: number %i, %s', (at, name) => {
    const xml = CADENA[at] ?? '';
    const tag = `<sum1:${name}>`;
    // The link, which comes after the first three and before the others, has fields of the same names.
    const own = ID.includes(name) ? xml.indexOf(tag) : xml.lastIndexOf(tag);
    const end = xml.indexOf(`</sum1:${name}>`, own);
    for (const rest of ['', `${tag}</sum1:${name}>`, `${tag} \u00a0\n</sum1:${name}>`]) {
      const without = xml.slice(0, own) + rest + xml.slice(end + tag.length + 1);
      expect(verifyRegistro(without)?.problema).toMatch(
        new RegExp(`^Le falta el campo (IDFactura/)?${name}\\.$`),
      );
    }
  });

  it.each([...ID, 'Huella'])('names what is missing in the link: %s', (name) => {
    const [, second = ''] = CADENA;
    const [link = ''] = /<sum1:RegistroAnterior>.*<\/sum1:RegistroAnterior>/s.exec(second) ?? [];
    const without = link.replace(new RegExp(`<sum1:${name}>.*?</sum1:${name}>`), '');
    expect(verifyRegistro(second.replace(link, without))?.problema).toBe(
      `Le falta el campo Encadenamiento/RegistroAnterior/${name}.`,
    );
  });

  it.each(['', '<sum1:PrimerRegistro>N</sum1:PrimerRegistro>'])(
    'does not take for the first one what does not say so: «%s»',
    (said) => {
      const first = (CADENA[0] ?? '').replace(/<sum1:PrimerRegistro>S<[^>]*>/, said);
      expect(verifyRegistro(first)?.problema).toContain('claramente');
    },
  );

  it.skipIf(!isThere)('agrees with the example that the AEAT publishes', () => {
    expect(verifyDocument(readFileSync(OFFICIAL, 'utf8'))).toMatchObject([{ problema: null }]);
  });
});

/** Every hashed field, as a pattern whose second group is its text. */
const HASHED = {
  Alta: [
    'IDEmisorFactura',
    'NumSerieFactura',
    'FechaExpedicionFactura',
    'TipoFactura',
    'CuotaTotal',
    'ImporteTotal',
    'FechaHoraHusoGenRegistro',
  ],
  Anulacion: [
    'IDEmisorFacturaAnulada',
    'NumSerieFacturaAnulada',
    'FechaExpedicionFacturaAnulada',
    'FechaHoraHusoGenRegistro',
  ],
} as const;

const change = (xml: string, field: string, edit: (text: string) => string) =>
  xml.replace(
    new RegExp(`(<sum1:${field}>)([^<]*)`),
    (_, tag: string, text: string) => tag + edit(text),
  );

describe('verifying a cadena', () => {
  it('accepts it whole, and from the middle on', () => {
    expect(verify(CADENA)).toBeNull();
    expect(verify(CADENA.slice(2), { fromFirst: false })).toBeNull();
  });

  it('names the first registro after a removed, moved or repeated one', () => {
    const [a = '', b = '', c = '', d = '', e = ''] = CADENA;
    expect(verify([b, c, d, e])?.motivo).toContain('primero de la cadena');
    expect(verify([a, c, d, e])).toMatchObject({ NumSerieFactura: '00002/LO&<' });
    expect(verify([a, b, d, c, e])).toMatchObject({ NumSerieFactura: '00003/LO&<' });
    expect(verify([a, b, c, c, d, e])).toMatchObject({ NumSerieFactura: '00002/LO&<' });
    expect(verify([a, b, c, a])?.motivo).toContain('Dice ser el primero');
  });

  it('compares the issuer, and the number and the day of the registro before', () => {
    const [first, second] = CADENA.slice(0, 2).map((xml) => verifyRegistro(xml) as RegistroLeido);
    const brokenBy = (change: Partial<RegistroLeido>, before: Partial<ClaveRegistro> = {}) => {
      const verifier = new CadenaVerifier({ fromFirst: true });
      const RegistroAnterior = { ...(second?.RegistroAnterior as ClaveRegistro), ...before };
      verifier.add(first as RegistroLeido);
      verifier.add({ ...(second as RegistroLeido), RegistroAnterior, ...change });
      verifier.breakAt('más tarde', 'otra cosa');
      return verifier.primeraRotura?.motivo;
    };
    expect(brokenBy({})).toBe('otra cosa');
    expect(brokenBy({ IDEmisorFactura: 'B12345674' })).toContain('de otro emisor');
    const [number, day] = [{ NumSerieFactura: '9' }, { FechaExpedicionFactura: '01-01-2026' }];
    expect(brokenBy({}, number)).toContain('Dice venir detrás de 9 del 20-11-2026');
    expect(brokenBy({}, day)).toContain('del 01-01-2026, pero');
  });

  it('detects any single change of a hashed field', () => {
    fc.assert(
      fc.property(
        fc.nat(CADENA.length - 1),
        fc.nat(6),
        fc.nat(),
        fc.constantFrom(...'0123456789ABCX-/. &'),
        (at, which, position, character) => {
          const xml = CADENA[at] ?? '';
          const fields = HASHED[xml.includes('RegistroAlta') ? 'Alta' : 'Anulacion'];
          const field = fields[which % fields.length] as string;
          const escaped = character === '&' ? '&amp;' : character;
          const tampered = change(xml, field, (text) => {
            const i = position % text.length;
            return text.slice(0, i) + escaped + text.slice(i + 1);
          });
          const before = readOwnXml(xml)?.campos;
          const after = readOwnXml(tampered)?.campos;
          const isSame = [...(before ?? [])].every(([k, v]) => after?.get(k)?.trim() === v.trim());
          fc.pre(!isSame);
          const fragments = CADENA.with(at, tampered);
          expect(verify(fragments)).not.toBeNull();
        },
      ),
      { numRuns: 500 },
    );
  });

  it('detects a change of either huella, even when the registro is hashed again to match', () => {
    const second = CADENA[1] ?? '';
    const own = change(second, 'ImporteTotal', () => '999.00');
    const calculada = verifyRegistro(own)?.HuellaCalculada ?? '';
    const redone = own.replace(/[0-9A-F]{64}(?=<\/sum1:Huella><\/sum1:RegistroAlta>)/, calculada);
    expect(verifyRegistro(redone)?.problema).toBeNull();
    expect(verify(CADENA.with(1, redone))).toMatchObject({
      NumSerieFactura: '00002/LO&<',
      motivo: expect.stringContaining('no es la suya'),
    });
  });

  it('lets a cadena begin after another only at a new installation', () => {
    const again = (NumeroInstalacion: string) =>
      registroXml(
        registroAltaFromInvoice(
          { ...issued({ items: [item('900')] }), numSerie: '00009/LO' },
          {
            anterior: null,
            SistemaInformatico: { ...SISTEMA, NumeroInstalacion },
            FechaHoraHusoGenRegistro: AHORA,
          },
        ),
      );
    expect(verify([...CADENA, again('otra')])).toBeNull();
    expect(verify([...CADENA, again(SISTEMA.NumeroInstalacion)])?.motivo).toContain(
      'ser el primero',
    );
    expect(verify([...CADENA, again('')])?.motivo).toContain('ser el primero');
    expect(verify([...CADENA, again('otra'), again('otra')])?.motivo).toContain('ser el primero');
  });

  it('puts loose registros back in order, and still finds gaps', () => {
    const leidos = CADENA.map((xml) => verifyRegistro(xml)).filter((r) => r !== null);
    fc.assert(
      fc.property(fc.shuffledSubarray(leidos, { minLength: leidos.length }), (shuffled) => {
        expect(inOrderOfCadena(shuffled)).toEqual(leidos);
      }),
    );
    const withGap = leidos.toSpliced(2, 1);
    expect(inOrderOfCadena(withGap.toReversed())).toEqual(withGap);
    const [first, second] = leidos;
    if (!first || !second) throw new Error('The cadena has several.');
    const repeated = Array.from({ length: 200_000 }, () => second);
    expect(inOrderOfCadena([first, ...repeated])).toEqual([first, second]);
  });

  it('keeps the order of those that name the same one as the previous', () => {
    const [first, second] = CADENA.map((xml) => verifyRegistro(xml));
    if (!first || !second) throw new Error('The cadena has several.');
    const both = [
      { ...second, NumSerieFactura: 'A' },
      { ...second, NumSerieFactura: 'B' },
    ];
    expect(inOrderOfCadena([...both, first])).toEqual([first, ...both]);
  });

  it('loses none of those whose links go round in a circle', () => {
    const [first, second] = CADENA.map((xml) => verifyRegistro(xml));
    if (!first || !second) throw new Error('The cadena has several.');
    const circle = [{ ...first, RegistroAnterior: second }, second];
    expect(inOrderOfCadena(circle)).toEqual(circle);
  });
});

describe('the fast reader', () => {
  it('uses its fast path for what we write', () => {
    for (const xml of CADENA) {
      expect([...(readOwnXml(xml)?.campos ?? [])]).toEqual([
        ...(readAnyXml(registroDocument(xml))?.[0]?.campos ?? []),
      ]);
    }
  });

  it('returns what the general reader returns, however the XML is altered', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        ...['<', '>', '&', '&amp;', '&#65;', '</', '/>', ' ', '\n', '\r\n', ']]>', '<!-- -->'],
        ...[
          '<![CDATA[x]]>',
          '<sum1:Huella>A</sum1:Huella>',
          '<sum1:X/>',
          'sum1:',
          'sum:',
          '\u0001',
        ],
        ...['<sum1:A b="c">', '😀', '\ufffe', '<sum1:Encadenamiento>', '</sum1:Encadenamiento>'],
      ),
      fc.string({ maxLength: 3 }),
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...CADENA),
        fc.array(fc.tuple(fc.nat(), fc.nat(12), piece), { minLength: 1, maxLength: 3 }),
        (xml, edits) => {
          const tampered = edits.reduce((text, [at, cut, piece]) => {
            const i = at % text.length;
            return text.slice(0, i) + piece + text.slice(i + cut);
          }, xml);
          const general = readAnyXml(registroDocument(tampered));
          const expected = general?.length === 1 ? general[0] : null;
          const own = readOwnXml(tampered);
          expect(own && [own.TipoRegistro, own.repetido, ...own.campos]).toEqual(
            expected ? [expected.TipoRegistro, expected.repetido, ...expected.campos] : null,
          );
        },
      ),
      { numRuns: 3000 },
    );
  });
});

describe('checking as bytes', () => {
  const addPlain = (verifier: CadenaVerifier, xml: string) => {
    // Among others, as in a batch from the database.
    const bytes = Buffer.from(`…>${xml}<…`);
    return verifier.addPlain(bytes, 4, bytes.length - 4);
  };
  /** Without characters to escape in the hashed fields, and with some beyond ASCII elsewhere. */
  const PLAIN = cadena('/26 A').map((xml) =>
    xml.replaceAll(
      /(?<=<sum1:(?:NombreRazonEmisor|DescripcionOperacion)>)/g,
      'Ñandú & €'.replace('&', '&amp;'),
    ),
  );
  const [primero = ''] = PLAIN;
  const READ = /<sum1:[A-Za-z]*(?:Factura|Total|Huella|Instalacion|Anulada|Registro)>([^<]+)/g;

  /** @param isByBytes as bytes first, reading in full only what that does not accept; otherwise everything in full */
  function follow(fragments: readonly string[], isByBytes: boolean) {
    const verifier = new CadenaVerifier({ fromFirst: true });
    let taken = 0;
    for (const fragment of fragments) {
      const plain = isByBytes ? addPlain(verifier, fragment) : null;
      const registro = plain ?? verifyRegistro(fragment);
      if (plain) taken += 1;
      else if (registro) verifier.add(registro as RegistroLeido);
      else verifier.breakAt('?', 'ilegible');
    }
    const { primeraRotura, registros, instalaciones, last } = verifier;
    return { taken, found: [primeraRotura, registros, instalaciones, last?.Huella] };
  }

  it('accepts what we write once it has read a similar one, with the same result as reading in full', () => {
    follow(PLAIN, false);
    const { taken, found } = follow(PLAIN, true);
    expect(taken).toBe(4); // Only reading in full can tell that the first may come first.
    expect(found.slice(0, 3)).toEqual([null, PLAIN.length, 1]);
    const verifier = new CadenaVerifier({ fromFirst: true });
    verifier.add(verifyRegistro(primero) as RegistroLeido);
    for (const xml of PLAIN.slice(1)) {
      const leido = verifyRegistro(xml);
      expect(addPlain(verifier, xml)?.TipoRegistro).toBe(leido?.TipoRegistro);
      expect(leido).toMatchObject(verifier.last ?? {});
      expect(Object.keys(verifier.last ?? {})).toHaveLength(4);
    }
  });

  it('does not accept a repeated field because it has seen a similar registro', () => {
    const twice = PLAIN.map((xml) =>
      xml.replace('<sum1:IdSistemaInformatico>', '<sum1:NIF>A39200019</sum1:NIF>$&'),
    );
    const { taken, found } = follow(twice, false);
    expect(found[0]).toMatchObject({ motivo: expect.stringContaining('dos veces') });
    expect(taken).toBe(0);
    expect(follow(twice, true)).toEqual({ taken: 0, found });
  });

  it('does not accept a huella of another kind, which no other field would show', () => {
    const [first = '', second = '', third = '', ...rest] = PLAIN;
    const other = third.replace('<sum1:TipoHuella>01<', '<sum1:TipoHuella>02<');
    const altered = [first, second, other, ...rest];
    const { found } = follow(altered, false);
    expect(found[0]).toMatchObject({ motivo: expect.stringContaining('TipoHuella 01') });
    expect(follow(altered, true).found).toEqual(found);
  });

  it('finds what reading in full finds, however the cadena is altered', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        ...[
          '<',
          '>',
          '&',
          '&amp;',
          '&#65;',
          ']]>',
          ' ',
          '\t',
          '\r',
          '\n',
          '\u0001',
          '\u00a0',
          'ñ',
          '😀',
        ],
        ...[
          '\ufffe',
          '\uffff',
          '\ufffd',
          '0',
          '1',
          'A',
          '<sum1:X/>',
          '<sum1:TipoHuella>01</sum1:TipoHuella>',
        ],
      ),
      fc.string({ maxLength: 3 }),
    );
    const tampered = fc
      .tuple(
        fc.shuffledSubarray([0, 1, 2, 3, 4, 4, 3], { minLength: 4 }),
        fc.boolean(),
        fc.array(fc.tuple(fc.nat(4), fc.nat(), fc.nat(3), piece), { maxLength: 2 }),
      )
      .map(([order, isInOrder, edits]) => {
        const registros = isInOrder ? [...PLAIN] : order.map((i) => PLAIN[i] ?? '');
        for (const [which, at, cut, text] of edits) {
          const xml = registros[which % registros.length] ?? '';
          // Half of the edits fall in the part of a registro that is read, which is small.
          const places = [...xml.matchAll(READ)].flatMap(({ index, 0: { length }, 1: text = '' }) =>
            Array.from(text, (_, j) => index + length - text.length + j),
          );
          const i =
            at % 2 ? (places[(at >> 1) % places.length] ?? 0) : (at >> 1) % Math.max(1, xml.length);
          registros[which % registros.length] = xml.slice(0, i) + text + xml.slice(i + cut);
        }
        return registros.map((xml) => Buffer.from(xml).toString()); // As stored in a UTF-8 database.
      });
    follow(PLAIN, false); // From here on, bytes can be compared with these.
    fc.assert(
      fc.property(tampered, (registros) => {
        expect(follow(registros, true).found).toEqual(follow(registros, false).found);
      }),
      { numRuns: 400 },
    );
    expect(follow(PLAIN, true).taken).toBe(4); // Having read others does not displace the ones in use.
  });
});
