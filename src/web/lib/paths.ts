import type { InvoiceStatus } from '../../contract/invoices.ts';
import type { TipoFactura } from '../../domain/invoice.ts';

/** The addresses of the product, in one place. */
export const PATHS = {
  landing: '/',
  signIn: '/iniciosesion',
  recovery: '/recuperar-contrasena',
  signUp: '/registro',
  signUpAccess: '/registro/paso1',
  signUpCompany: '/registro/paso2',
  signUpPayment: '/registro/paso3',
  payment: '/registro/pago',
  renewal: '/registro/paso3?renovacion',
  signUpDone: '/registro/completado',
  panel: '/panel',
  home: '/panel/inicio',
  history: '/panel/historial',
  pending: '/panel/pendientes',
  upload: '/panel/subir',
  create: '/panel/crear',
  customers: '/panel/clientes',
  products: '/panel/productos',
  help: '/panel/ayuda',
  faq: '/panel/faq',
  profile: '/panel/perfil',
  import: '/panel/importar',
  about: '/panel/acerca',
  evidence: '/panel/registros',
  declaration: '/panel/declaracion-responsable',
  publicDeclaration: '/declaracion-responsable',
  verify: '/verificar',
  businessCentral: '/panel/integraciones/business-central',
} as const;

/** The renewal with that plan selected. */
export const renewalPath = (plan: string): string =>
  `${PATHS.renewal}&plan=${encodeURIComponent(plan)}`;

/** The parameter of the pending list that opens an invoice in its place. */
export const EDITED = 'editar';

/** The pending list with that invoice open to be edited. */
export const editPath = (DocNo: string): string =>
  `${PATHS.pending}?${EDITED}=${encodeURIComponent(DocNo)}`;

/** The parameter of «Subir facturas» that opens a draft beside its file. */
export const CHECKED = 'revisar';

/** A draft beside the file from which it was read. */
export const checkPath = (DocNo: string): string =>
  `${PATHS.upload}?${CHECKED}=${encodeURIComponent(DocNo)}`;

/** «¿Qué hago?» for one invoice. */
export const guidePath = (DocNo: string): string => `${invoicePath(DocNo)}/que-hago`;

/** The parameter of the form that fills it with simplified invoices to be exchanged. */
export const EXCHANGED = 'canjear';

/** The parameter of the form that makes it a simplified invoice. */
export const TICKET = 'simplificada';

/** The parameter of the forms that shows the receipt of a registered invoice in their place. */
export const RECEIPT = 'recibo';

/** A form for another invoice of the same kind: simplified after a simplified one. */
export const anotherPath = (tipo: TipoFactura): string =>
  tipo === 'F2' ? `${PATHS.create}?${TICKET}=1` : PATHS.create;

/** The page of one invoice. Its number may contain a slash: `00001/LO`. */
export const invoicePath = (DocNo: string): string =>
  `/panel/facturas/${encodeURIComponent(DocNo)}`;

/** The id of a field of «Información de empresa», which the address of the profile may name. */
export const companyFieldId = (field: string): string => `empresa-${field}`;

/** The profile, at that field. */
export const companyFieldPath = (field: string): string =>
  `${PATHS.profile}#${companyFieldId(field)}`;

/** The history of some days, both included. */
export const historyPath = (desde: string, hasta: string): string =>
  `${PATHS.history}?desde=${desde}&hasta=${hasta}`;

/** The list that an invoice is in. */
export const listPath = (status: InvoiceStatus): string =>
  status === 'Registrada' || status === 'Anulada' ? PATHS.history : PATHS.pending;
