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
    // No answer, a request to wait, or a server error: the current token is still valid.
    const status = error instanceof ApiError ? error.status : 0;
    return status === 0 || status === 429 || status >= 500 ? 'no-answer' : 'refused';
  }
};

const checkSession = sessionChecker(refresh);

/**
 * Watches the session while the panel is open: every click checks and renews it. When it has ended, here, on the
 * server or in another tab, the user is taken to sign in and returns afterwards.
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
    let isOpen = true;
    const onClick = async () => {
      // Whatever took the user out of the panel meanwhile, such as deleting the account, has said so itself.
      if ((await checkSession()) === 'over' && isOpen && !isSigningOut()) leave();
    };
    const onStorage = (event: StorageEvent) => {
      if (event.key !== TOKEN_KEY || event.newValue !== null || isSigningOut()) return;
      // Another tab removes the token when it has expired, or when somebody signs out there.
      leave(isAlive(event.oldValue ?? '', Date.now()) ? 'cerrada' : 'caducada');
    };
    document.addEventListener('click', onClick);
    window.addEventListener('storage', onStorage);
    const stopListening = onSessionRefused(() => !isSigningOut() && leave());
    return () => {
      isOpen = false;
      document.removeEventListener('click', onClick);
      window.removeEventListener('storage', onStorage);
      stopListening();
    };
  }, [leave]);
}

/** True until somebody is in the panel again: a check started by a click may end much later. */
let signingOut = false;
const isSigningOut = () => signingOut;

/** Browsers deliver the answer once they have emptied their cache, which may be large. */
const SIGN_OUT_PATIENCE_MS = 3_000;

/** Ends the session on the server and here, and goes to the sign-in page 50 ms later. */
export function useSignOut(): () => Promise<void> {
  const navigate = useNavigate();
  return useCallback(async () => {
    if (signingOut) return;
    signingOut = true;
    try {
      // Even without an answer this device forgets the session; on the server it expires.
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
