/** A column of the lines of an invoice. */
export type LineColumn = 'code' | 'description' | 'quantity' | 'price' | 'discount';

/** Where lines come from: a file of whole invoices, or cells pasted into the form. */
export type LineSource = 'file' | 'cells';

interface Title {
  readonly title: string;
  readonly only?: LineSource;
}

const both = (title: string): Title => ({ title });
/** Among pasted cells it may be something else, such as the position or the total of the line. */
const inFiles = (title: string): Title => ({ title, only: 'file' });
/** In a file of whole invoices it may be something else, such as the number of the invoice or its customer. */
const inCells = (title: string): Title => ({ title, only: 'cells' });

/**
 * What other programs call the columns of lines, without accents or capitals. The order is a rank: if a file has two
 * columns for the same thing, the one whose title comes first here is used.
 */
const TITLES: Readonly<Record<LineColumn, readonly Title[]>> = {
  code: [
    inFiles('codigo de producto'),
    inFiles('codigo producto'),
    inFiles('codigo articulo'),
    inFiles('cod articulo'),
    both('sku'),
    inFiles('product code'),
    inCells('codigo'),
    inCells('cod'),
    inCells('ref'),
    inCells('referencia'),
    inCells('ean'),
  ],
  description: [
    both('concepto'),
    both('descripcion'),
    both('detalle'),
    inFiles('linea'),
    both('articulo'),
    both('producto'),
    both('servicio'),
    inFiles('texto'),
    inFiles('etiqueta'),
    inFiles('label'),
    inFiles('description'),
    inFiles('item'),
    inCells('nombre'),
  ],
  quantity: [
    both('cantidad'),
    both('unidades'),
    both('uds'),
    both('ud'),
    both('cant'),
    both('horas'),
    inFiles('quantity'),
    both('qty'),
  ],
  price: [
    inFiles('precio unitario sin iva'),
    both('precio unitario'),
    both('precio'),
    inFiles('precio unidad'),
    inFiles('base unitaria'),
    inFiles('precio ud'),
    both('p unitario'),
    inFiles('base'),
    inFiles('base imponible'),
    inFiles('base imp'),
    inFiles('b imponible'),
    inFiles('importe'),
    inFiles('importe neto'),
    inFiles('importe sin iva'),
    inFiles('neto'),
    inFiles('subtotal'),
    inFiles('unit price'),
    inFiles('price'),
    inFiles('net'),
    inCells('precio unit'),
    inCells('tarifa'),
    inCells('precio sin iva'),
  ],
  discount: [
    both('descuento'),
    both('dto'),
    both('dcto'),
    inFiles('descuento linea'),
    inFiles('discount'),
    inCells('desc'),
  ],
};

/** The titles by which a column is recognised in lines of this source, best first. */
export function lineTitles(column: LineColumn, source: LineSource): readonly string[] {
  return TITLES[column].filter(({ only = source }) => only === source).map(({ title }) => title);
}

export const LINE_COLUMNS = Object.keys(TITLES) as LineColumn[];
