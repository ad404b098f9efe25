import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { InvoiceRow } from '../../../contract/invoices.ts';
import { cuenta } from '../../lib/format.ts';
import { errorMessages, retryMessage } from '../../lib/http.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogButtons } from '../../ui/dialog-foot.tsx';
import { Going, type Reason, Reasons, useFocusOnShow } from './run-parts.tsx';
import classes from './ticked-dialog.module.css';
import { type InvoiceAction, runTicked, type TickedRun } from './ticked-run.ts';

/** The texts of a dialog. */
export interface TickedWords {
  /** The title before it starts. */
  readonly question: string;
  /** The button that starts. */
  readonly start: string;
  /** The title while it runs. */
  readonly going: string;
  /** Accessible name of the progress bar. */
  readonly progress: string;
  /** The title at the end. */
  readonly result: (done: number) => string;
  /** «Quedan 3 facturas …». */
  readonly left: string;
  /** Above those that failed. */
  readonly failed: string;
  /** For one that failed without a reason. */
  readonly noReason: string;
}

/** The keys of one attempt, which keep anything from being done twice. */
export interface TickedKeys {
  readonly of: (docNo: string) => string;
  /** Whether some of them were requested before, and nobody was told how that ended. */
  readonly isAgain: boolean;
  /** The user knows how it ended, except for those of `unknown`. */
  readonly told: (unknown: readonly string[]) => void;
}

/** What is known about the selected invoices after all attempts so far. */
export interface Told<Answer> {
  readonly done: readonly { readonly row: InvoiceRow; readonly answer: Answer }[];
  readonly failed: readonly Reason[];
  /** Those whose failure may be temporary, and those that were not reached. */
  readonly left: readonly InvoiceRow[];
  readonly cut: string | undefined;
  readonly isAgain: boolean;
}

export interface TickedDialogProps<Answer> {
  readonly rows: readonly InvoiceRow[];
  readonly words: TickedWords;
  readonly act: InvoiceAction<Answer>;
  readonly keysOf: (docNos: readonly string[]) => TickedKeys;
  /** What the user should know before starting. */
  readonly children: ReactNode;
  /** Shown first, about those that were done. */
  readonly summary: (told: Told<Answer>) => ReactNode;
  /** Shown last. */
  readonly more?: (told: Told<Answer>) => ReactNode;
  /** Where to go next, once something was done. */
  readonly onward?: ReactNode;
  /** Called with those that were done. */
  readonly onClose: (done: readonly InvoiceRow[]) => void;
}

type Phase<Answer> =
  | { readonly kind: 'asking' }
  | { readonly kind: 'going'; readonly total: number }
  | { readonly kind: 'told'; readonly told: Told<Answer> };

/** Processes the selected invoices: asks, shows the progress, can be stopped, and reports the result. */
export function TickedDialog<Answer>(props: TickedDialogProps<Answer>) {
  const { rows, words, onClose } = props;
  const [phase, setPhase] = useState<Phase<Answer>>({ kind: 'asking' });
  const [done, setDone] = useState(0);
  const run = useTickedRun(props, setDone);

  const start = async (before?: Told<Answer>) => {
    const asked = before?.left ?? rows;
    setDone(0);
    setPhase({ kind: 'going', total: asked.length });
    const told = await run.start(asked, before);
    if (told) setPhase({ kind: 'told', told });
  };
  const close = () => {
    if (phase.kind !== 'going') {
      onClose(phase.kind === 'told' ? phase.told.done.map(({ row }) => row) : []);
    }
  };

  return (
    <Dialog
      onClose={close}
      title={titleOf(phase, words)}
      withCloseButton={false}
      closeOnClickOutside={false}
    >
      {phase.kind === 'asking' && (
        <>
          {props.children}
          <DialogButtons>
            <Button variant="default" onClick={close}>
              Cancelar
            </Button>
            <Button data-autofocus onClick={() => void start()}>
              {words.start}
            </Button>
          </DialogButtons>
        </>
      )}
      {phase.kind === 'going' && (
        <Going label={words.progress} done={done} total={phase.total} onStop={run.stop} />
      )}
      {phase.kind === 'told' && (
        <Result
          {...props}
          told={phase.told}
          onClose={close}
          onRetry={() => void start(phase.told)}
        />
      )}
    </Dialog>
  );
}

