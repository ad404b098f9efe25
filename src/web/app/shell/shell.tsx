import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { clearToken } from '../../lib/session.ts';
import { LegalBar } from '../legal-bar.tsx';
import { Frame } from './frame.tsx';
import { startUpQuery } from './start-up.ts';
import { StartUpFailed, StartUpLoading } from './start-up-screens.tsx';
import { useSessionGuard } from './use-session-guard.ts';

/** The panel: watches the session, loads the data, and puts the same frame around every screen. */
export function Component() {
  useSessionGuard();
  const [query] = useState(startUpQuery);
  const { status } = useQuery(query);

  useEffect(() => {
    if (status === 'error') clearToken();
  }, [status]);

  return (
    <>
      {status === 'pending' && <StartUpLoading />}
      {status === 'error' && <StartUpFailed />}
      {status === 'success' ? <Frame /> : <LegalBar place="public" />}
    </>
  );
}
