import { ActionIcon, Menu, UnstyledButton } from '@mantine/core';
import { IconBuilding, IconDotsVertical, IconLogout } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { iniciales } from '../../lib/format.ts';
import { PATHS } from '../../lib/paths.ts';
import classes from './company-menu.module.css';
import { useCompany } from './use-company.ts';
import { useSignOut } from './use-session-guard.ts';

/** The company's logo and a ⋮ beside it: two ways into the same menu. */
export function CompanyMenu() {
  const { name, picture } = useCompany();
  return (
    <>
      <WithMenu>
        <UnstyledButton className={classes.avatar} aria-label={`Menú de ${name || 'tu empresa'}`}>
          {picture ? <img src={picture} alt="" /> : <span>{iniciales(name)}</span>}
        </UnstyledButton>
      </WithMenu>
      <WithMenu>
        <ActionIcon className={classes.more} aria-label="Más opciones">
          <IconDotsVertical size={18} stroke={2} />
        </ActionIcon>
      </WithMenu>
    </>
  );
}

function WithMenu({ children }: { readonly children: ReactNode }) {
  const signOut = useSignOut();
  return (
    <Menu position="bottom-end" width={200}>
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          component={Link}
          to={PATHS.profile}
          leftSection={<IconBuilding size={16} stroke={1.7} aria-hidden="true" />}
        >
          Perfil empresa
        </Menu.Item>
        <Menu.Item
          leftSection={<IconLogout size={16} stroke={1.7} aria-hidden="true" />}
          onClick={signOut}
        >
          Cerrar sesión
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