function titleOf<Answer>(phase: Phase<Answer>, words: TickedWords): string {
  if (phase.kind === 'asking') return words.question;
  return phase.kind === 'going' ? words.going : words.result(phase.told.done.length);
}

type RunProps<Answer> = Pick<TickedDialogProps<Answer>, 'act' | 'keysOf' | 'words'>;

/** Runs, and stops when the component is unmounted. */
function useTickedRun<Answer>(
  { act, keysOf, words }: RunProps<Answer>,
  onDone: (done: number) => void,
) {
  const client = useQueryClient();
  const state = useRef({ isStopped: false, isGone: false });
  useEffect(() => {
    const { current } = state;
    current.isGone = false;
    return () => {
      current.isGone = true;
    };
  }, []);

  const start = async (
    rows: readonly InvoiceRow[],
    before: Told<Answer> | undefined,
  ): Promise<Told<Answer> | null> => {
    const { current } = state;
    current.isStopped = false;
    const docNos = rows.map(({ DocNo }) => DocNo);
    const keys = keysOf(docNos);
    const result = await runTicked(docNos, {
      act,
      keyOf: (docNo) => keys.of(docNo),
      onDone,
      isStopped: () => current.isStopped || current.isGone,
      wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    });
    void client.invalidateQueries({ queryKey: ['invoices'] });
    if (current.isGone) return null; // Nobody was told: the keys stay.
    keys.told(docNos.filter((docNo) => result.outcomes.get(docNo)?.kind === 'unknown'));
    const isAgain = before?.isAgain ?? keys.isAgain;
    return { ...toldOf(rows, result, { before, noReason: words.noReason }), isAgain };
  };
  return {
    start,
    stop: () => {
      state.current.isStopped = true;
    },
  };
}

function toldOf<Answer>(
  rows: readonly InvoiceRow[],
  { outcomes, ...end }: TickedRun<Answer>,
  { before, noReason }: { readonly before: Told<Answer> | undefined; readonly noReason: string },
): Omit<Told<Answer>, 'isAgain'> {
  const done = [...(before?.done ?? [])];
  // Refusals are final; what may be temporary was tried again.
  const failed = [...(before?.failed ?? [])].filter(({ row }) => !before?.left.includes(row));
  const left: InvoiceRow[] = [];
  for (const row of rows) {
    const outcome = outcomes.get(row.DocNo);
    if (outcome?.kind === 'done') {
      done.push({ row, answer: outcome.answer });
      continue;
    }
    if (outcome?.kind !== 'refused') left.push(row);
    // What interrupted the run is reported once, for all.
    if (outcome && !(outcome.kind === 'unknown' && 'cut' in end)) {
      failed.push({ row, why: errorMessages(outcome.error, noReason).join(' ') });
    }
  }
  return { done, failed, left, cut: 'cut' in end ? retryMessage(end.cut) : undefined };
}

interface ResultProps<Answer>
  extends Pick<TickedDialogProps<Answer>, 'words' | 'summary' | 'more' | 'onward'> {
  readonly told: Told<Answer>;
  readonly onClose: () => void;
  readonly onRetry: () => void;
}

function Result<Answer>(props: ResultProps<Answer>) {
  const { told, words, summary, more, onClose, onRetry } = props;
  const { done, failed, left, cut } = told;
  const text = useFocusOnShow<HTMLDivElement>();
  const onward = done.length > 0 ? props.onward : undefined;
  const hasOnward = onward !== undefined;
  return (
    <>
      <div ref={text} tabIndex={-1} className={classes.result} role="status">
        {summary(told)}
        {left.length > 0 && (
          <p>
            {cut}
            {cut !== undefined && ' '}
            {left.length === 1 ? 'Queda ' : 'Quedan '}
            {cuenta(left.length, 'factura', 'facturas')} {words.left}.
          </p>
        )}
        {failed.length > 0 && <p className={classes.lead}>{words.failed}</p>}
      </div>
      <Reasons label={words.failed} reasons={failed} />
      {more?.(told)}
      <DialogButtons>
        <Button variant={hasOnward || left.length > 0 ? 'default' : 'filled'} onClick={onClose}>
          Cerrar
        </Button>
        {left.length > 0 && (
          <Button variant={hasOnward ? 'default' : 'filled'} onClick={onRetry}>
            Seguir con {cuenta(left.length, 'factura', 'facturas')}
          </Button>
        )}
        {onward}
      </DialogButtons>
    </>
  );
}
