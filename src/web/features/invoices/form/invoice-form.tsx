import { SegmentedControl } from '@mantine/core';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { tipoFacturaOf } from '../../../../domain/invoice.ts';
import { seriesKindOf } from '../../../../domain/series.ts';
import { SourcePane } from '../upload/source-pane.tsx';
import { SourceStrip } from '../upload/source-strip.tsx';
import { ActionBar } from './action-bar.tsx';
import { ChecksCard } from './checks-card.tsx';
import { ClientDialog } from './client-dialog.tsx';
import { DocumentCard } from './document-card.tsx';
import { findingAt } from './findings.ts';
import { FormHead } from './form-head.tsx';
import { FormNotices } from './form-notices.tsx';
import classes from './invoice-form.module.css';
import { commonSituation } from './lines.ts';
import { LinesCard } from './lines-card.tsx';
import { PreviewPane } from './preview-pane.tsx';
import { RegisterDialog } from './register-dialog.tsx';
import {
  type InvoiceFormModel,
  type InvoiceFormProps,
  useInvoiceForm,
} from './use-invoice-form.ts';

/**
 * The invoice form: a new one, one of the pending list, or what was read from a file.
 *
 * A registered invoice opens read-only; «Corregir» unlocks what may be corrected. Everything can be done by keyboard:
 * Tab goes from line to line, Ctrl+Enter registers, Ctrl+S saves, Alt+↑/↓ moves a line, and Enter never submits.
 */
export function InvoiceForm(props: InvoiceFormProps) {
  const { mode, title, onClose } = props;
  const root = useRef<HTMLFormElement>(null);
  const form = useInvoiceForm(props, root);
  const { isWide, isReadOnly, face } = form;
  useRoomForTheBar();

  const checks = !isReadOnly && (
    <ChecksCard
      findings={form.findings}
      verdict={form.verdict}
      fix={form.fix}
      onGoTo={form.goToFinding}
      onRetry={form.checkAgain}
    />
  );
  const preview = <Preview form={form} />;
  const original = form.lectura && (
    <SourcePane
      lectura={form.lectura}
      docNo={form.saver.saved?.docNo}
      focused={form.focused.sources}
    />
  );

  return (
    <>
      <form
        ref={root}
        className={classes.form}
        data-full-bleed
        noValidate
        aria-label={title}
        onSubmit={(event) => event.preventDefault()}
        onBlur={form.onBlur}
        onFocus={form.focused.onFocus}
        onInput={form.typeOn}
        onKeyDownCapture={form.onKeyDown}
      >
        <div className={classes.main}>
          <FormHead
            title={title}
            status={form.status}
            onFace={form.setFace}
            onClose={onClose}
            hasOriginal={form.lectura !== undefined}
            {...(isWide ? {} : { face })}
          />
          <FormNotices
            form={form}
            opening={props.opening}
            notice={props.notice}
            onStartOver={props.onStartOver}
          />
          {isWide || face === 'editar' ? (
            <div className={classes.cards}>
              {!isWide && form.lectura && (
                <SourceStrip
                  lectura={form.lectura}
                  focused={form.focused.sources}
                  onOpen={() => form.setFace('original')}
                />
              )}
              <Cards form={form} {...props} />
              {(!isWide || original) && checks}
            </div>
          ) : (
            <div className={classes.sheet}>{face === 'original' ? original : preview}</div>
          )}
        </div>
        {isWide && (
          <div className={classes.aside}>
            <div className={classes.follows}>
              {original ? (
                <Beside original={original} preview={preview} />
              ) : (
                <>
                  {checks}
                  {preview}
                </>
              )}
            </div>
          </div>
        )}
        {!isReadOnly && (
          <div className={classes.bar}>
            <ActionBar
              mode={mode}
              verdict={form.verdict}
              totalCents={form.totals.totalCents}
              canSaveDraft={form.registeredNo === undefined}
              isSaving={form.isSaving}
              onGoToFirst={form.goToFirst}
              onSave={() => form.save({ leaves: false })}
              onSaveAndLeave={() => form.save({ leaves: true })}
              onRegister={form.askToRegister}
            />
          </div>
        )}
      </form>
      <Dialogs form={form} />
    </>
  );
}

