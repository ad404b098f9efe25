import { Menu } from '@mantine/core';
import { IconBuilding, IconLogout } from '@tabler/icons-react';
import type { RefObject } from 'react';
import { Link } from 'react-router';
import { PATHS } from '../../lib/paths.ts';
import classes from './company-menu.module.css';
import { useSignOut } from './use-session-guard.ts';

export interface CompanyMenuListProps {
  readonly opened: boolean;
  readonly onChange: (opened: boolean) => void;
  /** Takes the focus back when the menu closes. */
  readonly button: RefObject<HTMLButtonElement | null>;
}

/** «Perfil empresa» and «Cerrar sesión», hanging from under the button. */
export default function CompanyMenuList({ opened, onChange, button }: CompanyMenuListProps) {
  const signOut = useSignOut();
  const close = () => {
    onChange(false);
    button.current?.focus();
  };
  return (
    <Menu
      opened={opened}
      onChange={onChange}
      onClose={close}
      position="bottom-end"
      width={200}
      returnFocus={false}
      clickOutsideEvents={['pointerdown']}
    >
      <Menu.Target>
        <span className={classes.hook} />
      </Menu.Target>
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
