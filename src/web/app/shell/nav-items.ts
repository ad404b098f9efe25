import {
  IconBuilding,
  IconFileInvoice,
  IconFilePlus,
  IconHelpCircle,
  IconHome,
  IconInbox,
  IconInfoCircle,
  IconLifebuoy,
  IconPackage,
  IconTableImport,
  IconUsers,
} from '@tabler/icons-react';
import { PATHS } from '../../lib/paths.ts';

export interface NavItem {
  readonly to: string;
  readonly label: string;
  readonly Icon: typeof IconHome;
  /** Other addresses that belong to this section. */
  readonly also?: readonly string[];
}

export interface NavGroup {
  readonly title: string;
  readonly items: readonly NavItem[];
}

export const NAV_GROUPS: readonly NavGroup[] = [
  {
    title: 'Facturación',
    items: [
      { to: PATHS.home, label: 'Inicio', Icon: IconHome },
      { to: PATHS.history, label: 'Historial de facturas', Icon: IconFileInvoice },
      { to: PATHS.pending, label: 'Facturas pendientes', Icon: IconInbox },
      { to: PATHS.create, label: 'Crear factura', Icon: IconFilePlus, also: [PATHS.upload] },
      { to: PATHS.import, label: 'Importar datos', Icon: IconTableImport },
    ],
  },
  {
    title: 'Datos',
    items: [
      { to: PATHS.customers, label: 'Clientes', Icon: IconUsers },
      { to: PATHS.products, label: 'Productos / Servicios', Icon: IconPackage },
    ],
  },
  {
    title: 'Ayuda',
    items: [
      { to: PATHS.help, label: 'Ayuda y soporte', Icon: IconLifebuoy },
      { to: PATHS.faq, label: 'Preguntas frecuentes', Icon: IconHelpCircle },
      {
        to: PATHS.about,
        label: 'Acerca de',
        Icon: IconInfoCircle,
        also: [PATHS.evidence, PATHS.declaration],
      },
    ],
  },
];

export const PROFILE_ITEM: NavItem = {
  to: PATHS.profile,
  label: 'Perfil empresa',
  Icon: IconBuilding,
  also: [PATHS.businessCentral],
};
