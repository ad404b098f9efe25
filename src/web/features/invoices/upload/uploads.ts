import { useEffect, useSyncExternalStore } from 'react';
import { openFileStore } from '../../../lib/file-store.ts';
import { ApiError } from '../../../lib/http.ts';
import { newKey } from '../../../lib/new-key.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { decodeToken, storedToken } from '../../../lib/session.ts';
import { extraerFactura, saveReading } from './api.ts';
import { UploadQueue } from './upload-queue.ts';

let queue: { readonly companyId: string; readonly uploads: UploadQueue } | null = null;

const ENDED = 'Tu sesión ha terminado. Vuelve a entrar y reinténtalo.';

function companyInside(): string {
  return decodeToken(storedToken() ?? '')?.sub ?? '';
}

/** The queue of the signed-in company: it continues while other screens are shown, and ends with the session. */
export function uploadQueue(): UploadQueue {
  const companyId = companyInside();
  if (queue?.companyId !== companyId) {
    // Files chosen by one company are not shown to another that signs in later in the same tab.
    const ownOnly = () => {
      if (companyInside() !== companyId) throw new ApiError(401, [ENDED]);
    };
    const store = openFileStore(companyId, {
      owner: newKey(),
      onFound: (files) => uploads.restore(files),
    });
    const uploads = new UploadQueue({
      store,
      read: async (file) => {
        ownOnly();
        return extraerFactura(file);
      },
      save: async (reading, key) => {
        ownOnly();
        return saveReading(reading, key);
      },
      newKey,
      wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      onSaved: () => queryClient.invalidateQueries({ queryKey: ['invoices'] }),
    });
    window.addEventListener('beforeunload', (event) => {
      // Nobody else has what this browser could not store.
      if (uploads === queue?.uploads && uploads.wouldLose) event.preventDefault();
    });
    queue = { companyId, uploads };
  }
  return queue.uploads;
}

export function useUploads() {
  const uploads = uploadQueue();
  const list = useSyncExternalStore(uploads.subscribe, uploads.uploads);
  return { uploads, list };
}

/** Passes on the draft that opens automatically, once it exists. */
export function useFirstReady(onReady: (docNo: string) => void): void {
  const { uploads, list } = useUploads();
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked for each time the list changes.
  useEffect(() => {
    const docNo = uploads.takeFirstReady();
    if (docNo !== null) onReady(docNo);
  }, [uploads, list]);
}
