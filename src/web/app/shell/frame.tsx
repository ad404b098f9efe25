import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { IconLock, IconTool } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState } from 'react';
import { Navigate, Outlet, useLocation, useNavigation } from 'react-router';
import { loadAhead } from '../../lib/load-module.ts';
import { PATHS } from '../../lib/paths.ts';
import { enableMantenimientoQuery, textMantenimientoQuery } from '../../lib/queries.ts';
import { Banner } from '../../ui/banner.tsx';
import { EndlessBar } from '../../ui/endless-bar.tsx';
import { PageNotice, PanelClosed } from '../../ui/page-title.tsx';
import { useSlow } from '../../ui/use-slow.ts';
import { LegalBar } from '../legal-bar.tsx';
import { Framed } from '../route-error.tsx';
import classes from './frame.module.css';
import { isAlwaysOpen, MEANWHILE } from './gate.ts';
import { GateButton } from './gate-button.tsx';
import { Rail } from './rail.tsx';
import { StartUpLoading } from './start-up-screens.tsx';
import { TopBar } from './top-bar.tsx';
import { useGate } from './use-company.ts';
import { useNews } from './use-news.ts';
import { useWarning } from './warnings.tsx';

const NavigationDrawer = lazy(loadAhead(() => import('./navigation-drawer.tsx')));

/** Top bar, rail or drawer, content and footer. */
export function Frame() {
  useNews();
  const gate = useGate();
  const warning = useWarning();
  const { pathname, key } = useLocation();
  const [drawer, { open, close }] = useDisclosure(false);
  // Loaded on first use: the first screen does not need its code.
  const [wanted, setWanted] = useState(false);
  const openDrawer = () => {
    setWanted(true);
    open();
  };
  const narrow = useMediaQuery('(max-width: 47.99em)', undefined, {
    getInitialValueInEffect: false,
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: arriving somewhere closes the drawer, even where one was.
  useEffect(close, [key, close]);

  if (gate && !isAlwaysOpen(pathname)) return <ToProfile key={pathname} />;

  return (
    <div className={classes.frame}>
      <a className="hu-skip" href="#contenido">
        Saltar al contenido
      </a>
      <Opening />
      {!narrow && <Rail gate={gate} />}
      {narrow && wanted && (
        <Suspense>
          <NavigationDrawer opened={drawer} onClose={close} gate={gate} />
        </Suspense>
      )}
      <div className={classes.page}>
        <TopBar gate={gate} onMenu={openDrawer} menuOpen={drawer} />
        <Maintenance />
        <main id="contenido" tabIndex={-1} className={classes.content}>
          <PageNotice
            value={
              gate ? (
                <Banner
                  tone="amber"
                  icon={IconLock}
                  title={gate.sentence}
                  action={<GateButton gate={gate} />}
                >
                  {MEANWHILE}
                </Banner>
              ) : (
                warning
              )
            }
          >
            <PanelClosed value={gate !== null}>
              <Framed value={true}>
                <Outlet />
              </Framed>
            </PanelClosed>
          </PageNotice>
        </main>
      </div>
      <LegalBar place="panel" />
    </div>
  );
}

/** The code of the next screen is still to come: the one before stays, which would seem not to have noticed the click. */
function Opening() {
  const isSlow = useSlow(useNavigation().state === 'loading');
  if (!isSlow) return null;
  return (
    <div className={classes.opening}>
      <EndlessBar label="Abriendo la pantalla" words="Abriendo…" />
    </div>
  );
}

/**
 * Goes to the profile. Its code is still to come, so the screen seen while starting stays until it is there. It needs
 * the address as its `key`: whoever goes back or on meanwhile ends that redirection, and it would not begin another.
 */
function ToProfile() {
  return (
    <>
      <Navigate to={PATHS.profile} replace />
      <StartUpLoading />
      <LegalBar place="public" />
    </>
  );
}

/** Checked twice a minute, so that a maintenance notice appears on screens that are already open. */
const MAINTENANCE_MS = 30_000;

function Maintenance() {
  const enabled = useQuery({ ...enableMantenimientoQuery, refetchInterval: MAINTENANCE_MS });
  const text = useQuery({ ...textMantenimientoQuery, refetchInterval: MAINTENANCE_MS });
  if (!enabled.data || !text.data) return null;
  return (
    <div className={classes.maintenance}>
      <Banner tone="amber" icon={IconTool} title={text.data} role="status" />
    </div>
  );
}
