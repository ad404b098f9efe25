import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { onceCorrecting } from '../once-correcting.ts';
import { codigoOf, esReintentable, mensajeDeCodigo, mensajeDeFault } from './codigos.ts';
import { FAMILIAS } from './codigos-tabla.ts';
import { invoiceStatus } from './veredicto.ts';

// The AEAT's table lies beside its schemas; it is not ours to commit.
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const TABLE = resolve(ROOT, process.env.AEAT_XSD ?? '../shared/aeat/xsd', '../errores.tsv');
const isHere = existsSync(TABLE);
if (!isHere) console.warn(`Skipped: the AEAT's table of codes is not in ${TABLE}.`);

interface Row {
  readonly code: number;
  readonly isTecnico: boolean;
  readonly descripcion: string;
}

const rows: Row[] = isHere
  ? readFileSync(TABLE, 'utf8')
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => {
        const [code, , tecnico, descripcion = ''] = line.split('\t');
        return { code: Number(code), isTecnico: tecnico === 'S', descripcion };
      })
  : [];

describe.skipIf(!isHere)('the AEAT’s table of codes', () => {
  it('is here in full, without duplicates', () => {
    expect(rows.length).toBeGreaterThan(200);
    expect(rows.filter(({ code }) => !codigoOf(code)).map(({ code }) => code)).toEqual([]);
    const codes = FAMILIAS.flatMap(({ codigos }) => codigos);
    expect(new Set(codes).size).toBe(codes.length);
  });

  it('agrees on which may be sent again unchanged', () => {
    for (const { code, isTecnico } of rows)
      expect([code, esReintentable(code)]).toEqual([code, isTecnico]);
  });

  it('is not copied', () => {
    for (const { code, descripcion } of rows) {
      expect(codigoOf(code)?.mensaje).not.toContain(descripcion.replace(/[.:]$/, ''));
    }
  });
});

describe('each sentence', () => {
  it.each(FAMILIAS.map(({ codigos, mensaje }) => [codigos.join(' '), mensaje]))(
    '%s says what to do',
    (_codigos, mensaje) => {
      expect(mensaje).toMatch(/^[A-ZÁÉÍÓÚÑ].*[.]$/);
      expect(mensaje).toMatch(
        /«Corregir»|«Dejarla sin efecto»|Perfil|Ayuda y soporte|[Aa]núlala|vuelve a enviarlo|nada que corregir|emite una nueva|Emite una nueva|verifactu@/,
      );
    },
  );
});

