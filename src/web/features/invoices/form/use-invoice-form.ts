import { useMediaQuery } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import {
  type FocusEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useNavigate } from 'react-router';
import type { SetFacturasAnswer } from '../../../../contract/invoices.ts';
import type { LecturaAnswer, Procedencia } from '../../../../contract/reading.ts';
import { zonaOf } from '../../../../domain/dates.ts';
import { type IssuedInvoice, tipoFacturaOf } from '../../../../domain/invoice.ts';
import type { PagadoAntes } from '../../../../domain/paid-before.ts';
import { isEmptyLine } from '../../../../domain/totals.ts';
import { errorMessages } from '../../../lib/http.ts';
import { PATHS } from '../../../lib/paths.ts';
import { invoiceDetailQuery } from '../../../lib/queries.ts';
import { useErrorDialog } from '../../../ui/error-dialog.tsx';
import { useShortcuts } from '../../../ui/use-shortcuts.ts';
import { useToday } from '../../../ui/use-today.ts';
import { sourcesOf } from '../upload/reading-fields.ts';
import { isDeleted, useCatalogs } from './catalogs.tsx';
import type { DraftState } from './draft-state.ts';
import type { LiveLines } from './draft-store.ts';
import { draftTotals } from './draft-totals.ts';
import { cannotRegister, type PlacedFinding, type Verdict } from './findings.ts';
import type { FixContext } from './fixes.ts';
import { focusPlace } from './focus-place.ts';
import type { Face } from './form-head.tsx';
import type { DraftLine } from './lines.ts';
import type { Opening } from './open-form.ts';
import { type FormMode, REGISTER, type Registering } from './registering.ts';
import { useSpanishVat } from './spanish-vat.ts';
import { useClientDialog } from './use-client-dialog.ts';
import { useDateOfToday } from './use-date-of-today.ts';
import { type DraftForm, useDraftForm } from './use-draft-form.ts';
import { useFindings } from './use-findings.ts';
import { useRegister } from './use-register.ts';
import { useVisited } from './use-visited.ts';
import { useUsualRetention } from './usual-retention.tsx';

export interface InvoiceFormProps {
  readonly mode: FormMode;
  readonly title: string;
  readonly opening: Opening;
  readonly companyId: string;
  /** The day it was opened, in the company's time zone, `YYYY-MM-DD`. */
  readonly today: string;
  readonly onRegistered: (answer: SetFacturasAnswer) => void;
  /** After «Guardar borrador». */
  readonly onLeave: () => void;
  readonly onStartOver?: () => void;
  readonly onClose?: () => void;
  /** Above the cards. */
  readonly notice?: ReactNode;
}

