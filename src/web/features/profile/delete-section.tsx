import { Button, Loader, Modal } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { PATHS } from '../../lib/paths.ts';
import { clearToken, REDIRECT_DELAY_MS } from '../../lib/session.ts';
import { useIsAsking } from '../../ui/asking.ts';
import { confirmAction } from '../../ui/confirm.tsx';
import { deleteAccount, useShowError } from './api.ts';
import { DataCopy } from './data-copy.tsx';
import classes from './profile.module.css';
import { Section } from './section.tsx';

/** Closes the account: two confirmations, and no other control while it happens. */
export function DeleteSection() {
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: deleteAccount,
    onSuccess: (answer) => {
      if (answer === null) return;
      clearToken();
      setTimeout(
        () => navigate(PATHS.signIn, { replace: true, state: { accountDeleted: true } }),
        REDIRECT_DELAY_MS,
      );
    },
    onError: useShowError(),
  });
  const isAsking = useIsAsking();
  const start = async () => {
    if ((await confirmWhatGoes()) && (await confirmForGood())) remove.mutate();
  };

  return (
    <Section
      title="Eliminar la cuenta"
      help="Las facturas registradas se conservan, bloqueadas, durante el plazo legal."
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
        opened={remove.isPending && !isAsking}
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
            Las facturas y los registros enviados a la AEAT se conservan bloqueados durante el plazo
            que manda la ley.
          </li>
          <li>
            A la AEAT no se le dice nada. Si has declarado facturas y sigues facturando, hazlo con
            otro programa VERI*FACTU al menos hasta el 31 de diciembre.
          </li>
        </ul>
        <div className={classes.copyBefore}>
          <p>
            Antes puedes llevarte una copia de todo. Su enlace sirve siete días, también sin cuenta.
          </p>
          <DataCopy />
        </div>
      </>
    ),
    confirm: 'Eliminar la cuenta…',
    danger: true,
  });
}

function confirmForGood(): Promise<boolean> {
  return confirmAction({
    title: 'Eliminar la cuenta para siempre',
    message: 'No se puede deshacer: si quieres volver, tendrás que registrarte otra vez.',
    confirm: 'Eliminar para siempre',
    danger: true,
  });
}
