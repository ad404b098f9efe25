import {
  Fragment,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
} from 'react';
import classes from './popup-menu.module.css';

export interface PopupMenuEntry {
  readonly text: string;
  readonly icon: ReactNode;
  /** Its keyboard shortcut, if it has one. */
  readonly keys?: ReactNode;
  readonly isDisabled?: boolean;
  /** Separated by a line. */
  readonly isApart?: boolean;
  readonly onChoose: () => void;
}

export interface PopupMenuProps {
  readonly label: string;
  /** The button that opened it, which gets the focus back and closes it as well. */
  readonly button: RefObject<HTMLButtonElement | null>;
  readonly entries: readonly PopupMenuEntry[];
  readonly onClose: () => void;
}

/** Distance between a menu and its button, and from the edge of the window, in pixels. */
const GAP = 8;

/**
 * A menu beside its button, as the browser's own popover. The library's menu is some thirty components, which is too
 * slow for a screen with a hundred such buttons on a slow device. Arrow keys, Home, End and letters move through it;
 * choosing, Escape, Tab and pressing elsewhere close it.
 */
export function PopupMenu({ label, button, entries, onClose }: PopupMenuProps) {
  const root = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    const menu = root.current;
    if (!menu || !button.current) return;
    const place = button.current.getBoundingClientRect(); // Before there is anything to lay out.
    menu.showPopover();
    itemsOf(menu)[0]?.focus({ preventScroll: true });
    const { offsetWidth, offsetHeight } = menu;
    const isBelow =
      place.bottom + GAP + offsetHeight <= window.innerHeight || place.top < GAP + offsetHeight;
    const top = isBelow ? place.bottom + GAP : place.top - GAP - offsetHeight;
    menu.style.top = `${top + window.scrollY}px`;
    menu.style.left = `${Math.max(GAP, place.right - offsetWidth) + window.scrollX}px`;
  }, [button]);

  useEffect(() => {
    const onPointerDown = ({ target }: Event) => {
      const isOurs = [root, button].some(({ current }) => current?.contains(target as Node));
      if (!isOurs) onClose();
    };
    document.addEventListener('pointerdown', onPointerDown, true);
    window.addEventListener('resize', onClose);
    return () => {
      document.removeEventListener('pointerdown', onPointerDown, true);
      window.removeEventListener('resize', onClose);
    };
  }, [button, onClose]);

  const close = () => {
    button.current?.focus({ preventScroll: true });
    onClose();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const { key } = event;
    if (key === 'Escape' || key === 'Tab') {
      if (key === 'Escape') event.preventDefault(); // Tab continues from the button.
      close();
      return;
    }
    const items = itemsOf(event.currentTarget);
    const wanted = items[wantedItem(key, items, items.indexOf(document.activeElement as never))];
    if (!wanted) return;
    event.preventDefault();
    wanted.focus();
  };
  return (
    <div
      ref={root}
      popover="manual"
      role="menu"
      tabIndex={-1}
      aria-label={label}
      className={classes.menu}
      onKeyDown={onKeyDown}
    >
      {entries.map(({ text, icon, keys, isDisabled, isApart, onChoose }) => (
        <Fragment key={text}>
          {isApart && <hr className={classes.divider} />}
          <button
            type="button"
            role="menuitem"
            tabIndex={-1}
            className={classes.item}
            disabled={isDisabled}
            onClick={() => {
              close(); // First, because the chosen action may move the focus.
              onChoose();
            }}
          >
            {icon}
            <span className={classes.label}>{text}</span>
            {keys}
          </button>
        </Fragment>
      ))}
    </div>
  );
}

const ITEM = '[role="menuitem"]:enabled';

function itemsOf(menu: HTMLElement): HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>(ITEM)];
}

/** The item to which that key moves, wrapping around; -1 if none. */
function wantedItem(key: string, items: readonly HTMLElement[], now: number): number {
  const { length } = items;
  if (key === 'ArrowDown') return (now + 1) % length;
  if (key === 'ArrowUp') return (Math.max(now, 0) - 1 + length) % length;
  if (key === 'Home') return 0;
  if (key === 'End') return length - 1;
  const begins = (at: number) => items[at]?.innerText.toLowerCase().startsWith(key.toLowerCase());
  const after = items.map((_, step) => (now + 1 + step) % length);
  return key.length === 1 && key !== ' ' ? (after.find(begins) ?? -1) : -1;
}
