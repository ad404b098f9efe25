import { useMediaQuery } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import {
  type KeyboardEvent,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useNavigate } from 'react-router';
import type { SetFacturasAnswer } from '../../../../contract/invoices.ts';
import type { Cliente } from '../../../../contract/parties.ts';
import { errorMessages } from '../../../lib/http.ts';
import { PATHS } from '../../../lib/paths.ts';
import { useErrorDialog } from '../../../ui/error-dialog.tsx';
import { newCustomer } from '../../../ui/forms/customer-draft.ts';
import { ActionBar, type FormMode } from './action-bar.tsx';
import { useCatalogs } from './catalogs.tsx';
import { ChecksCard } from './checks-card.tsx';
import { ClientDialog } from './client-dialog.tsx';
import { DocumentCard } from './document-card.tsx';
import { draftTotals } from './draft-totals.ts';
import type { PlacedFinding } from './findings.ts';
import type { FixContext } from './fixes.ts';
import { ConflictBanner, GoneBanner, RestoredBanner, StatusBanner } from './form-banners.tsx';
import { type Face, FormHead } from './form-head.tsx';
import classes from './invoice-form.module.css';
import { focusPlace, LinesCard } from './lines-card.tsx';
import type { Opening } from './open-form.ts';
import { PreviewPane } from './preview-pane.tsx';
import { RegisterDialog } from './register-dialog.tsx';
import { useDraftForm } from './use-draft-form.ts';
import { useFindings } from './use-findings.ts';
import { useRegister } from './use-register.ts';
import { useVisited } from './use-visited.ts';

export interface InvoiceFormProps {
  readonly mode: FormMode;
  readonly title: string;
  readonly opening: Opening;
  readonly companyId: string;
  /** Today where the company is, `YYYY-MM-DD`. */
  readonly today: string;
  readonly onRegistered: (answer: SetFacturasAnswer) => void;
  /** After «Guardar borrador». */
  readonly onLeave: () => void;
  readonly onStartOver?: () => void;
  readonly onClose?: () => void;
}

type Registering = { readonly title: string; readonly sendsMail: boolean } | null;

/**
 * The invoice form: a new one, one of the pending list, or what was read from a file.
 *
 * A registered invoice opens read-only; «Corregir» unlocks what may be corrected (CONTRACT §3). The
 * keyboard does it all: Tab runs from line to line, Ctrl+Enter registers, Ctrl+S saves, Alt+↑/↓
 * moves a line, and Enter never submits.
 */