describe('mensajeDeCodigo', () => {
  it('ends with the code, to look it up or to give it to support', () => {
    expect(mensajeDeCodigo(1206, { descripcion: '' })).toMatch(/\(AEAT 1206\)$/);
  });

  it('quotes the AEAT only if its text says more than ours', () => {
    const descripcion = 'Valor o tipo incorrecto del campo: CuotaTotal.';
    expect(mensajeDeCodigo(1100, { descripcion })).toContain('campo: CuotaTotal».');
    expect(mensajeDeCodigo(1100, { descripcion: '' })).not.toContain('La AEAT dice');
    expect(mensajeDeCodigo(1206, { descripcion: 'Otra cosa' })).not.toContain('Otra cosa');
  });

  it('has an invoice that came before its day sent again, because its anulación would be refused too', () => {
    const words = mensajeDeCodigo(1112, { descripcion: '' });
    expect(words).toContain('pulsa «Corregir» y regístrala otra vez sin cambiar nada');
    expect(words).not.toContain('núlala');
  });

  it('asks nobody to correct an invoice that counts as registered, which cannot be corrected', () => {
    const TipoRegistro = 'Alta';
    const EstadoRegistro = 'AceptadoConErrores';
    for (const { codigos, mensaje } of FAMILIAS) {
      for (const CodigoErrorRegistro of codigos) {
        const status = invoiceStatus({ TipoRegistro, EstadoRegistro, CodigoErrorRegistro });
        if (status === 'Registrada')
          expect(mensaje).toMatch(/^(?!.*«Corregir»).*nada que corregir/);
      }
    }
  });

  it('has nobody change the NIF of a company, which its registered invoices keep', () => {
    for (const code of [4115, 4116, 1120, 1219]) {
      const words = mensajeDeCodigo(code, { descripcion: '' });
      expect(words).toContain('crea otra cuenta');
      expect(words).not.toContain('Perfil');
    }
  });

  it('has a person who is not in the census identified as such', () => {
    expect(mensajeDeCodigo(2001, { descripcion: '' })).toContain('«No censado»');
  });

  it('lets what was to be annulled be annulled again, not registered', () => {
    for (const code of [3002, 3003]) {
      expect(mensajeDeCodigo(code, { descripcion: '' })).toContain('anúlala de nuevo');
    }
  });

  it('explains 3004 and 1193 as in the AEAT’s table', () => {
    const words = mensajeDeCodigo(3004, { descripcion: '' });
    expect(words).toContain('con su formulario');
    // Otherwise it holds back the invoices behind it.
    expect(words).toContain('«Dejarla sin efecto»');
    expect(mensajeDeCodigo(1193, { descripcion: '' })).toContain('tu propia empresa');
  });

  it('is useful for an unknown code', () => {
    expect(mensajeDeCodigo(9999, { descripcion: 'Algo nuevo.' })).toBe(
      'La AEAT ha respondido con un código que Huella no conoce. La AEAT dice: «Algo nuevo». Si no sabes qué hacer, escríbenos desde Ayuda y soporte. (AEAT 9999)',
    );
    expect(mensajeDeCodigo(9999, { descripcion: '' })).not.toContain('«');
    expect(esReintentable(9999)).toBe(false);
  });

  it('says that there is none, and quotes what the AEAT wrote on one line', () => {
    expect(mensajeDeCodigo(null, { descripcion: ' Algo\n  más. Nuevo. ' })).toBe(
      'La AEAT no lo ha dado por bueno y no dice con qué código. La AEAT dice: «Algo más. Nuevo». Si no sabes qué hacer, escríbenos desde Ayuda y soporte.',
    );
  });

  it('of a whole message refused without a code is what the AEAT wrote, if it wrote anything', () => {
    expect(mensajeDeFault({ faultstring: 'Error interno' })).toBe('Error interno');
    const unsaid = mensajeDeCodigo(null, { descripcion: '' });
    expect(mensajeDeFault({ faultstring: ' ' })).toBe(unsaid);
    expect(mensajeDeFault({ code: 4112, faultstring: 'Codigo[4112].El titular' })).toBe(
      mensajeDeCodigo(4112, { descripcion: 'Codigo[4112].El titular' }),
    );
  });

  it('truncates a text that would fill the screen', () => {
    expect(mensajeDeCodigo(1100, { descripcion: 'x'.repeat(1500) }).length).toBeLessThan(600);
  });
});

it('tells nobody who is already correcting to press «Corregir»', () => {
  for (const { mensaje } of FAMILIAS) {
    const told = onceCorrecting(mensaje);
    expect(told).toMatch(/^[A-ZÁÉÍÓÚÑ].*[.]$/);
    expect(told).not.toMatch(/«Corregir»|[.] \p{Ll}|,\s*y regístrala|\s{2}/u);
  }
  expect(onceCorrecting('Falta la clave. Pulsa «Corregir» y elige otra. · Código 1100')).toBe(
    'Falta la clave. Elige otra. · Código 1100',
  );
  expect(
    onceCorrecting('Arréglalo en la ficha, pulsa «Corregir» en la factura y regístrala otra vez.'),
  ).toBe('Arréglalo en la ficha y regístrala otra vez.');
  expect(onceCorrecting('Cuando sea ese día, pulsa «Corregir» y regístrala otra vez.')).toBe(
    'Cuando sea ese día, regístrala otra vez.',
  );
});