/** The state and the actions of the invoice form; its appearance is up to the component. */
export function useInvoiceForm(props: InvoiceFormProps, root: RefObject<HTMLFormElement | null>) {
  const { mode, opening } = props;
  const catalogs = useCatalogs();
  const today = useToday(zonaOf(catalogs.company.postCode, catalogs.company.countryCode));
  const errors = useErrorDialog();
  const registeredNo = isRegistered(opening) ? opening.saved?.docNo : undefined;
  const [isCorrecting, setCorrecting] = useState(opening.isRestored);
  const form = useDraftForm(opening, { savesDraft: registeredNo === undefined });
  const { state, live, dispatch, settle, saver } = form;

  const [registering, setRegistering] = useState<Registering | null>(null);
  const register = useRegister({
    form,
    unanswered: opening.registering,
    onRegistered: props.onRegistered,
    onRefused: (error) => {
      setRegistering(null);
      visited.showAll();
      checkAgain();
      errors.show(errorMessages(error));
    },
  });
  const isReadOnly = (registeredNo !== undefined && !isCorrecting) || register.isUnknown;
  useGroupOfToday({ state, dispatch, isActive: !isReadOnly });
  const isFresh = opening.saved === undefined && opening.state.invoiceDate === props.today;
  const getState = useCallback(() => live.state, [live]);
  const proposed = isFresh && !isReadOnly ? props.today : null;
  useDateOfToday({ proposed, today, getState, dispatch });

  /** Only exactly the same call finds out what happened to it. */
  const registerAgain = () => {
    setRegistering({ ...REGISTER, sendsMail: register.sendsMail });
    register.register(register.sendsMail ? 2 : 1);
  };

  // The reaction to a key press is rendered first, the sums of perhaps a hundred lines right after.
  const reckoned = useDeferredValue(state);
  const client = catalogs.clientByNo.get(state.invoiceClient);
  const spanishVat = useSpanishVat(state, { client, companyId: props.companyId });
  const { findings, pagado, verdict, isBehind, checkAgain } = useFindings(state, {
    saved: saver.saved,
    notice: spanishVat.notice,
    isActive: !isReadOnly,
  });
  const paid = usePaidBefore(reckoned, { pagado, registeredNo });
  const totals = useMemo(
    () => ({ ...draftTotals(reckoned, catalogs.groups), pagado: paid }),
    [reckoned, catalogs.groups, paid],
  );
  const visited = useVisited(findings, { startsWithAll: mode === 'pending' });
  const { goTo, ...screen } = useScreen(root);

  useUsualRetention({ state, totals, dispatch, isActive: !isReadOnly });
  const clients = useClientDialog(() => live.state.invoiceClient, { isActive: !isReadOnly });
  const focused = useFocusedSources(opening.lectura, live);
  const fix = useFixContext({
    getState: () => live.state,
    today,
    dispatch,
    acceptVat: spanishVat.accept,
    ...clients,
  });
  const goToFinding = (finding: PlacedFinding) => {
    const place = fieldOf(finding, live.lines);
    const line = live.line(place.split('.')[0] ?? '');
    // On a phone the fields of a line are in its sheet.
    if (screen.isNarrow && line && !isEmptyLine(line)) screen.openLine(place);
    else goTo(place);
  };
  const goToFirst = () => {
    visited.showAll();
    const [first] = findings;
    if (first) goToFinding(first);
    else goTo('invoiceClient');
  };

  const asked = useAsked({
    isBehind,
    onAnswer: (what) => {
      if (cannotRegister(verdict)) goToFirst();
      else setRegistering(what);
    },
  });
  const askToRegister = (what: Registering) => {
    settle();
    asked.ask(what);
  };

  /** A user who moves on to the next field finds it there, although it was only just requested. */
  const settleLines = () => {
    if (live.lines.length !== state.lines.length) settle();
  };

  const { isSaving, save } = useSave({
    saver,
    onLeave: props.onLeave,
    onNothing: () => goTo('invoiceClient'),
  });

  useShortcuts({
    ...(!isReadOnly && {
      enter: () => {
        // The number that is being typed gets its final format before anything is done with it.
        if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
        askToRegister(REGISTER);
      },
      s: () => registeredNo === undefined && save({ leaves: false }),
    }),
  });

  return {
    ...form,
    ...screen,
    today,
    client,
    isClientDeleted: isDeleted(catalogs, client),
    clients,
    registeredNo,
    isReadOnly,
    isCorrecting,
    correct: () => setCorrecting(true),
    /** The state that the totals belong to. */
    reckoned,
    totals,
    findings,
    visited,
    verdict: asked.isWaiting ? CHECKING : verdict,
    checkAgain,
    fix,
    goTo,
    goToFinding,
    goToFirst,
    register,
    registering,
    setRegistering,
    registerAgain,
    askToRegister,
    /** A user who goes on typing has not finished: no dialog opens over it. */
    typeOn: asked.forget,
    onKeyDown: ({ key }: { readonly key: string }) => {
      if (LEAVING_KEYS.has(key)) settleLines();
    },
    onBlur: (event: FocusEvent) => {
      settleLines();
      visited.onBlur(event);
    },
    lectura: opening.lectura,
    focused,
    isSaving,
    save,
    tell: (error: unknown) => errors.show(errorMessages(error)),
  };
}

/**
 * What the client of an F3 has paid already: as the server answers for what is typed or, while nothing is checked, as
 * it was registered.
 */
function usePaidBefore(
  state: DraftState,
  {
    pagado,
    registeredNo = '',
  }: { readonly pagado: PagadoAntes | null; readonly registeredNo: string | undefined },
): PagadoAntes | null {
  const isExchange = tipoFacturaOf(state) === 'F3';
  const { data: detail } = useQuery({
    ...invoiceDetailQuery(registeredNo),
    enabled: isExchange && registeredNo !== '',
  });
  const issued = detail?.emitida as IssuedInvoice | undefined;
  return useMemo(() => {
    if (!isExchange) return null;
    if (pagado || !issued?.pagado) return pagado;
    return { ...issued.pagado, formaPago: issued.formaPago };
  }, [isExchange, pagado, issued]);
}

const LEAVING_KEYS: ReadonlySet<string> = new Set(['Tab', 'Enter']);

const CHECKING: Verdict = { kind: 'checking', errors: 0, warnings: 0 };

export type InvoiceFormModel = ReturnType<typeof useInvoiceForm>;

/**
 * The invoice is issued with the VAT group that its client has at that time (`cleanDraft`), not with that of when it
 * was saved. So as soon as the two differ, the form uses the client's, which also limits its taxes.
 */
function useGroupOfToday({
  state: { invoiceClient, typeClient },
  dispatch,
  isActive,
}: Pick<DraftForm, 'state' | 'dispatch'> & { readonly isActive: boolean }) {
  const client = useCatalogs().clientByNo.get(invoiceClient);
  const group = client?.CustomerPostingGroup || typeClient;
  useEffect(() => {
    if (isActive && client && group !== typeClient) dispatch({ kind: 'client', client });
  }, [isActive, client, group, typeClient, dispatch]);
}

