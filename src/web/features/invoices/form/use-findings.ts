import { startTransition, useEffect, useMemo, useState } from 'react';
import type { PagadoAntes } from '../../../../domain/paid-before.ts';
import { pagadoOf, validarFactura } from '../api.ts';
import { useCatalogs } from './catalogs.tsx';
import { draftFields } from './draft-payload.ts';
import type { SavedDraft } from './draft-saver.ts';
import { type DraftState, hasContent } from './draft-state.ts';
import { type PlacedFinding, placeFindings, type Verdict, verdictOn } from './findings.ts';

const DELAY_MS = 400;

type Answer =
  | { readonly kind: 'none' }
  | { readonly kind: 'unknown' }
  | {
      readonly kind: 'found';
      readonly findings: readonly PlacedFinding[];
      readonly pagado: PagadoAntes | null;
    };

const NONE: readonly PlacedFinding[] = [];

/**
 * Checks what is being typed against the AEAT's rules, by asking the server, which applies the same ones when
 * registering. The last findings stay until the next answer, so that nothing flickers. What could not be checked without
 * a connection is checked when it returns.
 *
 * @param notice what the form has to say itself, beside the rules
 */
export function useFindings(
  state: DraftState,
  {
    saved,
    notice,
    isActive,
  }: {
    readonly saved: SavedDraft | undefined;
    readonly notice: PlacedFinding | null;
    readonly isActive: boolean;
  },
) {
  const { clients, company } = useCatalogs();
  const [answer, setAnswer] = useState<Answer>({ kind: 'none' });
  const [checked, setChecked] = useState<DraftState>();
  const [round, setRound] = useState(0);
  const isWorthIt = isActive && hasContent(state);

  // biome-ignore lint/correctness/useExhaustiveDependencies: client and company are also checked.
  useEffect(() => {
    if (!isWorthIt) return;
    const abort = new AbortController();
    const timer = setTimeout(async () => {
      let found: Answer = { kind: 'unknown' };
      try {
        const fields = draftFields(state, { accionFactura: 1, draftNo: saved?.docNo });
        const checked = await validarFactura(fields, abort.signal);
        const findings = placeFindings(checked.errores, state);
        found = { kind: 'found', findings, pagado: pagadoOf(checked) };
      } catch {
        if (abort.signal.aborted) return;
      }
      // Typing meanwhile takes priority over it.
      startTransition(() => {
        setAnswer(found);
        setChecked(state);
      });
    }, DELAY_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [state, saved?.docNo, isWorthIt, clients, company, round]);

  useEffect(() => {
    if (answer.kind !== 'unknown') return;
    const again = () => setRound((value) => value + 1);
    window.addEventListener('online', again);
    return () => window.removeEventListener('online', again);
  }, [answer.kind]);

  const findings = useMemo(() => {
    if (!isWorthIt || answer.kind !== 'found') return NONE;
    return notice ? [...answer.findings, notice] : answer.findings;
  }, [answer, isWorthIt, notice]);
  return useMemo(
    () => ({
      findings,
      /** For an F3: what its client has paid already. */
      pagado: isWorthIt && answer.kind === 'found' ? answer.pagado : null,
      verdict: verdictOf(answer, { findings, isWorthIt, isStale: checked !== state }),
      /** Something has been typed that the answer does not cover yet. */
      isBehind: isWorthIt && checked !== state,
      checkAgain: () => setRound((value) => value + 1),
    }),
    [answer, findings, isWorthIt, checked, state],
  );
}

function verdictOf(
  answer: Answer,
  {
    findings,
    isWorthIt,
    isStale,
  }: {
    readonly findings: readonly PlacedFinding[];
    readonly isWorthIt: boolean;
    readonly isStale: boolean;
  },
): Verdict {
  if (!isWorthIt) return { kind: 'nothing-yet', errors: 0, warnings: 0 };
  if (answer.kind === 'none') return { kind: 'checking', errors: 0, warnings: 0 };
  if (answer.kind === 'unknown') {
    return { kind: isStale ? 'checking' : 'unknown', errors: 0, warnings: 0 };
  }
  return verdictOn(findings);
}
