import { Button, CopyButton, TextInput } from '@mantine/core';
import { type FormEvent, useMemo, useState } from 'react';
import type { SegundoFactorPreparado } from '../../../../contract/security.ts';
import { errorMessages } from '../../../lib/http.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { squaresOf } from '../../../ui/qr-squares.ts';
import profile from '../profile.module.css';
import { useActivate } from './api.ts';
import classes from './security.module.css';

export interface ActivateDialogProps {
  readonly prepared: SegundoFactorPreparado;
  readonly onClose: () => void;
  readonly onActive: (codes: readonly string[]) => void;
}

/** The QR to be scanned, and the first code, which proves that the phone has the secret. */
export function ActivateDialog({ prepared, onClose, onActive }: ActivateDialogProps) {
  const activate = useActivate();
  const [code, setCode] = useState('');
  const [missing, setMissing] = useState(false);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (activate.isPending) return;
    if (code.trim() === '') return setMissing(true);
    activate.mutate(code, { onSuccess: ({ codigos }) => onActive(codigos) });
  };
  const refusal = activate.error && errorMessages(activate.error).join(' ');

  return (
    <Dialog
      onClose={onClose}
      title="Activar la verificación en dos pasos"
      withCloseButton={false}
      closeOnClickOutside={false}
    >
      <form onSubmit={submit} noValidate className={profile.dialogForm}>
        <p className="hu-muted">
          Escanea este código con la aplicación de verificación de tu teléfono y escribe las seis
          cifras que te dé.
        </p>
        <Qr text={prepared.uri} />
        <p className={classes.secret}>
          <span className={classes.small}>Si no puedes escanearlo, usa esta clave:</span>
          <code>{prepared.secreto.match(/.{1,4}/g)?.join(' ')}</code>
        </p>
        {/* Nobody scans the screen of the phone in their hand. */}
        <div className={classes.byHand}>
          <span className={classes.here}>
            <Button component="a" href={prepared.uri} variant="default">
              Abrir en este teléfono
            </Button>
          </span>
          {/* Browsers only lend the clipboard to pages over TLS. */}
          {navigator.clipboard && (
            <CopyButton value={prepared.secreto}>
              {({ copied, copy }) => (
                <Button variant="default" onClick={copy}>
                  {copied ? 'Copiada' : 'Copiar la clave'}
                </Button>
              )}
            </CopyButton>
          )}
        </div>
        <TextInput
          label="Código de seis cifras"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={10}
          data-autofocus
          value={code}
          errorProps={{ role: 'alert' }}
          error={refusal ?? (missing && 'Escribe el código.')}
          onChange={(event) => {
            setCode(event.currentTarget.value);
            setMissing(false);
            activate.reset();
          }}
        />
        <div className={profile.dialogButtons}>
          <Button variant="default" onClick={onClose}>
            Cancelar
          </Button>
          <Button type="submit" aria-disabled={activate.isPending}>
            Activar
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

const QUIET_ZONE = 4;

function Qr({ text }: { readonly text: string }) {
  const { size, path } = useMemo(() => squaresOf(text), [text]);
  const side = size + 2 * QUIET_ZONE;
  return (
    <svg
      className={classes.qr}
      viewBox={`${-QUIET_ZONE} ${-QUIET_ZONE} ${side} ${side}`}
      role="img"
      shapeRendering="crispEdges"
    >
      <title>Código QR con la clave de verificación</title>
      <rect x={-QUIET_ZONE} y={-QUIET_ZONE} width={side} height={side} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
