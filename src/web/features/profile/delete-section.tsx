import { Button, Loader, Modal } from '@mantine/core';
import { IconDownload, IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { saveFile } from '../../lib/download.ts';
import { ApiError, errorMessages, httpFile } from '../../lib/http.ts';
import { PATHS } from '../../lib/paths.ts';
import { clearToken } from '../../lib/session.ts';
import { confirmAction } from '../../ui/confirm.tsx';
import { deleteAccount, useShowError } from './api.ts';
import classes from './profile.module.css';
import { Section } from './section.tsx';

/** As after signing out: time for the page to let go of what it was doing. */
const REDIRECT_DELAY_MS = 50;

/** Closes the account: two confirmations, and nothing else to press while it happens. */
export function DeleteSection() {
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: deleteAccount,
    onSuccess: (answer) => {
      if (answer === null) return;
      clearToken();
      setTimeout(() => navigate(PATHS.signIn, { replace: true }), REDIRECT_DELAY_MS);
    },
    onError: useShowError(),
  });
  const start = async () => {
    if ((await confirmWhatGoes()) && (await confirmForGood())) remove.mutate();
  };

  return (
    <Section
      title="Eliminar la cuenta"
      help="Las facturas registradas se conservan el plazo legal, cerradas."
    >
      <Button
        variant="default"
        leftSection={<IconTrash size={16} stroke={1.7} aria-hidden="true" />}
        style={{ color: 'var(--hu-red-text)' }}
        onClick={start}
      >
        Eliminar la cuenta…
      </Button>
      <Modal
        opened={remove.isPending}
        onClose={() => {}}
        withCloseButton={false}
        closeOnEscape={false}
        closeOnClickOutside={false}
        title="Eliminando tu cuenta"
      >
        <div className={classes.working} role="status" aria-busy="true">
          <Loader size={28} />
          <p>Esto tarda unos segundos. No cierres esta página.</p>
        </div>
      </Modal>
    </Section>
  );
}

function confirmWhatGoes(): Promise<boolean> {
  return confirmAction({
    title: 'Eliminar la cuenta',
    message: (
      <>
        <p>Qué pasará al eliminarla:</p>
        <ul className={classes.list}>
          <li>Nadie podrá entrar en ella desde ese momento.</li>
          <li>
            Se borran el certificado, el logotipo, los archivos que subiste, los borradores, los
            productos y los clientes sin facturas.
          </li>
          <li>
            Las facturas y los registros enviados a la AEAT se conservan bloqueados el plazo que
            manda la ley. Descarga antes los PDF que necesites.
          </li>
        </ul>
        <ExportBefore />
      </>
    ),
    confirm: 'Eliminar la cuenta…',
    danger: true,
  });
}

/** What was registered is the company's: it is offered before the door closes. */
function ExportBefore() {
  const save = useMutation({
    mutationFn: async () => {
      const { file, name } = await httpFile('/api/GetData/ExportarRegistros');
      saveFile(file, name ?? 'registros.zip');
    },
  });
  const isEmpty = save.error instanceof ApiError && save.error.status === 404;
  return (
    <div className={classes.exportBefore}>
      <Button
        variant="default"
        size="sm"
        loading={save.isPending}
        leftSection={<IconDownload size={16} stroke={1.7} aria-hidden="true" />}
        onClick={() => save.mutate()}
      >
        Exportar mis registros antes
      </Button>
      <p className={classes.small} role="status">
        {save.isSuccess && 'Descargado: un ZIP con tus registros y las respuestas de la AEAT.'}
        {save.error && (isEmpty ? 'No tienes registros que exportar.' : errorMessages(save.error))}
      </p>
    </div>
  );
}

function confirmForGood(): Promise<boolean> {
  return confirmAction({
    title: 'Eliminar la cuenta para siempre',
    message: 'No se puede deshacer: si quieres volver, tendrás que registrarte otra vez.',
    confirm: 'Eliminar para siempre',
    danger: true,
  });
}
