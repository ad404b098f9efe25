import type { z } from 'zod';
import type { ProductoBody, ProductoCambiado } from '../contract/parties.ts';
import type { Deps } from '../deps.ts';
import { isBlank } from '../domain/blank.ts';
import { lengthOf } from '../domain/cut.ts';
import { DomainError } from '../domain/errors.ts';
import { decimalToText, parseDecimal } from '../domain/money.ts';
import { isOfferedTax, MAX_PRODUCT_NAME, WRONG_PRICE, WRONG_TAX } from '../domain/product.ts';
import { PRICE_DECIMALS } from '../domain/totals.ts';
import { withChange } from '../domain/with-change.ts';
import { findCatalogs } from '../store/catalogs.ts';
import {
  insertProduct,
  lockProduct,
  nextProductNo,
  type Product,
  updateProduct,
} from '../store/products.ts';
import type { Tx } from '../store/sql.ts';
import { type Keep, keepNothing } from './keep-answer.ts';

type Body = z.infer<typeof ProductoBody>;

/**
 * Creates a product or service.
 *
 * @throws {DomainError} BAD_REQUEST with each wrong field; CONFLICT when the code is taken
 */
export async function createProduct(
  deps: Pick<Deps, 'sql'>,
  companyId: number,
  body: Body,
  keep: Keep<Product> = keepNothing,
): Promise<Product> {
  const product = await readProduct(deps, companyId, body);
  return deps.sql.begin(async (tx) => {
    const no = product.no || (await nextProductNo(tx, companyId));
    if (!(await insertProduct(tx, companyId, { ...product, no }))) {
      throw new DomainError('CONFLICT', `Ya existe un producto con el código ${no}.`);
    }
    const made = { ...product, no };
    await keep(tx, made);
    return made;
  });
}

/**
 * Changes the given fields of a product or service. Of two changes at once, the later one is applied to the result of
 * the first.
 *
 * @throws {DomainError} BAD_REQUEST with each wrong field; NOT_FOUND
 */
export async function changeProduct(
  deps: Pick<Deps, 'sql'>,
  companyId: number,
  change: z.infer<typeof ProductoCambiado>,
): Promise<Product> {
  return deps.sql.begin(async (tx) => {
    const saved = await lockProduct(tx, companyId, change.No.trim());
    if (!saved) throw new DomainError('NOT_FOUND', 'El producto no existe.');
    const body = withChange(bodyOf(saved), change);
    const product = await readProduct({ sql: tx }, companyId, body, saved.tax);
    await updateProduct(tx, companyId, product);
    return product;
  });
}

/** The price gets a decimal comma: `1.234` with a point would be read as more than a thousand. */
function bodyOf({ no, name, unitOfMeasure, unitPrice, tax }: Product): Body {
  const UnitPrice = unitPrice.replace('.', ',');
  return { No: no, Name: name, UnitOfMeasure: unitOfMeasure, UnitPrice, VATProdPostingGroup: tax };
}

/** @param savedTax the tax that it already has, which stays valid even if the company no longer offers it */
async function readProduct(
  { sql }: { readonly sql: Tx },
  companyId: number,
  body: Body,
  savedTax = '',
): Promise<Product> {
  const name = body.Name.trim();
  const price = parseDecimal(body.UnitPrice, PRICE_DECIMALS);
  const tax = body.VATProdPostingGroup ?? '';
  const { unidades, gruposIva } = await findCatalogs(sql, companyId, ['unidades', 'gruposIva']);
  const sentences = [
    ...(isBlank(name) ? ['Escribe el nombre del producto.'] : []),
    ...(lengthOf(name) > MAX_PRODUCT_NAME
      ? [`El nombre del producto no puede pasar de ${MAX_PRODUCT_NAME} caracteres.`]
      : []),
    ...(price === null || price < 0n ? [WRONG_PRICE] : []),
    ...(unidades.some(({ Code }) => Code === body.UnitOfMeasure)
      ? []
      : ['Elige la unidad de la lista.']),
    ...(tax === '' || tax === savedTax || isOfferedTax(gruposIva, tax) ? [] : [WRONG_TAX]),
  ];
  if (price === null || sentences.length > 0) throw new DomainError('BAD_REQUEST', sentences);
  return {
    no: body.No.trim(),
    name,
    unitOfMeasure: body.UnitOfMeasure,
    unitPrice: decimalToText(price, PRICE_DECIMALS),
    tax,
  };
}
