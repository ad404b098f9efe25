import { type ReactNode, useCallback } from 'react';
import type { SetFacturasAnswer } from '../../../../contract/invoices.ts';
import { FailedCard } from '../../../ui/failed-state.tsx';
import { PageTitle } from '../../../ui/page-title.tsx';
import { FormFrame } from './form-frame.tsx';
import { FormSkeleton } from './form-skeleton.tsx';
import { InvoiceForm } from './invoice-form.tsx';
import { type OpenContext, type Opening, openPending } from './open-form.ts';
import { useOpening } from './use-opening.ts';

export interface InvoiceEditorProps {
  readonly docNo: string;
  readonly onClose: () => void;
  /** After «Guardar borrador»; it closes, unless told otherwise. */
  readonly onLeave?: () => void;
  readonly onRegistered: (answer: SetFacturasAnswer) => void;
  /** Above the form. */
  readonly notice?: ReactNode;
}

/**
 * An invoice of the pending list, in its place: drafts to finish, beside the file that they were read from
 * if they were, and rejected ones to correct.
 */
export function InvoiceEditor(props: InvoiceEditorProps) {
  return (
    <FormFrame title={titleOf(props.docNo)}>
      {(context) => <Editor key={props.docNo} {...props} context={context} />}
    </FormFrame>
  );
}

function Editor(props: InvoiceEditorProps & { context: OpenContext }) {
  const { docNo, onClose, context } = props;
  const state = useOpening(useCallback(() => openPending(context, docNo), [context, docNo]));

  switch (state.kind) {
    case 'loading':
      return <FormSkeleton title={titleOf(docNo)} />;
    case 'failed':
      return (
        <>
          <PageTitle title={titleOf(docNo)} />
          <FailedCard
            title="No hemos podido abrir la factura"
            error={state.error}
            onRetry={state.retry}
          />
        </>
      );
    case 'open':
      return (
        <InvoiceForm
          mode={isUpload(state.opening) ? 'upload' : 'pending'}
          title={titleOf(docNo)}
          opening={state.opening}
          companyId={context.companyId}
          today={context.today}
          notice={props.notice}
          onRegistered={props.onRegistered}
          onLeave={props.onLeave ?? onClose}
          onClose={onClose}
        />
      );
  }
}

function isUpload({ lectura, status }: Opening): boolean {
  return lectura !== undefined && status === 'Borrador';
}

/** Drafts are called `B-1`; what has a number of a series is an invoice already. */
function titleOf(docNo: string): string {
  return /^B-\d+$/.test(docNo) ? `Borrador ${docNo}` : `Factura ${docNo}`;
}
