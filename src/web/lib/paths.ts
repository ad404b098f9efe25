/** The addresses of the product, in one place. */
export const PATHS = {
  landing: '/',
  signIn: '/iniciosesion',
  recovery: '/recuperar-contrasena',
  signUp: '/registro',
  signUpAccess: '/registro/paso1',
  signUpCompany: '/registro/paso2',
  signUpPayment: '/registro/paso3',
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
} as const;

/** The page of one invoice. Its number may carry a bar: `00001/LO`. */
export const invoicePath = (DocNo: string): string =>
  `/panel/facturas/${encodeURIComponent(DocNo)}`;
