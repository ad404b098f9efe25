import { useQueryClient } from '@tanstack/react-query';
import { startTransition, useCallback, useEffect, useMemo, useState } from 'react';
import { newKey } from '../../../lib/new-key.ts';
import { PATHS } from '../../../lib/paths.ts';
import { leadsBackTo } from '../../../lib/return-place.ts';
import { getEditInvoice, setFacturas } from '../api.ts';
import { lookAgain, useCatalogs } from './catalogs.tsx';
import { draftFields } from './draft-payload.ts';
import { DraftSaver, type SavedDraft, type SaveStatus } from './draft-saver.ts';
import { type DraftAction, draftFromEdit, draftReducer } from './draft-state.ts';
import { DraftStore } from './draft-store.ts';
import { DrawingPace } from './drawing-pace.ts';
import { FormCopy } from './form-copy.ts';
import type { Opening } from './open-form.ts';

/** Actions that move lines. All lines that moved are rendered again, and the click does not wait for that. */
const RENUMBERS: ReadonlySet<DraftAction['kind']> = new Set([
  'line-move',
  'line-remove',
  'line-restore',
]);

/**
 * The state of an open form, and the two places that keep it: the server, as a draft, and the safety copy in this
 * browser. A registered invoice that is being corrected (`savesDraft` false) is kept only here until it is sent.
 *
 * Both get each key press at once. Rendering follows when there is time (`DrawingPace`), except for the row that is
 * being typed in, which renders itself (`DraftStore`); `settle` renders everything at once.
 */
export function useDraftForm(opening: Opening, { savesDraft }: { savesDraft: boolean }) {
  const queryClient = useQueryClient();
  const { groups, keepClient } = useCatalogs();
  const reducer = useMemo(() => draftReducer(groups), [groups]);
  const [store] = useState(() => new DraftStore(opening.state));
  const [state, setState] = useState(opening.state);
  const [pace] = useState(
    () => new DrawingPace(() => startTransition(() => setState(store.state))),
  );
  useEffect(() => {
    if (state === store.state) pace.drawn();
  }, [pace, store, state]);
  useEffect(() => () => pace.skip(), [pace]);
  const [status, setStatus] = useState<SaveStatus>({
    kind: opening.isConflict ? 'conflict' : 'idle',
  });
  const [{ saver, copy }] = useState(() =>
    // «Waiting» is reported at every key press; the form is rendered only for the first one.
    keepers(opening, savesDraft, (next) => {
      if (next.kind === 'refused') lookAgain(queryClient, next.error);
      startTransition(() =>
        setStatus((now) => (now.kind === next.kind && next.kind !== 'saved' ? now : next)),
      );
    }),
  );

  const dispatch = useCallback(
    (action: DraftAction) => {
      if (!store.apply(reducer, action)) return;
      const typed = store.state;
      saver.change(typed);
      copy.change(typed);
      if (action.kind === 'line' || action.kind === 'line-product') return pace.typed();
      pace.skip();
      if (RENUMBERS.has(action.kind)) startTransition(() => setState(typed));
      else setState(typed);
    },
    [store, reducer, saver, copy, pace],
  );
  const settle = useCallback(() => {
    pace.skip();
    setState(store.state);
  }, [store, pace]);

  useEffect(() => {
    saver.change(store.state);
    // A form that nobody has touched leaves nothing behind. One that was restored still has its copy.
    if (opening.isRestored) copy.change(store.state);
  }, [saver, copy, store, opening]);

  useEffect(() => {
    copy.open();
    if (!opening.isConflict && !copy.isRegistering) saver.resume();
    const write = () => copy.write();
    window.addEventListener('pagehide', write);
    return () => {
      window.removeEventListener('pagehide', write);
      leave(saver, copy, savesDraft);
    };
  }, [saver, copy, savesDraft, opening.isConflict]);

  /** The other version wins, and what was typed here is dropped. */
  const takeTheirs = useCallback(async () => {
    if (!saver.saved) return;
    const edit = await getEditInvoice(saver.saved.docNo);
    keepClient(edit.clienteEliminado);
    const theirs = draftFromEdit(edit, groups);
    saver.settleConflict({ docNo: saver.saved.docNo, version: edit.version });
    saver.open(theirs);
    dispatch({ kind: 'replace', state: theirs });
    setStatus({ kind: 'idle' });
  }, [saver, groups, keepClient, dispatch]);

  /** What was typed here overwrites the other version, now that the user knows about it. */
  const keepMine = useCallback(async () => {
    if (!saver.saved) return;
    const edit = await getEditInvoice(saver.saved.docNo);
    saver.settleConflict({ docNo: saver.saved.docNo, version: edit.version });
    await saver.saveNow();
  }, [saver]);

  /** Its draft was registered or deleted elsewhere: what was typed becomes a new one. */
  const keepAsNew = useCallback(async () => {
    saver.settleConflict(undefined);
    await saver.saveNow();
  }, [saver]);

  /** The invoice is registered: nothing of it is kept here any more. */
  const finish = useCallback(() => {
    saver.stop();
    copy.finish();
  }, [saver, copy]);

  return {
    state,
    live: store,
    dispatch,
    settle,
    status,
    saver,
    copy,
    takeTheirs,
    keepMine,
    keepAsNew,
    finish,
  };
}

export type DraftForm = ReturnType<typeof useDraftForm>;

function keepers(
  opening: Opening,
  savesDraft: boolean,
  onStatus: (status: SaveStatus) => void,
): { saver: DraftSaver; copy: FormCopy } {
  const saver = new DraftSaver({
    saved: opening.saved,
    unanswered: opening.saving,
    savesItself: savesDraft,
    newKey,
    onStatus: (status) => {
      onStatus(status);
      // Also before the call is made: if the page is closed before the answer, it is repeated.
      if (status.kind !== 'waiting') copy.write();
    },
    onSaved: () => copy.write(),
    send: async ({ key, state, target }): Promise<SavedDraft> => {
      const answer = await setFacturas(draftFields(state, target), key);
      return { docNo: answer.DocNo, version: answer.version };
    },
  });
  const copy = new FormCopy(opening.copyKey, opening.release, saver, opening.registering);
  if (opening.isKept) saver.open(opening.state);
  // Until the user chooses, nothing overwrites the other version, not even what is typed from now on.
  if (opening.isConflict) saver.stop();
  if (opening.registering) void saver.pause();
  return { saver, copy };
}

/**
 * When another screen opens, the last changes are sent to the server, and the copy is deleted once they are there. If
 * the session has ended, that of «Crear factura» stays: the address to return to does not say which draft it was.
 */
function leave(saver: DraftSaver, copy: FormCopy, savesDraft: boolean): void {
  saver.stop();
  if (copy.isRegistering) copy.letGo();
  else if (!saver.isDirty && leadsBackTo(PATHS.create)) copy.letGo();
  else if (!saver.isDirty) copy.drop();
  else if (!savesDraft || saver.isPaused) copy.letGo();
  else copy.close(saver.saveNow());
}
