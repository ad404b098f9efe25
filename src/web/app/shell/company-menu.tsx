import { ActionIcon, UnstyledButton } from '@mantine/core';
import { IconDotsVertical } from '@tabler/icons-react';
import { lazy, type Ref, Suspense, useRef, useState } from 'react';
import { iniciales } from '../../lib/format.ts';
import { loadAhead } from '../../lib/load-module.ts';
import { Hint } from '../../ui/hint.tsx';
import classes from './company-menu.module.css';
import { useCompany } from './use-company.ts';

const load = loadAhead(() => import('./company-menu-list.tsx'));
const CompanyMenuList = lazy(load);

/** The company's logo and a ⋮ beside it: two ways into the same menu. */
export function CompanyMenu() {
  const { name, picture } = useCompany();
  return (
    <>
      <WithMenu>
        {(button) => (
          <UnstyledButton
            {...button}
            className={classes.avatar}
            aria-label={`Menú de ${name || 'tu empresa'}`}
          >
            {picture ? <img src={picture} alt="" /> : <span>{iniciales(name)}</span>}
          </UnstyledButton>
        )}
      </WithMenu>
      <WithMenu>
        {(button) => (
          <Hint label="Tu cuenta" disabled={button['aria-expanded']}>
            <ActionIcon {...button} aria-label="Tu cuenta">
              <IconDotsVertical size={18} stroke={2} />
            </ActionIcon>
          </Hint>
        )}
      </WithMenu>
    </>
  );
}

interface MenuButton {
  readonly ref: Ref<HTMLButtonElement>;
  readonly 'aria-haspopup': 'menu';
  readonly 'aria-expanded': boolean;
  readonly onClick: () => void;
  readonly onPointerEnter: () => void;
  readonly onFocus: () => void;
}

interface WithMenuProps {
  readonly children: (button: MenuButton) => React.ReactNode;
}

/** The button is there from the start; the menu's code is loaded when the pointer or the focus comes near. */
function WithMenu({ children }: WithMenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [opened, setOpened] = useState(false);
  const [wanted, setWanted] = useState(false);
  const prepare = () => void load().catch(() => undefined);
  const open = (next: boolean) => {
    if (next) setWanted(true);
    setOpened(next);
  };
  return (
    <span className={classes.anchor}>
      {children({
        ref: button,
        'aria-haspopup': 'menu',
        'aria-expanded': opened,
        onClick: () => open(!opened),
        onPointerEnter: prepare,
        onFocus: prepare,
      })}
      {wanted && (
        <Suspense>
          <CompanyMenuList opened={opened} onChange={open} button={button} />
        </Suspense>
      )}
    </span>
  );
}