/** Beside a form: the file that it was read from, or the preview. */
function Beside({
  original,
  preview,
}: {
  readonly original: ReactNode;
  readonly preview: ReactNode;
}) {
  const [isPreview, setPreview] = useState(false);
  return (
    <>
      <SegmentedControl
        aria-label="Al lado del formulario"
        data={[
          { value: 'original', label: 'Original' },
          { value: 'vista', label: 'Vista previa' },
        ]}
        value={isPreview ? 'vista' : 'original'}
        onChange={(value) => setPreview(value === 'vista')}
      />
      {isPreview ? preview : original}
    </>
  );
}

/** Fields that are hidden under «Más opciones» until there is a finding about one of them. */
const OPTION_PLACES = new Set([
  'fechaOperacion',
  'retencionIRPF',
  'notas',
  'suplidos',
  'suplidosConcepto',
  'tipoIdentificacion',
]);

function Cards({
  form,
  companyId,
}: Pick<InvoiceFormProps, 'companyId'> & { readonly form: InvoiceFormModel }) {
  const shared = {
    state: form.state,
    dispatch: form.dispatch,
    findings: form.visited.findings,
    fix: form.fix,
    isReadOnly: form.isReadOnly,
  };
  return (
    <>
      <DocumentCard
        {...shared}
        companyId={companyId}
        today={form.today}
        registeredNo={form.registeredNo}
        serie={seriesKindOf(tipoFacturaOf(form.state), form.state.lines, form.state.claveRegimen)}
        situation={commonSituation(form.state.lines, form.state.typeClient)}
        hasOptionFindings={form.findings.some(({ place }) => OPTION_PLACES.has(place))}
        onCreateClient={form.clients.createClient}
        onEditClient={form.clients.editClient}
        lectura={form.lectura}
        onReviewClient={form.clients.reviewClient}
      />
      <LinesCard
        {...shared}
        live={form.live}
        totals={form.totals}
        companyId={companyId}
        isNarrow={form.isNarrow}
        opened={form.opened}
        onOpen={form.openLine}
        ivaFinding={findingAt(form.findings, 'ivaIncluido')}
        lectura={form.lectura}
      />
    </>
  );
}

/** The preview is updated when typing leaves time for it. */
function Preview({ form }: { form: InvoiceFormModel }) {
  const { registeredNo, saver } = form;
  const docNoOf = useCallback(
    async () => registeredNo ?? (await saver.saveNow())?.docNo,
    [registeredNo, saver],
  );
  return (
    <PreviewPane
      state={form.reckoned}
      totals={form.totals}
      numSerie={registeredNo ?? ''}
      // While it may be registered nothing is saved, and so there is no PDF.
      docNoOf={form.register.isUnknown && registeredNo === undefined ? undefined : docNoOf}
    />
  );
}

function Dialogs({ form }: { form: InvoiceFormModel }) {
  const { clients, registering, setRegistering } = form;
  const closeClient = () => {
    clients.closeClient();
    form.goTo('invoiceClient');
  };
  return (
    <>
      {clients.open && (
        <ClientDialog
          client={clients.open}
          typed={clients.typed}
          onDirtyChange={clients.keepCard}
          onClose={closeClient}
          onSaved={(client) => {
            form.dispatch({ kind: 'client', client });
            closeClient();
          }}
        />
      )}
      {registering && (
        <RegisterDialog
          {...registering}
          state={form.state}
          totals={form.totals}
          client={form.client}
          isClientDeleted={form.isClientDeleted}
          register={form.register}
          registeredNo={form.registeredNo}
          onEditClient={() => {
            setRegistering(null);
            clients.editClient();
          }}
          onClose={() => {
            setRegistering(null);
            if (!form.register.isUnknown) form.saver.resume();
            form.backToButton();
          }}
        />
      )}
    </>
  );
}

/** Keeps the focused field and its label from being hidden behind the bars. */
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
