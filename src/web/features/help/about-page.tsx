import { Button } from '@mantine/core';
import { IconArrowUpRight, IconDownload } from '@tabler/icons-react';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { InstalacionAnswer } from '../../../contract/evidence.ts';
import { http, retryMessage } from '../../lib/http.ts';
import { PATHS } from '../../lib/paths.ts';
import { useAskedProvider, useProvider } from '../../lib/provider.ts';
import { toTitle } from '../../ui/focus-after.ts';
import { PageTitle } from '../../ui/page-title.tsx';
import { SkeletonBar } from '../../ui/skeleton-rows.tsx';
import classes from './help.module.css';

/** Generated from `docs/manual` at build. */
const MANUAL = '/manual-de-huella.pdf';

const instalacionQuery = queryOptions({
  queryKey: ['GetInstalacion'],
  queryFn: ({ signal }) => http<InstalacionAnswer>('/api/GetData/GetInstalacion', { signal }),
  staleTime: 60_000,
});

const COMPONENTS = [
  'Serialización de los registros en XML, con la estructura que publica la AEAT',
  'Envío a la AEAT al emitir, con el certificado de cada empresa',
  'Encadenamiento de los registros por su huella SHA-256',
  'Descarga de las facturas en PDF',
  'Generación del código QR de cada factura',
  'Tratamiento de las respuestas de la AEAT, línea por línea',
] as const;

export function Component() {
  const { version, sistema, empresa, enlaces } = useProvider();
  return (
    <>
      <PageTitle title="Acerca de" />
      <div className={classes.about}>
        <section className={`hu-card ${classes.card}`} aria-labelledby="sistema">
          <h2 id="sistema" className={classes.heading}>
            El sistema
          </h2>
          <dl className={classes.data}>
            <dt>Nombre del sistema</dt>
            <dd>{sistema.nombre}</dd>
            <dt>Código identificador</dt>
            <dd>
              <Told isFirst>{sistema.identificador}</Told>
            </dd>
            <dt>Versión</dt>
            <dd className="hu-figures">
              <Told>{version}</Told>
            </dd>
            <dt>Número de instalación</dt>
            <dd className={classes.installation}>
              <Installation />
            </dd>
          </dl>
          <p>
            <Link to={PATHS.declaration}>Declaración responsable</Link>
          </p>
          <div>
            <Button
              component="a"
              href={MANUAL}
              download="Manual de Huella.pdf"
              leftSection={<IconDownload size={16} stroke={1.7} aria-hidden="true" />}
            >
              Descargar el manual
            </Button>
            <p className={classes.small}>
              PDF, con imágenes: de la primera factura a las rectificativas.
            </p>
          </div>
        </section>
        <section className={`hu-card ${classes.card}`} aria-labelledby="productor">
          <h2 id="productor" className={classes.heading}>
            El productor
          </h2>
          <dl className={classes.data}>
            <dt>Razón social</dt>
            <dd>{empresa.razonSocial}</dd>
            <dt>NIF</dt>
            <dd>{empresa.nif}</dd>
            <dt>Dirección</dt>
            <dd>{empresa.direccion}</dd>
            <dt>Contacto</dt>
            <dd>
              {empresa.correo} · {empresa.telefono}
            </dd>
          </dl>
          <nav className={classes.links} aria-label="Enlaces del productor">
            <Away href={enlaces.privacidad}>Política de privacidad</Away>
            <Away href={enlaces.avisoLegal}>Aviso legal</Away>
            <Away href={enlaces.terminos}>Términos y condiciones</Away>
            <Away href={enlaces.comoFunciona}>Sitio oficial</Away>
            <Away href="/api/docs">API para programadores</Away>
          </nav>
        </section>
        <section
          className={`hu-card ${classes.card} ${classes.whole}`}
          aria-labelledby="componentes"
        >
          <h2 id="componentes" className={classes.heading}>
            Componentes
          </h2>
          <ul className={classes.components}>
            {COMPONENTS.map((component) => (
              <li key={component}>{component}</li>
            ))}
          </ul>
          <p className={classes.statement}>
            Este sistema funciona exclusivamente como VERI*FACTU: envía a la AEAT los registros de
            todas las facturas que se expiden con él. Puedes comprobarlos y llevártelos en{' '}
            <Link to={PATHS.evidence}>Registros y evidencias</Link>.
          </p>
        </section>
      </div>
    </>
  );
}

/** A piece of configuration. If it could not be loaded, the first one offers to load all of it again. */
function Told({ children, isFirst = false }: { children: string; isFirst?: boolean }) {
  const { isKnown, error, askAgain } = useAskedProvider();
  if (isKnown) return children;
  if (!error) return <SkeletonBar width={48} />;
  return isFirst ? <Unknown error={error} onRetry={askAgain} /> : '—';
}

/** The number of this installation or, if it could not be loaded, a way to try again. */
function Installation() {
  const { data, error, refetch } = useQuery(instalacionQuery);
  if (data) return data.numeroInstalacion;
  if (!error) return <SkeletonBar width={176} />;
  return <Unknown error={error} onRetry={() => void refetch()} />;
}

function Unknown({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return (
    <div className={classes.unknown} role="alert">
      <span>No hemos podido consultarlo. {retryMessage(error)}</span>
      <Button ref={toTitle} variant="default" size="sm" onClick={onRetry}>
        Intentar nuevamente
      </Button>
    </div>
  );
}

function Away({ href, children }: { readonly href: string; readonly children: string }) {
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}
      <IconArrowUpRight className={classes.away} size={14} aria-hidden="true" />
      <span className="hu-hidden">, se abre en otra pestaña</span>
    </a>
  );
}