interface AskedProps {
  /** The latest changes have not been checked yet. */
  readonly isBehind: boolean;
  readonly onAnswer: (what: Registering) => void;
}

/** Registering was asked for: it waits until what was typed last has been checked. */
function useAsked({ isBehind, onAnswer }: AskedProps) {
  const [asked, setAsked] = useState<Registering | null>(null);
  const answer = () => {
    if (!asked || isBehind) return;
    setAsked(null);
    onAnswer(asked);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: what it reads belongs to the same render.
  useEffect(answer, [asked, isBehind]);
  return { isWaiting: asked !== null, ask: setAsked, forget: () => setAsked(null) };
}

interface SaveProps extends Pick<DraftForm, 'saver'> {
  readonly onLeave: () => void;
  /** There is nothing to save yet. */
  readonly onNothing: () => void;
}

/** «Guardar borrador» and Ctrl+S: the one leaves the form, the other stays. */
function useSave({ saver, onLeave, onNothing }: SaveProps) {
  const errors = useErrorDialog();
  const [isSaving, setSaving] = useState(false);
  const save = async ({ leaves }: { readonly leaves: boolean }) => {
    setSaving(true);
    try {
      const saved = await saver.saveNow();
      if (saved && leaves) onLeave();
      else if (saved) notifications.show({ message: 'Borrador guardado.' });
      else onNothing();
    } catch (error) {
      errors.show(errorMessages(error, 'No se ha podido guardar. Comprueba tu conexión.'));
    } finally {
      setSaving(false);
    }
  };
  return { isSaving, save };
}

/** Findings about all the lines, or about none, have no field of their own: the first amount, or the first line. */
function fieldOf({ place }: PlacedFinding, lines: readonly DraftLine[]): string {
  if (place !== 'invoiceItems' && place !== '') return place;
  const first = lines.find((line) => !isEmptyLine(line));
  return first ? `${first.id}.price` : `${lines.at(-1)?.id}.description`;
}

/** What is visible at this width, and how to get to a field wherever it is. */
function useScreen(root: RefObject<HTMLFormElement | null>) {
  const now = { getInitialValueInEffect: false };
  const isWide = useMediaQuery('(min-width: 75em)', undefined, now) ?? true;
  const isNarrow = useMediaQuery('(max-width: 47.99em)', undefined, now) ?? false;
  const [face, setFace] = useState<Face>('editar');
  const [opened, setOpened] = useState<string | null>(null);

  const goTo = useCallback(
    (place: string) => {
      setFace('editar');
      // After rendering the face with the field, if it was the hidden one.
      requestAnimationFrame(() => {
        if (focusPlace(root.current, place)) return;
        focusPlace(root.current, `${place.split('.')[0]}.description`);
      });
    },
    [root],
  );
  /** Closing the dialog returns the focus to the button that opened it. */
  const backToButton = () =>
    requestAnimationFrame(() =>
      root.current?.querySelector<HTMLElement>('[data-main-action]')?.focus(),
    );
  /** Null closes it. */
  const openLine = useCallback((place: string | null) => {
    if (place !== null) setFace('editar');
    setOpened(place);
  }, []);
  return { isWide, isNarrow, face, setFace, goTo, backToButton, opened, openLine };
}

const NOTHING: readonly Procedencia[] = [];

/** What the focused field was read from, and a way to report that another one has the focus. */
function useFocusedSources(lectura: LecturaAnswer | undefined, live: LiveLines) {
  const [sources, setSources] = useState(NOTHING);
  const onFocus = ({ target }: { readonly target: EventTarget }) => {
    if (!lectura || !(target instanceof HTMLElement)) return;
    const place = target.closest('[data-place]')?.getAttribute('data-place');
    if (!place) return;
    const found = sourcesOf(lectura, place, live.lines);
    setSources((now) => (found.length === 0 ? now : found));
  };
  return { sources, onFocus };
}

/** The same object while the form is open: what depends on it is not rendered at each key press. */
function useFixContext(given: Omit<FixContext, 'groups' | 'goToProfile'>): FixContext {
  const { groups } = useCatalogs();
  const navigate = useNavigate();
  const { getState, today, dispatch, acceptVat, hasCard, isGone, editClient } = given;
  const state = useRef(getState);
  state.current = getState;
  return useMemo(
    () => ({
      getState: () => state.current(),
      today,
      groups,
      dispatch,
      acceptVat,
      hasCard,
      isGone,
      editClient,
      goToProfile: () => navigate(PATHS.profile),
    }),
    [today, groups, dispatch, acceptVat, hasCard, isGone, editClient, navigate],
  );
}

function isRegistered({ status }: Opening): boolean {
  return status !== undefined && status !== 'Borrador';
}
