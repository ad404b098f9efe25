import { ActionIcon, Button } from '@mantine/core';
import { IconMenu2, IconPlus } from '@tabler/icons-react';
import { Link, useLocation } from 'react-router';
import { PATHS } from '../../lib/paths.ts';
import { Chip } from '../../ui/chip.tsx';
import { Hint } from '../../ui/hint.tsx';
import { Logo } from '../../ui/logo.tsx';
import { CompanyMenu } from './company-menu.tsx';
import type { Gate } from './gate.ts';
import { useLockedNotice } from './navigation.tsx';
import classes from './top-bar.module.css';
import { useCompany } from './use-company.ts';

export interface TopBarProps {
  readonly gate: Gate | null;
  readonly onMenu: () => void;
  readonly menuOpen: boolean;
}

export function TopBar({ gate, onMenu, menuOpen }: TopBarProps) {
  return (
    <header className={classes.bar}>
      <div className={classes.narrow}>
        <ActionIcon
          size="lg"
          aria-label="Menú"
          aria-expanded={menuOpen}
          aria-haspopup="dialog"
          onClick={onMenu}
        >
          <IconMenu2 size={20} stroke={1.8} />
        </ActionIcon>
        <Link to={PATHS.panel} className={classes.logo} aria-label="Huella, ir a Inicio">
          <Logo />
        </Link>
      </div>
      <div className={classes.wide}>
        <Greeting />
      </div>
      <div className={classes.actions}>
        <CreateButton gate={gate} />
        <CompanyMenu />
      </div>
    </header>
  );
}

/** «Hola, NAME» and the badge of a demo, in the bar and at the top of the drawer. */
export function Greeting() {
  const { name, isDemo } = useCompany();
  return (
    <div className={classes.greeting}>
      <p className={classes.hello} title={name}>
        Hola, <strong>{name}</strong>
      </p>
      {isDemo && <Chip tone="green">Suscripción demo</Chip>}
    </div>
  );
}

/** In the bar, except on the page that creates invoices. */
function CreateButton({ gate }: { readonly gate: Gate | null }) {
  const { pathname } = useLocation();
  const onLocked = useLockedNotice(gate);
  if (pathname === PATHS.create) return null;

  const label = (
    <>
      <IconPlus size={16} stroke={2} aria-hidden="true" />
      <span className={classes.createLabel}>Crear factura</span>
    </>
  );
  if (gate) {
    return (
      <Hint label={gate.sentence}>
        <button type="button" className={classes.create} aria-disabled="true" onClick={onLocked}>
          {label}
        </button>
      </Hint>
    );
  }
  return (
    <Button component={Link} to={PATHS.create} className={classes.create}>
      {label}
    </Button>
  );
}
