/**
 * Files that wait to be read, kept in this browser (IndexedDB): a reload, or a tab that closes, loses none.
 *
 * Each tab holds a lock while it lives, and reads only what it put there; what a tab left behind, the next
 * one to open takes over.
 */

export interface StoredFile {
  readonly id: string;
  /** Of the draft that it will be: the same file never makes two. */
  readonly key: string;
  readonly file: File;
}

export interface FileStore {
  /** @throws when the browser keeps nothing, for want of room or because it is told so */
  put(file: StoredFile): Promise<void>;
  remove(id: string): Promise<void>;
}

interface Row extends StoredFile {
  readonly companyId: string;
  /** The tab that reads it. */
  readonly owner: string;
  /** In the order in which they were chosen. */
  readonly at: number;
}

const STORE = 'archivos';
const lockOf = (owner: string) => `huella-subidas-${owner}`;
/** Undefined where the page did not come over HTTPS. */
const locks = (): LockManager | undefined => globalThis.navigator?.locks;

/**
 * The stored files of a company in this tab.
 *
 * @param onFound given what tabs that are gone had left, in its order, now or when they close
 */
export function openFileStore(
  companyId: string,
  { owner, onFound }: { owner: string; onFound: (files: readonly StoredFile[]) => void },
): FileStore {
  const opened = open();
  // Held for as long as this tab lives.
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

/** Nobody will read what is stored: whoever chose it signed out. */
export async function clearFileStore(): Promise<void> {
  try {
    await done((await open()).transaction(STORE, 'readwrite'), (store) => store.clear());
  } catch {
    // A browser that keeps nothing has nothing to forget.
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
    // Waits while that tab lives. Where there are no locks, nor are there other tabs to know of.
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
