/** The sello that stands for the product: that of the example invoice, 00041/LO. */
export const BRAND_HUELLA = '0000000000000000000000000000000000000000000000000000000000000000';
