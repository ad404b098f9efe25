import { Kbd } from '@mantine/core';
import {
  IconArrowDown,
  IconArrowUp,
  IconDiscount,
  IconPackageImport,
  IconTrash,
} from '@tabler/icons-react';
import { memo, useCallback, useRef, useState } from 'react';
import { PopupMenu, type PopupMenuEntry } from '../../../ui/popup-menu.tsx';
import classes from './line-menu.module.css';

export interface LineMenuProps {
  readonly label: string;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly canBecomeProduct: boolean;
  /** There is a place to type its discount. */
  readonly hasDiscount: boolean;
  /** Asked only once the menu is open. */
  readonly canShareDiscount: () => boolean;
  readonly onMove: (step: -1 | 1) => void;
  readonly onSaveProduct: () => void;
  readonly onAddDiscount: () => void;
  readonly onShareDiscount: () => void;
  readonly onRemove: () => void;
}

/** The ⋮ of a line. The menu itself is created only on request: a hundred lines have one each. */
export const LineMenu = memo(function LineMenu(props: LineMenuProps) {
  const { label } = props;
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const close = useCallback(() => setOpen(false), []);
  return (
    <>
      <button
        ref={button}
        type="button"
        className={classes.dots}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        title={label}
        onClick={() => setOpen(!isOpen)}
      />
      {isOpen && (
        <PopupMenu label={label} button={button} entries={entriesOf(props)} onClose={close} />
      )}
    </>
  );
});

function entriesOf(props: LineMenuProps): PopupMenuEntry[] {
  return [
    {
      text: 'Subir',
      icon: <IconArrowUp size={16} stroke={1.7} />,
      keys: <Kbd>Alt ↑</Kbd>,
      isDisabled: props.isFirst,
      onChoose: () => props.onMove(-1),
    },
    {
      text: 'Bajar',
      icon: <IconArrowDown size={16} stroke={1.7} />,
      keys: <Kbd>Alt ↓</Kbd>,
      isDisabled: props.isLast,
      onChoose: () => props.onMove(1),
    },
    props.hasDiscount
      ? {
          text: 'El mismo descuento en todas',
          icon: <IconDiscount size={16} stroke={1.7} />,
          isDisabled: !props.canShareDiscount(),
          onChoose: props.onShareDiscount,
        }
      : {
          text: 'Añadir descuento',
          icon: <IconDiscount size={16} stroke={1.7} />,
          onChoose: props.onAddDiscount,
        },
    {
      text: 'Guardar como producto',
      icon: <IconPackageImport size={16} stroke={1.7} />,
      isDisabled: !props.canBecomeProduct,
      onChoose: props.onSaveProduct,
    },
    {
      text: 'Eliminar línea',
      icon: <IconTrash size={16} stroke={1.7} />,
      isApart: true,
      onChoose: props.onRemove,
    },
  ];
}
