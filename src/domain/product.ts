/** What a product or service may be, wherever it comes from: its form, a spreadsheet or Business Central. */
export const MAX_PRODUCT_NAME = 250;

/** Prices of products carry up to six decimals (numeric(18,6)), as those of lines do. */
export const PRICE_DECIMALS = 6;

export const WRONG_PRICE = `El precio debe ser un número desde 0, con un máximo de ${PRICE_DECIMALS} decimales.`;
