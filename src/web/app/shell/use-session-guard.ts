import { useCallback, useEffect } from 'react';
import { useNavigate } from 'react-router';
import { clearFileStore } from '../../lib/file-store.ts';
import { ApiError, http, onSessionRefused } from '../../lib/http.ts';
import { PATHS } from '../../lib/paths.ts';
import { rememberPlace } from '../../lib/return-place.ts';
import {
  isAlive,
  REDIRECT_DELAY_MS,
  type Refresh,
  type SessionEnd,
  sessionChecker,
  storedToken,
  TOKEN_KEY,
} from '../../lib/session.ts';
import { forgetAllTyped } from '../../lib/typed.ts';

const refresh: Refresh = async () => {
  try {
    return await http<{ tokenJWT: string }>('/api/Auth/RefreshToken', { json: {} });
  } catch (error) {
    // Nobody answered, asked to wait or failed by itself: the token in hand is still good.
    const status = error instanceof ApiError ? error.status : 0;
    return status === 0 || status === 429 || status >= 500 ? 'no-answer' : 'refused';
  }
};

const checkSession = sessionChecker(refresh);

/**
 * Watches the session while the panel is open: every click checks and renews it, and when it is
 * over, here, on the server or in another tab, the person goes to sign in and comes back after.
 */
export function useSessionGuard(): void {
  const navigate = useNavigate();

  const leave = useCallback(
    (sessionOver: SessionEnd = 'caducada') => {
      if (window.location.pathname.startsWith(PATHS.panel)) {
        rememberPlace(window.location.pathname + window.location.search);
      }
      navigate(PATHS.signIn, { replace: true, state: { sessionOver } });
    },
    [navigate],
  );

  useEffect(() => {
    signingOut = false;
    const onClick = async () => {
      if ((await checkSession()) === 'over' && !isSigningOut()) leave();
    };
    const onStorage = (event: StorageEvent) => {
      if (event.key !== TOKEN_KEY || event.newValue !== null || isSigningOut()) return;
      // Another tab takes it away when it is past its hour, or else when somebody signs out there.
      leave(isAlive(event.oldValue ?? '', Date.now()) ? 'cerrada' : 'caducada');
    };
    document.addEventListener('click', onClick);
    window.addEventListener('storage', onStorage);
    const stopListening = onSessionRefused(() => !isSigningOut() && leave());
    return () => {
      document.removeEventListener('click', onClick);
      window.removeEventListener('storage', onStorage);
      stopListening();
    };
  }, [leave]);
}

/** Until somebody is in the panel again: a check that a click began may end long after. */
let signingOut = false;
const isSigningOut = () => signingOut;

/** Browsers give the answer once they have emptied their cache, which may be a large one. */
const SIGN_OUT_PATIENCE_MS = 3_000;

/** Ends the session on the server and here, and goes to sign in 50 ms after. */
export function useSignOut(): () => Promise<void> {
  const navigate = useNavigate();
  return useCallback(async () => {
    if (signingOut) return;
    signingOut = true;
    try {
      // Without an answer this device still forgets the session; the server lets it expire.
      if (storedToken() !== null) {
        const signal = AbortSignal.timeout(SIGN_OUT_PATIENCE_MS);
        await http('/api/Auth/logout', { method: 'POST', signal }).catch(() => undefined);
      }
    } finally {
      localStorage.removeItem(TOKEN_KEY);
      forgetAllTyped();
      void clearFileStore();
      setTimeout(() => navigate(PATHS.signIn, { replace: true }), REDIRECT_DELAY_MS);
    }
  }, [navigate]);
}
