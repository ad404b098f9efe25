/**
 * Files waiting to be read, stored in this browser (IndexedDB), so that a reload or a closed tab loses none.
 *
 * Each tab holds a lock while it is open, and reads only what it stored itself; the next tab that opens takes over
 * what a closed tab left.
 */

export interface StoredFile {
  readonly id: string;
  /** The key of its future draft: the same file never makes two. */
  readonly key: string;
  readonly file: File;
}

export interface FileStore {
  /** @throws when the browser stores nothing, for lack of space or by its settings */
  put(file: StoredFile): Promise<void>;
  remove(id: string): Promise<void>;
}

interface Row extends StoredFile {
  readonly companyId: string;
  /** The tab that reads it. */
  readonly owner: string;
  /** The order in which they were chosen. */
  readonly at: number;
}

const STORE = 'archivos';
const lockOf = (owner: string) => `huella-subidas-${owner}`;
/** Undefined where the page did not come over HTTPS. */
const locks = (): LockManager | undefined => globalThis.navigator?.locks;

/**
 * The stored files of a company in this tab.
 *
 * @param onFound receives what closed tabs left, in order, now or when they are closed
 */
export function openFileStore(
  companyId: string,
  { owner, onFound }: { owner: string; onFound: (files: readonly StoredFile[]) => void },
): FileStore {
  const opened = open();
  // Held as long as this tab is open.
  void locks()?.request(lockOf(owner), () => new Promise(() => {}));
  void opened.then((db) => takeOver(db, { companyId, owner, onFound })).catch(() => {});
  let at = Date.now();
  return {
    async put(file) {
      at += 1;
      const row: Row = { ...file, companyId, owner, at };
      await done((await opened).transaction(STORE, 'readwrite'), (store) => store.put(row));
    },
    async remove(id) {
      await done((await opened).transaction(STORE, 'readwrite'), (store) => store.delete(id));
    },
  };
}

/** Deletes all stored files, because whoever chose them has signed out. */
export async function clearFileStore(): Promise<void> {
  try {
    await done((await open()).transaction(STORE, 'readwrite'), (store) => store.clear());
  } catch {
    // A browser that stores nothing has nothing to delete.
  }
}

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open('huella-subidas', 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'id' });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

async function takeOver(
  db: IDBDatabase,
  { companyId, owner, onFound }: Parameters<typeof openFileStore>[1] & { companyId: string },
): Promise<void> {
  const owners = new Set((await rowsOf(db, companyId)).map((row) => row.owner));
  owners.delete(owner);
  for (const gone of owners) {
    // Waits while that tab is open. Without locks, other tabs cannot be recognised either.
    const take = async () => {
      const rows = (await rowsOf(db, companyId)).filter((row) => row.owner === gone);
      await done(db.transaction(STORE, 'readwrite'), (store) => {
        for (const row of rows) store.put({ ...row, owner });
      });
      if (rows.length > 0) onFound(rows.sort((a, b) => a.at - b.at));
    };
    void (locks()?.request(lockOf(gone), take) ?? take()).catch(() => {});
  }
}

function rowsOf(db: IDBDatabase, companyId: string): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    const request = db.transaction(STORE).objectStore(STORE).getAll();
    request.onsuccess = () =>
      resolve((request.result as Row[]).filter((row) => row.companyId === companyId));
    request.onerror = () => reject(request.error);
  });
}

function done(
  transaction: IDBTransaction,
  work: (store: IDBObjectStore) => unknown,
): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
    work(transaction.objectStore(STORE));
  });
}
