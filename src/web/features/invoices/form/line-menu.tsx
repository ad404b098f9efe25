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
import type { LineActions } from './line-cells.tsx';
import classes from './line-menu.module.css';

export interface LineMenuProps {
  /** From 1. */
  readonly position: number;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly canBecomeProduct: boolean;
  /** There is a place to type its discount. */
  readonly hasDiscount: boolean;
  /** Of its line: the same functions, or each key that is typed would render the button. */
  readonly actions: Pick<
    LineActions,
    'move' | 'saveProduct' | 'addDiscount' | 'shareDiscount' | 'canShareDiscount' | 'remove'
  >;
}

/** The ⋮ of a line. The menu itself is created only on request: a hundred lines have one each. */
export const LineMenu = memo(function LineMenu(props: LineMenuProps) {
  const label = `Más acciones de la línea ${props.position}`;
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

function entriesOf({ actions, ...props }: LineMenuProps): PopupMenuEntry[] {
  return [
    {
      text: 'Subir',
      icon: <IconArrowUp size={16} stroke={1.7} />,
      keys: <Kbd>Alt ↑</Kbd>,
      isDisabled: props.isFirst,
      onChoose: () => actions.move(-1),
    },
    {
      text: 'Bajar',
      icon: <IconArrowDown size={16} stroke={1.7} />,
      keys: <Kbd>Alt ↓</Kbd>,
      isDisabled: props.isLast,
      onChoose: () => actions.move(1),
    },
    props.hasDiscount
      ? {
          text: 'El mismo descuento en todas',
          icon: <IconDiscount size={16} stroke={1.7} />,
          isDisabled: !actions.canShareDiscount(),
          onChoose: actions.shareDiscount,
        }
      : {
          text: 'Añadir descuento',
          icon: <IconDiscount size={16} stroke={1.7} />,
          onChoose: actions.addDiscount,
        },
    {
      text: 'Guardar como producto',
      icon: <IconPackageImport size={16} stroke={1.7} />,
      isDisabled: !props.canBecomeProduct,
      onChoose: actions.saveProduct,
    },
    {
      text: 'Eliminar línea',
      icon: <IconTrash size={16} stroke={1.7} />,
      isApart: true,
      onChoose: actions.remove,
    },
  ];
}
