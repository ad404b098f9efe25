/**
 * The sello that stands for the product is that of a real huella: the third link of a cadena of
 * example, invoice 00041/LO of Obrador Candela, S.L. (its test makes it again).
 */
export const BRAND_HUELLA = 'A17FD62517E630B8DB195FD704CAB1947CD8D4BA71BCF477672C16EB24E1C404';

/** The two invoices before it, and the same one changed by one cent. */
export const HUELLA_00039 = '6A9B4DC87E43D261FCF09E33D0BC23052BEC95614A1137BB641B6AA22B0DC3D8';
export const HUELLA_00040 = '16E14D9C5602B0633F6D4CC6E3854D9B9B2EAB7204C64EB2041D98567A5EA7C5';
export const HUELLA_00041_CHANGED =
  '3546E0A27A98D833127E71ADD48C1BF2DB776BC45AD9FBD11C06120C8095BF88';
