import { IconAlertCircle } from '@tabler/icons-react';
import { retryMessage } from '../../lib/http.ts';
import classes from './integrations.module.css';

/** Why a call could not be done, beside the button that tries it again. */
export function Refusal({ error }: { readonly error: unknown }) {
  if (!error) return null;
  return (
    <p className={classes.refusal} role="alert">
      <IconAlertCircle size={18} stroke={1.8} aria-hidden="true" />
      <span>{retryMessage(error)}</span>
    </p>
  );
}
