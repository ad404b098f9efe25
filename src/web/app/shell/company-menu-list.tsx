import { Menu } from '@mantine/core';
import { IconBuilding, IconLogout } from '@tabler/icons-react';
import type { Ref, RefObject } from 'react';
import { Link } from 'react-router';
import { PATHS } from '../../lib/paths.ts';
import classes from './company-menu.module.css';
import { useSignOut } from './use-session-guard.ts';

export interface CompanyMenuListProps {
  readonly opened: boolean;
  readonly onChange: (opened: boolean) => void;
  /** Gets the focus back when the menu closes. */
  readonly button: RefObject<HTMLButtonElement | null>;
}

/** «Perfil empresa» and «Cerrar sesión», in a menu below the button. */
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
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <Hook />
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

/** Only an anchor: `aria-expanded` and the menu's other attributes are on the button. */
function Hook({ ref }: { readonly ref?: Ref<HTMLSpanElement> }) {
  return <span ref={ref} className={classes.hook} />;
}
