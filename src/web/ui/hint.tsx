import { cloneElement, type ReactElement, useEffect, useRef, useState } from 'react';
import classes from './hint.module.css';

export interface HintProps {
  /** What the icon alone does not say: the control has the same text as its name. Or the keys of a control with text. */
  readonly label: string;
  readonly side?: 'top' | 'right';
  /** The text is already visible. */
  readonly disabled?: boolean;
  readonly children: ReactElement<object>;
}

/**
 * A short text that appears beside a control under the pointer or with the focus. The control is only marked, and a
 * single layer draws the hints of the whole page. So a list of a thousand buttons has no extra work, and the first
 * screen loads no positioning code.
 */
export function Hint({ label, side = 'top', disabled = false, children }: HintProps) {
  if (disabled) return children;
  return cloneElement(children, { 'data-hint': label, 'data-hint-side': side } as object);
}

interface Shown {
  readonly label: string;
  readonly side: string | undefined;
  readonly anchor: DOMRect;
}

const DELAY_MS = 300;
const GAP = 6;
const MARGIN = 8;

/** Draws the hint of the control under the pointer or with the focus. Once per page. */
export function HintLayer() {
  const [shown, setShown] = useState<Shown | null>(null);
  const box = useRef<HTMLDivElement>(null);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = (target: EventTarget | null, delay: number) => {
      clearTimeout(timer);
      const control = (target as Element | null)?.closest?.<HTMLElement>('[data-hint]');
      if (!control) return setShown(null);
      timer = setTimeout(() => {
        if (!control.isConnected) return;
        setShown({
          label: control.dataset.hint ?? '',
          side: control.dataset.hintSide,
          anchor: control.getBoundingClientRect(),
        });
      }, delay);
    };
    const hide = () => {
      clearTimeout(timer);
      setShown(null);
    };
    const onPointer = (event: PointerEvent) => {
      if (event.pointerType !== 'touch') show(event.target, DELAY_MS);
    };
    const onFocus = (event: FocusEvent) => {
      // After a click the user knows what the control does.
      if ((event.target as Element).matches(':focus-visible')) show(event.target, 0);
    };
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && hide();

    document.addEventListener('pointerover', onPointer);
    document.addEventListener('focusin', onFocus);
    document.addEventListener('focusout', hide);
    document.addEventListener('pointerdown', hide);
    document.addEventListener('keydown', onKey);
    document.addEventListener('scroll', hide, { capture: true, passive: true });
    return () => {
      clearTimeout(timer);
      document.removeEventListener('pointerover', onPointer);
      document.removeEventListener('focusin', onFocus);
      document.removeEventListener('focusout', hide);
      document.removeEventListener('pointerdown', hide);
      document.removeEventListener('keydown', onKey);
      document.removeEventListener('scroll', hide, { capture: true });
    };
  }, []);

  useEffect(() => {
    if (shown && box.current) place(box.current, shown);
  }, [shown]);

  if (!shown) return null;
  return (
    <div ref={box} className={classes.hint} aria-hidden="true">
      {shown.label}
    </div>
  );
}

/** Above the control (or below if there is no room) or to its right, never outside the window. */
function place(box: HTMLElement, { side, anchor }: Shown): void {
  const { width, height } = box.getBoundingClientRect();
  const middleX = anchor.left + anchor.width / 2 - width / 2;
  const middleY = anchor.top + anchor.height / 2 - height / 2;
  const above = anchor.top - height - GAP;
  const x = side === 'right' ? anchor.right + GAP : middleX;
  const y = side === 'right' ? middleY : above < MARGIN ? anchor.bottom + GAP : above;
  const within = (value: number, size: number, room: number) =>
    Math.max(MARGIN, Math.min(value, room - size - MARGIN));
  box.style.left = `${within(x, width, document.documentElement.clientWidth)}px`;
  box.style.top = `${within(y, height, window.innerHeight)}px`;
  box.style.visibility = 'visible';
}
