import { Button, FileButton } from '@mantine/core';
import { IconCamera, IconFileUpload, IconUpload } from '@tabler/icons-react';
import { useRef } from 'react';
import { DropZone, useTouch } from '../../../ui/drop-zone.tsx';
import { ACCEPTED, CAMERA } from './file-problem.ts';
import classes from './upload.module.css';

export interface FileDropProps {
  readonly onFiles: (files: readonly File[]) => void;
  /** Smaller when there is a queue below it. */
  readonly isSmall: boolean;
}

/** Files are dragged here, chosen or photographed. The buttons are for keyboard users. */
export function FileDrop({ onFiles, isSmall }: FileDropProps) {
  const hasCamera = useTouch();
  const resetFiles = useRef<() => void>(null);
  const resetCamera = useRef<() => void>(null);
  const give = (files: readonly File[]) => {
    if (files.length > 0) onFiles(files);
    // Allows choosing the same file again.
    resetFiles.current?.();
    resetCamera.current?.();
  };
  return (
    <DropZone className={classes.drop} isSmall={isSmall} onFiles={give}>
      <IconFileUpload className={classes.dropIcon} size={28} stroke={1.5} aria-hidden="true" />
      <div className={classes.dropWords}>
        <p className={classes.dropText}>
          {hasCamera ? 'Fotografía o elige tus facturas' : 'Arrastra aquí tus facturas'}
        </p>
        <p className="hu-muted">PDF, JPG/JPEG o PNG. Hasta 10 MB y 10 páginas cada una.</p>
      </div>
      <div className={classes.dropButtons}>
        {hasCamera && (
          <FileButton
            accept={CAMERA}
            capture="environment"
            resetRef={resetCamera}
            onChange={(photo) => photo && give([photo])}
            inputProps={{ 'aria-label': 'Foto de una factura' }}
          >
            {(props) => (
              <Button
                {...props}
                leftSection={<IconCamera size={16} stroke={1.8} aria-hidden="true" />}
              >
                Hacer foto
              </Button>
            )}
          </FileButton>
        )}
        <FileButton
          multiple
          accept={ACCEPTED}
          resetRef={resetFiles}
          onChange={give}
          inputProps={{ 'aria-label': 'Facturas en PDF, JPG o PNG' }}
        >
          {(props) => (
            <Button
              {...props}
              variant={hasCamera ? 'default' : 'filled'}
              leftSection={<IconUpload size={16} stroke={1.8} aria-hidden="true" />}
            >
              Elegir archivos
            </Button>
          )}
        </FileButton>
      </div>
    </DropZone>
  );
}