export function InvoiceForm(props: InvoiceFormProps) {
  const { mode, title, opening, companyId, today } = props;
  const catalogs = useCatalogs();
  const registeredNo = isRegistered(opening) ? opening.saved?.docNo : undefined;
  const [isCorrecting, setCorrecting] = useState(opening.isRestored);
  const isReadOnly = registeredNo !== undefined && !isCorrecting;
  const form = useDraftForm(opening, { savesDraft: registeredNo === undefined });
  const { state, dispatch, status, saver } = form;

  const isWide = useMediaQuery('(min-width: 75em)', undefined, { getInitialValueInEffect: false });
  const isNarrow = useMediaQuery('(max-width: 47.99em)', undefined, {
    getInitialValueInEffect: false,
  });
  const [face, setFace] = useState<Face>('editar');
  const [registering, setRegistering] = useState<Registering>(null);
  const [clientToEdit, setClientToEdit] = useState<Cliente | null>(null);
  const [isRestoredShown, setRestoredShown] = useState(opening.isRestored);
  const [isSaving, setSaving] = useState(false);
  const errors = useErrorDialog();
  const navigate = useNavigate();
  const root = useRef<HTMLFormElement>(null);
  useRoomForTheBar();

  const totals = useMemo(() => draftTotals(state, catalogs.groups), [state, catalogs.groups]);
  const { findings, verdict, checkAgain } = useFindings(state, saver.saved, !isReadOnly);
  const visited = useVisited(findings, { startsWithAll: mode === 'pending' });
  const client = catalogs.clientByNo.get(state.invoiceClient);
  const deferred = useDeferredValue(state);

  const editClient = useCallback(
    () => setClientToEdit(catalogs.clientByNo.get(latest.current.invoiceClient) ?? null),
    [catalogs.clientByNo],
  );
  const latest = useRef(state);
  latest.current = state;
  const fix = useMemo<FixContext>(
    () => ({
      getState: () => latest.current,
      today,
      groups: catalogs.groups,
      dispatch,
      editClient,
      goToProfile: () => navigate(PATHS.profile),
    }),
    [today, catalogs.groups, dispatch, editClient, navigate],
  );
  const createClient = useCallback(
    (Name: string) => setClientToEdit({ ...newCustomer(catalogs.company), Name }),
    [catalogs.company],
  );

  const registration = useRegister({
    form,
    companyId,
    onRegistered: props.onRegistered,
    onRefused: (error) => {
      setRegistering(null);
      visited.showAll();
      checkAgain();
      errors.show(errorMessages(error));
    },
  });

  /** Closing a dialog gives the focus back to what it was opened for. */
  const backToButton = () =>
    requestAnimationFrame(() =>
      root.current?.querySelector<HTMLElement>('[data-main-action]')?.focus(),
    );
  const goTo = useCallback((place: string) => {
    setFace('editar');
    // After the face has been drawn, when it was the other one.
    requestAnimationFrame(() => {
      if (focusPlace(root.current, place)) return;
      focusPlace(root.current, `${place.split('.')[0]}.description`);
    });
  }, []);
  const goToFirst = () => {
    visited.showAll();
    const [first] = findings;
    goTo(first ? placeToGo(first, latest.current.lines.at(-1)?.id) : 'invoiceClient');
  };

  const save = async ({ leaves }: { leaves: boolean }) => {
    setSaving(true);
    try {
      const saved = await saver.saveNow();
      if (saved && leaves) props.onLeave();
      else if (saved) notifications.show({ message: 'Borrador guardado.' });
      else goTo('invoiceClient');
    } catch (error) {
      errors.show(errorMessages(error, 'No se ha podido guardar. Comprueba tu conexión.'));
    } finally {
      setSaving(false);
    }
  };
  const register = (dialogTitle: string, sendsMail: boolean) => {
    if (verdict.kind === 'blocked' || verdict.kind === 'nothing-yet') goToFirst();
    else setRegistering({ title: dialogTitle, sendsMail });
  };

  const onKeyDown = (event: KeyboardEvent<HTMLFormElement>) => {
    // Dialogs are drawn elsewhere, but their keys come up through here too.
    if (!event.currentTarget.contains(event.target as Node)) return;
    if (!(event.ctrlKey || event.metaKey) || isReadOnly) return;
    if (event.key === 'Enter') {
      event.preventDefault();
      leaveCell();
      register('Registrar', false);
    }
    if (event.key.toLowerCase() === 's') {
      event.preventDefault();
      if (registeredNo === undefined) save({ leaves: false });
    }
  };

  const checks = (
    <ChecksCard
      findings={findings}
      verdict={verdict}
      fix={fix}
      onGoTo={(finding) => goTo(placeToGo(finding, state.lines.at(-1)?.id))}
      onRetry={checkAgain}
    />
  );
  const preview = (
    <PreviewPane
      state={deferred}
      numSerie={registeredNo ?? ''}
      docNoOf={async () => registeredNo ?? (await saver.saveNow())?.docNo}
    />
  );
  const showsForm = isWide || face === 'editar';

  return (
    <>
      <form
        ref={root}
        className={classes.form}
        data-full-bleed
        noValidate
        aria-label={title}
        onSubmit={(event) => event.preventDefault()}
        onKeyDown={onKeyDown}
        onBlur={visited.onBlur}
      >
        <div className={classes.main}>
          <FormHead
            title={title}
            status={status}
            onFace={setFace}
            onClose={props.onClose}
            {...(isWide ? {} : { face })}
          />
          <div className={classes.banners}>
            {opening.status && registeredNo !== undefined && (
              <StatusBanner
                status={opening.status}
                errorMessage={opening.errorMessage}
                isCorrecting={isCorrecting}
                onCorrect={() => setCorrecting(true)}
              />
            )}
            {status.kind === 'conflict' && (
              <ConflictBanner
                onTakeTheirs={() => form.takeTheirs().catch(tell)}
                onKeepMine={() => form.keepMine().catch(tell)}
              />
            )}
            {status.kind === 'gone' && (
              <GoneBanner onKeepAsNew={() => form.keepAsNew().catch(tell)} />
            )}
            {isRestoredShown && status.kind !== 'conflict' && (
              <RestoredBanner
                onStartOver={props.onStartOver}
                onDismiss={() => setRestoredShown(false)}
              />
            )}
          </div>
          {showsForm ? (
            <div className={classes.cards}>
              <DocumentCard
                state={state}
                dispatch={dispatch}
                findings={visited.findings}
                fix={fix}
                today={today}
                isReadOnly={isReadOnly}
                registeredNo={registeredNo}
                hasOptionFindings={findings.some(({ place }) => OPTION_PLACES.has(place))}
                onCreateClient={createClient}
              />
              <LinesCard
                state={state}
                totals={totals}
                findings={visited.findings}
                fix={fix}
                dispatch={dispatch}
                companyId={companyId}
                isReadOnly={isReadOnly}
                isNarrow={isNarrow ?? false}
              />
              {!isWide && !isReadOnly && checks}
            </div>
          ) : (
            <div className={classes.sheet}>{preview}</div>
          )}
        </div>
        {isWide && (
          <div className={classes.aside}>
            <div className={classes.follows}>
              {!isReadOnly && checks}
              {preview}
            </div>
          </div>
        )}
        {!isReadOnly && (
          <div className={classes.bar}>
            <ActionBar
              mode={mode}
              verdict={verdict}
              totalCents={totals.totalCents}
              canSaveDraft={registeredNo === undefined}
              isSaving={isSaving}
              onGoToFirst={goToFirst}
              onSave={() => save({ leaves: false })}
              onSaveAndLeave={() => save({ leaves: true })}
              onRegister={register}
            />
          </div>
        )}
      </form>
      {clientToEdit && (
        <ClientDialog
          client={clientToEdit}
          onClose={() => {
            setClientToEdit(null);
            goTo('invoiceClient');
          }}
          onSaved={(saved) => {
            setClientToEdit(null);
            dispatch({ kind: 'client', client: saved });
            goTo('invoiceClient');
          }}
        />
      )}
      {registering && (
        <RegisterDialog
          {...registering}
          state={state}
          totals={totals}
          client={client}
          register={registration}
          registeredNo={registeredNo}
          onEditClient={() => {
            setRegistering(null);
            editClient();
          }}
          onClose={() => {
            setRegistering(null);
            saver.resume();
            backToButton();
          }}
        />
      )}
    </>
  );

  function tell(error: unknown) {
    errors.show(errorMessages(error));
  }
}

/** Fields that stand folded under «Más opciones» until one of them has something to say. */
const OPTION_PLACES = new Set(['fechaOperacion', 'retencionIRPF', 'notas']);

function isRegistered({ status }: Opening): boolean {
  return status !== undefined && status !== 'Borrador';
}

/** A finding about all the lines, or about none, has no field of its own. */
function placeToGo({ place }: PlacedFinding, lastLineId: string | undefined): string {
  return place === 'invoiceItems' || place === '' ? `${lastLineId}.description` : place;
}

/** The figure that is being typed takes its last shape before anything is done with it. */
function leaveCell() {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
}

/** Focus is never left behind the bars, nor a field without its label. */
function useRoomForTheBar() {
  useEffect(() => {
    const { style } = document.documentElement;
    const { scrollPaddingBottom, scrollPaddingTop } = style;
    style.scrollPaddingBottom = 'calc(var(--hu-footer) + var(--hu-action-bar) + 12px)';
    style.scrollPaddingTop = 'calc(var(--hu-top-bar) + 36px)';
    return () => {
      Object.assign(style, { scrollPaddingBottom, scrollPaddingTop });
    };
  }, []);
}
