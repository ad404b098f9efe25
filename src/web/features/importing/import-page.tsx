import { useState } from 'react';
import type { SaveDataAnswer } from '../../../contract/imports.ts';
import { errorMessages } from '../../lib/http.ts';
import { useErrorDialog } from '../../ui/error-dialog.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { usePreview, useSaveData } from './api.ts';
import { ImportResult } from './import-result.tsx';
import { ImportReview } from './import-review.tsx';
import { ImportSteps } from './import-steps.tsx';
import { Progress } from './progress.tsx';

/** The specification's last resort for a file that could not be uploaded. */
const FAILED = 'Error al subir el archivo.';

/** Download the template, fill it in, upload it; then what would happen, and what happened. */
export function Component() {
  const errors = useErrorDialog();
  const preview = usePreview();
  const save = useSaveData();
  const [file, setFile] = useState<File | null>(null);
  const [saved, setSaved] = useState<SaveDataAnswer | null>(null);

  const read = (chosen: File) => {
    setFile(chosen);
    preview.mutate(chosen, { onError: (error) => errors.show(errorMessages(error, FAILED)) });
  };
  const restart = () => {
    preview.reset();
    setFile(null);
    setSaved(null);
  };
  const confirm = () => {
    if (!preview.data) return;
    save.mutate(preview.data, {
      onSuccess: setSaved,
      onError: (error) => errors.show(errorMessages(error)),
    });
  };

  return (
    <>
      <PageTitle title="Importar datos" />
      {saved ? (
        <ImportResult saved={saved} onRestart={restart} />
      ) : preview.data && file ? (
        <ImportReview
          preview={preview.data}
          file={file}
          isSaving={save.isPending}
          onConfirm={confirm}
          onCancel={restart}
        />
      ) : (
        <ImportSteps onFile={read} isReading={preview.isPending} />
      )}
      {preview.isPending && <Progress title="Leyendo tu archivo…" detail={file?.name ?? ''} />}
      {save.isPending && (
        <Progress title="Guardando tus datos…" detail="Se guarda todo o no se guarda nada." />
      )}
    </>
  );
}
