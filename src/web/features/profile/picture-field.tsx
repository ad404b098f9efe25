import { ActionIcon, Button, FileButton } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconTrash, IconUpload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { iniciales } from '../../lib/format.ts';
import { errorMessages } from '../../lib/http.ts';
import { loadModule } from '../../lib/load-module.ts';
import { companyPictureQuery } from '../../lib/queries.ts';
import { useErrorDialog } from '../../ui/error-dialog.tsx';
import { Hint } from '../../ui/hint.tsx';
import { useSavePicture } from './api.ts';
import { readPicture } from './picture-file.ts';
import classes from './profile.module.css';

const CropDialog = lazy(loadModule(() => import('./crop-dialog.tsx')));

const NOT_DRAWN = 'No se puede abrir esa imagen. Guárdala otra vez, o elige otra.';

/** A damaged picture, or another kind of file with the name of one, cannot. */
async function canBeDrawn(file: File): Promise<boolean> {
  try {
    (await createImageBitmap(file)).close();
    return true;
  } catch {
    return false;
  }
}

/** The logo: after choosing a file, the user selects the part of it. */
export function PictureField({ name }: { readonly name: string }) {
  const { data: picture } = useQuery(companyPictureQuery);
  const errorDialog = useErrorDialog();
  const save = useSavePicture();
  const [chosen, setChosen] = useState<string | null>(null);

  const send = (base64: string, said: string) =>
    save.mutate(base64, {
      onSuccess: () => {
        setChosen(null);
        notifications.show({ message: said });
      },
      onError: (error) => errorDialog.show(errorMessages(error, 'Error al subir la imagen')),
    });
  const choose = async (file: File | null) => {
    if (!file) return;
    const read = await readPicture(file);
    if (read.ok && !(await canBeDrawn(file))) errorDialog.show(NOT_DRAWN);
    else if (read.ok) setChosen(`data:${file.type};base64,${read.base64}`);
    else errorDialog.show(read.mensaje);
  };

  return (
    <div className={classes.logo}>
      {picture ? (
        <img
          className={classes.picture}
          src={`data:image/png;base64,${picture}`}
          alt={`Logotipo de ${name}`}
        />
      ) : (
        <span className={classes.noPicture} aria-hidden="true">
          {iniciales(name)}
        </span>
      )}
      <div>
        <div className={classes.logoButtons}>
          <FileButton accept="image/png,image/jpeg" onChange={choose}>
            {(props) => (
              <Button
                {...props}
                variant="default"
                size="sm"
                loading={save.isPending}
                leftSection={<IconUpload size={15} stroke={1.7} aria-hidden="true" />}
              >
                {picture ? 'Cambiar logotipo' : 'Subir logotipo'}
              </Button>
            )}
          </FileButton>
          {picture && (
            <Hint label="Quitar el logotipo">
              <ActionIcon
                aria-label="Quitar el logotipo"
                onClick={() => send('', 'Has quitado tu logotipo.')}
              >
                <IconTrash size={16} stroke={1.7} aria-hidden="true" />
              </ActionIcon>
            </Hint>
          )}
        </div>
        <p className={classes.small}>PNG o JPG, hasta 2 MB. Sale en tus facturas y aquí arriba.</p>
      </div>
      <Suspense>
        {chosen && (
          <CropDialog
            src={chosen}
            isSaving={save.isPending}
            onDone={(base64) => send(base64, 'Tu logotipo está guardado.')}
            onClose={() => setChosen(null)}
          />
        )}
      </Suspense>
    </div>
  );
}
