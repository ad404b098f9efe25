import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { saveFile } from '../../../lib/download.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import profile from '../profile.module.css';
import classes from './security.module.css';

const FILE_NAME = 'huella-codigos-de-recuperacion.txt';

export interface CodesDialogProps {
  readonly codes: readonly string[];
  readonly onClose: () => void;
}

/** The recovery codes, shown only once. It can only be closed with its button. */
export function CodesDialog({ codes, onClose }: CodesDialogProps) {
  const copy = async () => {
    await navigator.clipboard.writeText(codes.join('\n'));
    notifications.show({ message: 'Códigos copiados.' });
  };
  const download = () =>
    saveFile(new Blob([`${codes.join('\n')}\n`], { type: 'text/plain' }), FILE_NAME);
  return (
    <Dialog
      onClose={onClose}
      title="Guarda tus códigos de recuperación"
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <div className={profile.dialogForm}>
        <p className="hu-muted">
          Si pierdes el teléfono, cada uno sirve una vez para entrar. Guárdalos donde no esté tu
          contraseña: no volverán a mostrarse.
        </p>
        <ol className={classes.codes}>
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ol>
        <div className={profile.dialogButtons}>
          <Button variant="default" onClick={download}>
            Descargar
          </Button>
          {/* Browsers only lend the clipboard to pages over TLS. */}
          {navigator.clipboard && (
            <Button variant="default" onClick={copy}>
              Copiar
            </Button>
          )}
          <Button data-autofocus onClick={onClose}>
            Los he guardado
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
