import { z } from 'zod';
import { name, text } from './common.ts';

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
  /** List L7 of the AEAT, if it is not identified as its country and number imply. */
  tipoIdentificacion: TipoIdentificacion.optional(),
  /** Ours: the town, which Facturae requires separately from the address. */
  municipio: z.string().optional(),
  /** Ours: DIR3 codes of an administration. */
  oficinaContable: z.string().optional(),
  organoGestor: z.string().optional(),
  unidadTramitadora: z.string().optional(),
  organoProponente: z.string().optional(),
});
export type Cliente = z.infer<typeof Cliente>;

/** UpdateClientes: omitted fields stay as they were. */
export const ClienteCambiado = z.object({
  No: text(40).default(''),
  Name: name(120).optional(),
  VATRegistrationNo: text(40).optional(),
  Address: text(300).optional(),
  postCode: text(20).optional(),
  countryCode: text(2).optional(),
  Email: text(254).optional(),
  PaymentMethod: text(20).optional(),
  PaymentTerms: text(20).optional(),
  CustomerPostingGroup: text(20).optional(),
  tipoIdentificacion: TipoIdentificacion.optional(),
  municipio: text(50).optional(),
  oficinaContable: text(20).optional(),
  organoGestor: text(20).optional(),
  unidadTramitadora: text(20).optional(),
  organoProponente: text(20).optional(),
});

/** SetClientes. An empty `No` requests the next code. Only the name is required. */
export const ClienteBody = ClienteCambiado.extend({
  Name: name(120).default(''),
  VATRegistrationNo: text(40).default(''),
  Address: text(300).default(''),
  postCode: text(20).default(''),
  countryCode: text(2).default('ES'),
  Email: text(254).default(''),
  PaymentMethod: text(20).default(''),
  PaymentTerms: text(20).default(''),
  CustomerPostingGroup: text(20).default(''),
});

export const Producto = z.object({
  No: z.string(),
  Name: z.string(),
  UnitOfMeasure: z.string(),
  UnitPrice: z.number(),
  /** Ours: the tax that it is usually sold with. */
  VATProdPostingGroup: z.string().optional(),
});
export type Producto = z.infer<typeof Producto>;

const price = z.union([text(40), z.number()]);

/** UpdateProductos: omitted fields stay as they were. `UnitPrice` with a decimal comma or point. */
export const ProductoCambiado = z.object({
  No: text(40).default(''),
  Name: name(250).optional(),
  UnitOfMeasure: text(20).optional(),
  UnitPrice: price.optional(),
  VATProdPostingGroup: text(20).optional(),
});

/** SetProductos. An empty `No` requests the next code. */
export const ProductoBody = ProductoCambiado.extend({
  Name: name(250).default(''),
  UnitOfMeasure: text(20).default('UD'),
  UnitPrice: price.default('0'),
});

/** A tax for one kind of customer, with all its data in the catalog. */
export const GrupoIva = z.looseObject({
  VATProdPostingGroup: z.string(),
  VATBusPostingGroup: z.string(),
  VATCalculationType: z.string(),
  VATPercentage: z.number(),
  Description: z.string(),
  RecargoEquivalencia: z.number().nullable(),
});

/** DeleteCliente: `message` says if it was archived because of its invoices. */
export const DeleteClienteAnswer = z.object({ message: z.string().optional() });
