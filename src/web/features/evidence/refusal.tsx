import { IconAlertCircle } from '@tabler/icons-react';
import { retryMessage } from '../../lib/http.ts';
import classes from './evidence.module.css';

/** Why a call failed, beside the button that tries it again. */
export function Refusal({ title, error }: { readonly title: string; readonly error: unknown }) {
  return (
    <p className={classes.refusal} role="alert">
      <IconAlertCircle size={18} stroke={1.8} aria-hidden="true" />
      <span>
        <strong>{title}</strong> {retryMessage(error)}
      </span>
    </p>
  );
}
