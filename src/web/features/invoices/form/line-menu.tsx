import { Kbd, Menu } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconPackageImport, IconTrash } from '@tabler/icons-react';
import { memo, useState } from 'react';
import classes from './line-menu.module.css';

export interface LineMenuProps {
  readonly label: string;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly canBecomeProduct: boolean;
  readonly onMove: (step: -1 | 1) => void;
  readonly onSaveProduct: () => void;
  readonly onRemove: () => void;
}

/** ⋮ of a line. The menu itself is only made once it is asked for: a hundred lines have one each. */
export const LineMenu = memo(function LineMenu(props: LineMenuProps) {
  const [isWanted, setWanted] = useState(false);
  const button = (
    <button
      type="button"
      className={classes.dots}
      aria-label={props.label}
      aria-haspopup="menu"
      title={props.label}
      onClick={() => setWanted(true)}
    />
  );
  if (!isWanted) return button;
  return (
    <Menu defaultOpened position="bottom-end" width={232} withInitialFocusPlaceholder={false}>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconArrowUp size={16} stroke={1.7} />}
          rightSection={<Kbd>Alt ↑</Kbd>}
          disabled={props.isFirst}
          onClick={() => props.onMove(-1)}
        >
          Subir
        </Menu.Item>
        <Menu.Item
          leftSection={<IconArrowDown size={16} stroke={1.7} />}
          rightSection={<Kbd>Alt ↓</Kbd>}
          disabled={props.isLast}
          onClick={() => props.onMove(1)}
        >
          Bajar
        </Menu.Item>
        <Menu.Item
          leftSection={<IconPackageImport size={16} stroke={1.7} />}
          disabled={!props.canBecomeProduct}
          onClick={props.onSaveProduct}
        >
          Guardar como producto
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconTrash size={16} stroke={1.7} />} onClick={props.onRemove}>
          Eliminar línea
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
});
