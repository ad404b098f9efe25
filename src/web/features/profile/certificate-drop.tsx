import { Button, FileButton } from '@mantine/core';
import { IconFile, IconUpload } from '@tabler/icons-react';
import type { Ref } from 'react';
import { DropZone, useTouch } from '../../ui/drop-zone.tsx';
import classes from './profile.module.css';

export interface CertificateDropProps {
  readonly button: Ref<HTMLButtonElement>;
  readonly hasCertificate: boolean;
  readonly file: File | null;
  /** Whether it is required and missing. */
  readonly isMissing: boolean;
  /** Whether it was refused: no password opens it. */
  readonly isRefused: boolean;
  readonly onFile: (file: File | null) => void;
}

/** A certificate is dragged here or chosen. The button is for keyboard users. */
export function CertificateDrop(props: CertificateDropProps) {
  const { button, hasCertificate, file, isMissing, isRefused, onFile } = props;
  const isTouch = useTouch();
  const first = isTouch ? 'Elige tu certificado' : 'Arrastra aquí tu certificado';
  const title = hasCertificate ? 'Cambiar el certificado' : first;
  const kinds = 'Archivo .p12 o .pfx de representante o de autónomo.';
  const help =
    hasCertificate && !isTouch ? 'Arrastra aquí tu archivo .p12 o .pfx, o elígelo.' : kinds;
  const ask = isRefused ? kinds : 'Escribe su contraseña para comprobarlo.';

  return (
    <DropZone className={classes.drop} onFiles={([dropped]) => dropped && onFile(dropped)}>
      {file ? (
        <IconFile size={22} stroke={1.6} aria-hidden="true" />
      ) : (
        <IconUpload size={22} stroke={1.6} aria-hidden="true" />
      )}
      <div className={classes.dropText}>
        <p className={classes.dropTitle}>{file ? file.name : title}</p>
        {isMissing ? (
          <p className={classes.missing} role="alert">
            Elige el archivo de tu certificado.
          </p>
        ) : (
          <p className={classes.small}>{file ? ask : help}</p>
        )}
      </div>
      <FileButton
        accept=".p12,.pfx,application/x-pkcs12"
        onChange={(chosen) => chosen && onFile(chosen)}
        inputProps={{ 'aria-label': 'Archivo del certificado' }}
      >
        {(open) => (
          <Button
            {...open}
            ref={button}
            variant="default"
            size="sm"
            aria-invalid={isMissing || undefined}
          >
            {file ? 'Elegir otro' : 'Elegir archivo'}
          </Button>
        )}
      </FileButton>
    </DropZone>
  );
}
