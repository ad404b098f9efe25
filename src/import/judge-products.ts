import type { AccionImportar } from '../contract/imports.ts';
import { isBlank } from '../domain/blank.ts';
import { lengthOf } from '../domain/cut.ts';
import { decimalToText, parsePlainDecimal } from '../domain/money.ts';
import { priceWithoutTax } from '../domain/price-with-tax.ts';
import {
  isOfferedTax,
  isProductTax,
  MAX_PRODUCT_NAME,
  WRONG_PRICE,
  WRONG_TAX,
} from '../domain/product.ts';
import { PRICE_DECIMALS, taxBpsOf } from '../domain/totals.ts';
import { firstTax } from '../domain/usual-tax.ts';
import { type FieldProblem, repeated } from './judge-customers.ts';
import type { Known, KnownProduct } from './known.ts';
import { folded } from './sheets.ts';

export type ProductJudgement =
  | {
      readonly ok: true;
      readonly product: KnownProduct;
      readonly accion: Exclude<AccionImportar, 'erroneo'>;
      /** Fields that change in a saved product. */
      readonly cambios: readonly string[];
    }
  | { readonly ok: false; readonly problems: readonly FieldProblem[] };

/** Validates products one after another, by code or, without one, by name. */
export class ProductJudge {
  readonly #known: Known;
  readonly #byNo = new Map<string, KnownProduct>();
  readonly #byName = new Map<string, KnownProduct>();
  /** The rows in which they were seen. */
  readonly #seen = new Map<string, number | undefined>();
  readonly #all = new Map<string, KnownProduct>();

  constructor(known: Known) {
    this.#known = known;
    for (const product of known.products) {
      this.#byNo.set(folded(product.no), product);
      this.#byName.set(folded(product.name), product);
    }
  }

  /**
   * @param values as read from the cells: the price is plain decimal text, with a point
   * @param fila where they are, for a later row that repeats them
   */
  judge(values: Readonly<Record<string, string>>, fila?: number): ProductJudgement {
    const { product, existing, key, problems } = this.#examine(values);
    if (problems.length > 0) return { ok: false, problems };
    this.#seen.set(key, fila);
    this.#all.set(folded(product.no), product);
    return { ok: true, product, ...fateOf(product, existing) };
  }

  /** What is wrong with a product of which some fields could not be read; those are empty here. */
  problemsOf(values: Readonly<Record<string, string>>): readonly FieldProblem[] {
    return this.#examine(values).problems;
  }

  #examine(values: Readonly<Record<string, string>>): {
    readonly product: KnownProduct;
    readonly existing: KnownProduct | undefined;
    /** By which another row of the file may repeat it. */
    readonly key: string;
    readonly problems: readonly FieldProblem[];
  } {
    const { No = '', Name = '', UnitPrice = '', UnitOfMeasure = '' } = values;
    const { VATProdPostingGroup: tax = '', priceWithTax: withTax = '' } = values;
    const name = Name.trim();
    const existing = No ? this.#byNo.get(folded(No)) : this.#byName.get(folded(name));
    const price = this.#priceOf(values, tax || existing?.tax || '');
    const product: KnownProduct = {
      no: existing?.no ?? No.trim(),
      name,
      unitOfMeasure: UnitOfMeasure || existing?.unitOfMeasure || 'UD',
      unitPrice: decimalToText(price ?? 0n, PRICE_DECIMALS),
      tax: tax || existing?.tax || '',
    };
    const problems: FieldProblem[] = [];
    const refuse = (campo: string, mensaje: string) => problems.push({ campo, mensaje });
    if (isBlank(name)) refuse('Name', 'Escribe el nombre del producto.');
    if (lengthOf(name) > MAX_PRODUCT_NAME) {
      refuse('Name', `No puede pasar de ${MAX_PRODUCT_NAME} caracteres.`);
    }
    if (price === null || price < 0n) {
      refuse(UnitPrice === '' && withTax !== '' ? 'priceWithTax' : 'UnitPrice', WRONG_PRICE);
    }
    if (!this.#known.units.has(product.unitOfMeasure)) {
      refuse('UnitOfMeasure', 'Elige la unidad de la lista.');
    }
    // A saved tax may stay, even if the company no longer offers it.
    if (tax !== '' && tax !== existing?.tax && !isOfferedTax(this.#known.vatGroups, tax)) {
      refuse('VATProdPostingGroup', WRONG_TAX);
    }
    const key = product.no ? `no:${folded(product.no)}` : `name:${folded(name)}`;
    if (this.#seen.has(key)) {
      refuse(product.no ? 'No' : 'Name', repeated('Este producto', this.#seen.get(key)));
    }
    return { product, existing, key, problems };
  }

  /** Price without tax, in millionths of a euro: from the file, or calculated from the one with tax. */
  #priceOf(
    { UnitPrice = '', priceWithTax = '' }: Readonly<Record<string, string>>,
    tax: string,
  ): bigint | null {
    if (UnitPrice !== '') return parsePlainDecimal(UnitPrice, PRICE_DECIMALS);
    if (priceWithTax === '') return null;
    const withTax = parsePlainDecimal(priceWithTax, PRICE_DECIMALS);
    return withTax === null ? null : priceWithoutTax(withTax, this.#taxBpsOf(tax));
  }

  /** Without a tax of its own, the one that a line of the product starts with in the form. */
  #taxBpsOf(tax: string): bigint {
    const { vatGroups: groups } = this.#known;
    const group =
      groups.filter(isProductTax).find(({ VATProdPostingGroup }) => VATProdPostingGroup === tax) ??
      firstTax(groups, 'NAC');
    const line = {
      description: '',
      quantity: '1',
      price: '0',
      tax: group?.VATProdPostingGroup ?? '',
    };
    return taxBpsOf(line, { groups, typeClient: 'NAC', claveRegimen: '01' });
  }

  /** The product with a code, saved or in the file. */
  named(code: string): KnownProduct | undefined {
    return code ? (this.#all.get(folded(code)) ?? this.#byNo.get(folded(code))) : undefined;
  }
}

function fateOf(
  product: KnownProduct,
  existing: KnownProduct | undefined,
): { accion: Exclude<AccionImportar, 'erroneo'>; cambios: readonly string[] } {
  if (!existing) return { accion: 'nuevo', cambios: [] };
  const priceOf = ({ unitPrice }: KnownProduct) => parsePlainDecimal(unitPrice, PRICE_DECIMALS);
  const cambios = [
    ...(product.name === existing.name ? [] : ['Name']),
    ...(product.unitOfMeasure === existing.unitOfMeasure ? [] : ['UnitOfMeasure']),
    ...(priceOf(product) === priceOf(existing) ? [] : ['UnitPrice']),
    ...(product.tax === existing.tax ? [] : ['VATProdPostingGroup']),
  ];
  return { accion: cambios.length === 0 ? 'igual' : 'actualizado', cambios };
}
