import { nextCode } from './counters.ts';
import type { Tx } from './sql.ts';
import { type Versioned, versionOf, versionText } from './versioned.ts';

/** A saved product or service. `unitPrice` is decimal text of euros with up to six decimals. */
export interface Product {
  readonly no: string;
  readonly name: string;
  readonly unitOfMeasure: string;
  readonly unitPrice: string;
  /** The tax that it is usually sold with, a `VATProdPostingGroup`; empty if not set. */
  readonly tax: string;
}

interface ProductRow {
  no: string;
  name: string;
  unit_of_measure: string;
  unit_price: string;
  vat_prod_posting_group: string;
}

/** The products of a company, by name in Spanish order. */
export async function listProducts(tx: Tx, companyId: number): Promise<readonly Product[]> {
  return (await versionedProducts(tx, companyId)).items;
}

/** The same, with the version of the list. */
export async function versionedProducts(tx: Tx, companyId: number): Promise<Versioned<Product>> {
  const rows = await tx<(ProductRow & { hash: bigint })[]>`
    select no, name, unit_of_measure, unit_price, vat_prod_posting_group,
           hash_record_extended(products, 0) as hash
      from products
     where company_id = ${companyId}
     order by name collate "es-x-icu", no`;
  return { version: versionOf(rows.map(({ hash }) => hash)), items: rows.map(fromRow) };
}

/** The version of the list, without reading it. */
export async function productsVersion(tx: Tx, companyId: number): Promise<string> {
  const [row] = await tx<{ count: bigint; sum: string }[]>`
    select count(*) as count, coalesce(sum(hash_record_extended(products, 0)), 0) as sum
      from products
     where company_id = ${companyId}`;
  return versionText(row?.count ?? 0, row?.sum ?? '0');
}

/** A product of a company, locked against changes until this transaction ends, or null. */
export async function lockProduct(tx: Tx, companyId: number, no: string): Promise<Product | null> {
  const [row] = await tx<ProductRow[]>`
    select no, name, unit_of_measure, unit_price, vat_prod_posting_group
      from products
     where company_id = ${companyId} and no = ${no}
       for no key update`;
  return row ? fromRow(row) : null;
}

/** Inserts a product. @returns false when its code is taken */
export async function insertProduct(tx: Tx, companyId: number, product: Product): Promise<boolean> {
  const { count } = await tx`
    insert into products (company_id, no, name, unit_of_measure, unit_price, vat_prod_posting_group)
    values (${companyId}, ${product.no}, ${product.name}, ${product.unitOfMeasure},
            ${product.unitPrice}, ${product.tax})
        on conflict (company_id, no) do nothing`;
  return count === 1;
}

/** Overwrites a product. */
export async function updateProduct(tx: Tx, companyId: number, product: Product): Promise<void> {
  await tx`
    update products
       set name = ${product.name}, unit_of_measure = ${product.unitOfMeasure},
           unit_price = ${product.unitPrice}, vat_prod_posting_group = ${product.tax},
           updated_at = now()
     where company_id = ${companyId} and no = ${product.no}`;
}

export async function deleteProduct(tx: Tx, companyId: number, no: string): Promise<boolean> {
  const { count } = await tx`
    delete from products where company_id = ${companyId} and no = ${no}`;
  return count === 1;
}

export async function deleteAllProducts(tx: Tx, companyId: number): Promise<void> {
  await tx`delete from products where company_id = ${companyId}`;
}

/** The next free code of a product, `P00001`. */
export function nextProductNo(tx: Tx, companyId: number): Promise<string> {
  return nextCode(tx, companyId, { counter: 'product', letter: 'P' }, async (no) => {
    const [row] = await tx`select 1 from products where company_id = ${companyId} and no = ${no}`;
    return row === undefined;
  });
}

function fromRow(row: ProductRow): Product {
  return {
    no: row.no,
    name: row.name,
    unitOfMeasure: row.unit_of_measure,
    unitPrice: row.unit_price,
    tax: row.vat_prod_posting_group,
  };
}
