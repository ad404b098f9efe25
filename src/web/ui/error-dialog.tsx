import { Button } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import classes from './error-dialog.module.css';
import { screenTitle } from './focus-after.ts';
import { lastFocused } from './kept-focus.ts';

interface ErrorDialogApi {
  /** Shows «Ha habido un error» with one sentence or a list of them. */
  readonly show: (messages: string | readonly string[]) => void;
}

/** The button beside «Cerrar» that leads to where the problem can be solved. */
export interface WayOut {
  readonly action: string;
  /** An address of the application. */
  readonly to: string;
}

export interface ErrorDialogProviderProps {
  readonly children: ReactNode;
  readonly wayOutOf: (messages: readonly string[]) => WayOut | null;
  readonly onLeave: (to: string) => void;
}

const ErrorDialogContext = createContext<ErrorDialogApi | null>(null);

/** The only way to report an error that belongs to no field. */
export function useErrorDialog(): ErrorDialogApi {
  const api = useContext(ErrorDialogContext);
  if (!api) throw new Error('useErrorDialog needs an ErrorDialogProvider above it');
  return api;
}

export function ErrorDialogProvider(props: ErrorDialogProviderProps) {
  const { children, wayOutOf, onLeave } = props;
  const [messages, setMessages] = useState<readonly string[]>([]);
  const show = useCallback((text: string | readonly string[]) => {
    setMessages(typeof text === 'string' ? [text] : [...text]);
  }, []);
  const api = useMemo(() => ({ show }), [show]);
  const close = () => setMessages([]);
  const leave = (to: string) => {
    close();
    setTimeout(() => onLeave(to)); // The dialog gives the focus back first; then the page takes it.
  };

  return (
    <ErrorDialogContext value={api}>
      {children}
      {messages.length > 0 && (
        <ErrorDialog
          messages={messages}
          wayOut={wayOutOf(messages)}
          onClose={close}
          onLeave={leave}
        />
      )}
    </ErrorDialogContext>
  );
}

interface ErrorDialogProps {
  readonly messages: readonly string[];
  readonly wayOut: WayOut | null;
  readonly onClose: () => void;
  readonly onLeave: (to: string) => void;
}

/**
 * The browser's own dialog: it traps and restores the focus, closes with Escape, and stays above any other dialog
 * that was open.
 */
function ErrorDialog({ messages, wayOut, onClose, onLeave }: ErrorDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();

  useEffect(() => {
    const element = dialog.current;
    const focused = document.activeElement;
    const before = focused && focused !== document.body ? focused : lastFocused();
    element?.showModal();
    return () => {
      element?.close();
      if (!(before instanceof HTMLElement)) return;
      if (before.isConnected) before.focus();
      // What was refused may have been done by somebody else, and its button is gone.
      else screenTitle()?.focus({ preventScroll: true });
    };
  }, []);

  return (
    <dialog
      ref={dialog}
      role="alertdialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      className={classes.dialog}
      // Escape, and a phone's gesture to go back.
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      // Other dialogs listen for Escape on the window: only this one reacts while it is open.
      onKeyDown={(event) => event.key === 'Escape' && event.stopPropagation()}
    >
      <div className={classes.head}>
        <span className={classes.icon}>
          <IconAlertCircle size={20} stroke={1.8} aria-hidden="true" />
        </span>
        <h2 id={`${id}-title`} className={classes.title}>
          Ha habido un error
        </h2>
      </div>
      <div id={`${id}-text`} className={classes.text}>
        {messages.length === 1 ? (
          <p>{messages[0]}</p>
        ) : (
          <ul>
            {messages.map((message) => (
              <li key={message}>{message}</li>
            ))}
          </ul>
        )}
      </div>
      <div className={classes.buttons}>
        <Button variant={wayOut ? 'default' : 'filled'} onClick={onClose} autoFocus={!wayOut}>
          Cerrar
        </Button>
        {wayOut && (
          <Button onClick={() => onLeave(wayOut.to)} autoFocus>
            {wayOut.action}
          </Button>
        )}
      </div>
    </dialog>
  );
}
