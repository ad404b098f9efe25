import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ImportExcelAnswer, SaveDataAnswer } from '../../../contract/imports.ts';
import { ApiError, errorMessages } from '../../lib/http.ts';
import { useErrorDialog } from '../../ui/error-dialog.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import {
  type ChosenFile,
  importacionQuery,
  lecturaQuery,
  useColumns,
  usePreview,
  useSaveData,
} from './api.ts';
import { ImportMapping } from './import-mapping.tsx';
import { ImportResult } from './import-result.tsx';
import { ImportReview } from './import-review.tsx';
import { ImportSteps } from './import-steps.tsx';
import { Progress } from './progress.tsx';

/** Fallback message for a failed upload. */
const FAILED = 'Error al subir el archivo.';

const isOtherProgram = (error: unknown) =>
  error instanceof ApiError && error.codigo === 'NOT_THE_TEMPLATE';

/** Download the template, fill it in, upload it; then a preview, and the result. */
export function Component() {
  const errors = useErrorDialog();
  const client = useQueryClient();
  const preview = usePreview();
  const columns = useColumns();
  const save = useSaveData();
  const last = useQuery(importacionQuery);
  const running = last.data;
  const [chosen, setChosen] = useState<ChosenFile | null>(null);
  const [saved, setSaved] = useState<SaveDataAnswer | null>(null);
  const [wrong, setWrong] = useState(0);
  const fail = (error: Error) => errors.show(errorMessages(error, FAILED));

  const read = (file: ChosenFile) => {
    setChosen(file);
    preview.mutate(file, {
      onError: (error) => {
        if (isOtherProgram(error)) columns.mutate(file.file, { onError: fail });
        else fail(error);
      },
    });
  };
  const restart = () => {
    preview.reset();
    columns.reset();
    setChosen(null);
    setSaved(null);
  };
  const confirm = (what: ImportExcelAnswer) => {
    setWrong(Object.values(what.resumen).reduce((sum, { erroneo }) => sum + erroneo, 0));
    save.mutate(what, {
      onSuccess: setSaved,
      onError: (error) => errors.show(errorMessages(error)),
      onSettled: () => client.invalidateQueries({ queryKey: importacionQuery.queryKey }),
    });
    // The row exists once the server has begun.
    setTimeout(() => client.invalidateQueries({ queryKey: importacionQuery.queryKey }), 400);
  };
  const isSaving = save.isPending || running?.estado === 'guardando';

  return (
    <>
      <PageTitle title="Importar datos" />
      {saved ? (
        <ImportResult
          saved={saved}
          wrong={wrong > 0 && chosen ? { chosen, count: wrong } : null}
          onRestart={restart}
        />
      ) : preview.data && chosen ? (
        <ImportReview
          preview={preview.data}
          chosen={chosen}
          isSaving={isSaving}
          onConfirm={confirm}
          onCancel={restart}
          onColumns={columns.data && (() => preview.reset())}
        />
      ) : columns.data && chosen ? (
        <ImportMapping
          key={chosen.file.name}
          columnas={columns.data}
          said={chosen.columnas}
          fileName={chosen.file.name}
          isReading={preview.isPending}
          onConfirm={(columnas) => read({ file: chosen.file, columnas })}
          onCancel={restart}
        />
      ) : (
        <ImportSteps
          onFile={(file) => read({ file })}
          isReading={preview.isPending || columns.isPending}
          last={last}
        />
      )}
      {(preview.isPending || columns.isPending) && <Reading name={chosen?.file.name ?? ''} />}
      {isSaving && (
        <Progress
          title="Guardando tus datos…"
          detail="Se guarda todo o no se guarda nada. Va en el servidor y sigue aunque te vayas."
          count={running?.estado === 'guardando' ? running : null}
          mayLeave
        />
      )}
    </>
  );
}

/** Progress while the server reads and validates a file. */
function Reading({ name }: { readonly name: string }) {
  const { data } = useQuery(lecturaQuery);
  return <Progress title="Leyendo tu archivo…" detail={name} percent={data?.leyendo} />;
}
