import { Drawer } from '@mantine/core';
import type { Gate } from './gate.ts';
import { Navigation } from './navigation.tsx';
import classes from './navigation-drawer.module.css';
import { Greeting } from './top-bar.tsx';

export interface NavigationDrawerProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly gate: Gate | null;
}

/** The sections on a phone, headed by the greeting. */
export default function NavigationDrawer({ opened, onClose, gate }: NavigationDrawerProps) {
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      size={296}
      padding={0}
      title={<Greeting />}
      closeButtonProps={{ 'aria-label': 'Cerrar menú' }}
      classNames={{ header: classes.head ?? '', body: classes.body ?? '' }}
    >
      <Navigation gate={gate} />
    </Drawer>
  );
}
