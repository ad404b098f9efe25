import { z } from 'zod';

const TipoIdentificacion = z.enum(['', '02', '03', '04', '05', '06', '07']);

export const Cliente = z.object({
  No: z.string(),
  Name: z.string(),
  VATRegistrationNo: z.string(),
  Address: z.string(),
  postCode: z.string(),
  countryCode: z.string(),
  Email: z.string(),
  PaymentMethod: z.string(),
  PaymentTerms: z.string(),
  CustomerPostingGroup: z.string(),
  /** List L7 of the AEAT, when it is not identified as its country and number say. */
  tipoIdentificacion: TipoIdentificacion.optional(),
});
export type Cliente = z.infer<typeof Cliente>;

/** SetClientes and UpdateClientes. An empty `No` asks for the next code. Only the name is required. */
export const ClienteBody = z.object({
  No: z.string().max(40).default(''),
  Name: z.string().max(300).default(''),
  VATRegistrationNo: z.string().max(40).default(''),
  Address: z.string().max(300).default(''),
  postCode: z.string().max(20).default(''),
  countryCode: z.string().max(2).default('ES'),
  Email: z.string().max(254).default(''),
  PaymentMethod: z.string().max(20).default(''),
  PaymentTerms: z.string().max(20).default(''),
  CustomerPostingGroup: z.string().max(20).default(''),
  /** Left out of a change, it stays as it was. */
  tipoIdentificacion: TipoIdentificacion.optional(),
});

export const Producto = z.object({
  No: z.string(),
  Name: z.string(),
  UnitOfMeasure: z.string(),
  UnitPrice: z.number(),
});
export type Producto = z.infer<typeof Producto>;

/** SetProductos and UpdateProductos. `UnitPrice` with decimal comma or point. */
export const ProductoBody = z.object({
  No: z.string().max(40).default(''),
  Name: z.string().max(300).default(''),
  UnitOfMeasure: z.string().max(20).default('UD'),
  UnitPrice: z.union([z.string().max(40), z.number()]).default('0'),
});

/** A tax for one kind of customer, with everything the catalog knows of it. */
export const GrupoIva = z.looseObject({
  VATProdPostingGroup: z.string(),
  VATBusPostingGroup: z.string(),
  VATCalculationType: z.string(),
  VATPercentage: z.number(),
  Description: z.string(),
  RecargoEquivalencia: z.number().nullable(),
});

/** DeleteCliente: `message` says so when its invoices made it stay, archived. */
export const DeleteClienteAnswer = z.object({ message: z.string().optional() });
