import { IconAlertTriangle, IconCheck, IconCloudOff } from '@tabler/icons-react';
import { hora } from '../../../lib/format.ts';
import { errorMessages } from '../../../lib/http.ts';
import type { SaveStatus } from './draft-saver.ts';
import classes from './save-state.module.css';

/**
 * The state of the autosave in words. Only what matters is announced to screen readers: announcing each key press would
 * be too much.
 */
export function SaveState({ status }: { readonly status: SaveStatus }) {
  return (
    <p className={classes.state} data-tone={TONES[status.kind]}>
      <Words status={status} />
      <span className="hu-hidden" role="status">
        {status.kind === 'saved' && 'Borrador guardado.'}
        {status.kind === 'failed' && FAILED}
        {status.kind === 'refused' && refusedWords(status.error)}
      </span>
    </p>
  );
}

const FAILED = 'Sin conexión: lo escrito está a salvo en este equipo.';

const TONES: Partial<Record<SaveStatus['kind'], string>> = {
  failed: 'amber',
  refused: 'amber',
  saved: 'green',
};

const refusedWords = (error: unknown): string =>
  `Borrador sin guardar. ${errorMessages(error).join(' ')}`.trim();

function Words({ status }: { status: SaveStatus }) {
  switch (status.kind) {
    case 'idle':
    case 'conflict':
    case 'gone':
      return null;
    case 'waiting':
      return <span aria-hidden="true">Cambios sin guardar</span>;
    case 'saving':
      return <span aria-hidden="true">Guardando…</span>;
    case 'saved':
      return (
        <span aria-hidden="true" className={classes.words}>
          <IconCheck size={16} stroke={1.8} />
          <span className={classes.long}>Borrador guardado a las {hora(status.at)}</span>
          <span className={classes.short}>Guardado a las {hora(status.at)}</span>
        </span>
      );
    case 'refused':
      return (
        <span aria-hidden="true" className={classes.words}>
          <IconAlertTriangle size={16} stroke={1.8} />
          {refusedWords(status.error)}
        </span>
      );
    case 'failed':
      return (
        <span aria-hidden="true" className={classes.words}>
          <IconCloudOff size={16} stroke={1.8} />
          {FAILED}
        </span>
      );
  }
}
