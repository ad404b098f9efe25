import { Button, Loader } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import type { CopiaEnlazada } from '../../../contract/company.ts';
import { fileSize } from '../../../domain/file-size.ts';
import { downloadCopy } from '../../lib/download.ts';
import { fecha } from '../../lib/format.ts';
import { ApiError, errorMessages, http } from '../../lib/http.ts';
import { PATHS } from '../../lib/paths.ts';
import access from '../../ui/access.module.css';
import { AccessLink } from '../../ui/access-link.tsx';
import { usePageTitle } from '../../ui/page-title.tsx';
import { Sheet } from '../../ui/sheet.tsx';

/**
 * The page behind the e-mail about a copy. It needs no session, because the account may be closed. The secret is
 * after the # of the address, which the browser sends to nobody.
 */
export function Component() {
  const { hash } = useLocation();
  const link = hash.slice(1);
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['Copia', link],
    queryFn: ({ signal }) =>
      http<CopiaEnlazada>('/api/Copia/Estado', { json: { Enlace: link }, anonymous: true, signal }),
    staleTime: 0,
    retry: false,
  });
  // Requested again first: the download itself is a file, and a refusal would replace the page.
  const download = async () => {
    const { isSuccess } = await refetch();
    if (isSuccess) downloadCopy(link);
  };

  if (error) {
    // A link that a mail program broke is not even of the right form: 400.
    const isGone = error instanceof ApiError && (error.status === 404 || error.status === 400);
    return (
      <Face title={isGone ? 'Este enlace ya no sirve' : 'No hemos podido abrir tu copia'} isDenied>
        <p className={access.subtitle} role="status">
          {isGone
            ? 'Caducó a los siete días, o pediste otra copia después. Si tu cuenta sigue abierta, puedes preparar otra en tu perfil.'
            : errorMessages(error).join(' ')}
        </p>
        {isGone ? (
          <AccessLink to={`${PATHS.profile}#mis-datos`}>Ir a mi perfil</AccessLink>
        ) : (
          <Button
            size="lg"
            fullWidth
            loading={isFetching}
            className={access.action ?? ''}
            onClick={() => refetch()}
          >
            Volver a intentarlo
          </Button>
        )}
      </Face>
    );
  }
  return (
    <Face title="Tu copia de los datos">
      {data ? (
        <>
          <p className={access.subtitle}>
            Facturas, registros, clientes, productos y todo lo demás que había en tu cuenta.
          </p>
          <dl className={access.details}>
            <dt>Archivo</dt>
            <dd>{data.archivo}</dd>
            <dt>Tamaño</dt>
            <dd>{fileSize(data.bytes)}</dd>
            <dt>Disponible hasta</dt>
            <dd>{fecha(data.hasta)}</dd>
          </dl>
          <Button
            size="lg"
            fullWidth
            loading={isFetching}
            className={access.action ?? ''}
            leftSection={<IconDownload size={18} stroke={1.7} aria-hidden="true" />}
            onClick={download}
          >
            Descargar mis datos
          </Button>
        </>
      ) : (
        <p className={access.subtitle} role="status">
          <Loader size={16} aria-label="Buscando tu copia" />
        </p>
      )}
    </Face>
  );
}

function Face({
  title,
  isDenied = false,
  children,
}: {
  readonly title: string;
  readonly isDenied?: boolean;
  readonly children: ReactNode;
}) {
  const heading = usePageTitle(title);
  return (
    <Sheet isDenied={isDenied}>
      <h1 ref={heading} tabIndex={-1} className={access.title}>
        {title}
      </h1>
      {children}
    </Sheet>
  );
}
