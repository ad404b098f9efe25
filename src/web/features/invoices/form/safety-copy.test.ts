import { describe, expect, it } from 'vitest';
import { freshDraft } from './draft-state.ts';
import {
  copiesOfCreate,
  copiesRegistering,
  copyKey,
  readCopies,
  removeCopy,
  type SafetyCopy,
  unkeptCopiesOf,
  writeCopy,
} from './safety-copy.ts';

/** The browser's storage, in memory and of limited size. */
class MemoryStorage implements Storage {
  readonly #entries = new Map<string, string>();
  readonly #room: number;
  constructor(room = Number.POSITIVE_INFINITY) {
    this.#room = room;
  }
  get length() {
    return this.#entries.size;
  }
  key(index: number) {
    return [...this.#entries.keys()][index] ?? null;
  }
  getItem(key: string) {
    return this.#entries.get(key) ?? null;
  }
  setItem(key: string, value: string) {
    if (value.length > this.#room) throw new Error('QuotaExceededError');
    this.#entries.set(key, value);
  }
  removeItem(key: string) {
    this.#entries.delete(key);
  }
  clear() {
    this.#entries.clear();
  }
}

const NOW = Date.parse('2026-11-20T10:00:00Z');
const copy = (notas: string, at = NOW): SafetyCopy => ({
  state: { ...freshDraft('2026-11-20'), notas },
  isKept: false,
  at,
});

describe('safety copies', () => {
  it('are returned newest first, and only those of the company', () => {
    const storage = new MemoryStorage();
    writeCopy(storage, copyKey('7', 'crear', 'a'), copy('old', NOW - 1_000));
    writeCopy(storage, copyKey('7', 'pendiente', 'b'), copy('new'));
    writeCopy(storage, copyKey('77', 'crear', 'c'), copy('another company'));
    storage.setItem('authToken', 'x');
    const found = readCopies(storage, '7', NOW);
    expect(found.map(({ copy: { state } }) => state.notas)).toEqual(['new', 'old']);
  });

  it('are dropped after a month, or if they cannot be read', () => {
    const storage = new MemoryStorage();
    writeCopy(storage, copyKey('7', 'crear', 'a'), copy('a', NOW - 31 * 24 * 3_600_000));
    storage.setItem(copyKey('7', 'pendiente', 'b'), '{"at":1');
    storage.setItem(copyKey('7', 'crear', 'c'), 'null');
    expect(readCopies(storage, '7', NOW)).toEqual([]);
    expect(storage.length).toBe(0);
  });

  it('are found by their form, or by a draft that lacks their changes', () => {
    const storage = new MemoryStorage();
    const saved = { docNo: 'B-3', version: 2 };
    writeCopy(storage, copyKey('7', 'crear', 'a'), { ...copy('typed in Crear'), saved });
    writeCopy(storage, copyKey('7', 'pendiente', 'b'), { ...copy('kept'), saved, isKept: true });
    const notes = (found: ReturnType<typeof readCopies>) => found.map((c) => c.copy.state.notas);
    const all = readCopies(storage, '7', NOW);
    expect(notes(copiesOfCreate(all))).toEqual(['typed in Crear']);
    expect(notes(unkeptCopiesOf(all, 'B-3'))).toEqual(['typed in Crear']);
    expect(unkeptCopiesOf(all, 'B-4')).toEqual([]);
  });

  it('are found by what was being registered, even if the server has all of it', () => {
    const storage = new MemoryStorage();
    const saved = { docNo: 'B-3', version: 2 };
    const registering = { key: 'k', fields: {}, at: NOW, search: '?duplicar=F-1' };
    const kept = { ...copy('kept', NOW - 2_000), saved, isKept: true, registering };
    writeCopy(storage, copyKey('7', 'crear', 'a'), kept);
    writeCopy(storage, copyKey('7', 'pendiente', 'b'), { ...copy('typed later'), saved });
    const all = readCopies(storage, '7', NOW);
    const [first] = unkeptCopiesOf(all, 'B-3');
    expect(first?.copy.registering).toEqual(registering);
    expect(copiesRegistering(all, '?duplicar=F-1')).toHaveLength(1);
    expect(copiesRegistering(all, '?duplicar=F-2')).toEqual([]);
  });

  it('are lost if the storage is full, instead of breaking the form or keeping an older one', () => {
    const storage = new MemoryStorage(800);
    const key = copyKey('7', 'crear', 'a');
    writeCopy(storage, key, copy('short'));
    expect(storage.getItem(key)).not.toBeNull();
    writeCopy(storage, key, copy('x'.repeat(800)));
    expect(readCopies(storage, '7', NOW)).toEqual([]);
    removeCopy(storage, key);
  });
});
