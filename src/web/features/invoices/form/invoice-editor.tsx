import { useCallback, useState } from 'react';
import { useNavigate } from 'react-router';
import type { SetFacturasAnswer } from '../../../../contract/invoices.ts';
import { PATHS } from '../../../lib/paths.ts';
import { FailedState } from '../../../ui/failed-state.tsx';
import { PageTitle } from '../../../ui/page-title.tsx';
import { Receipt } from '../receipt/receipt.tsx';
import { FormFrame } from './form-frame.tsx';
import { FormSkeleton } from './form-skeleton.tsx';
import { InvoiceForm } from './invoice-form.tsx';
import { type OpenContext, openPending } from './open-form.ts';
import { useOpening } from './use-opening.ts';

export interface InvoiceEditorProps {
  readonly docNo: string;
  readonly onClose: () => void;
}

/** An invoice of the pending list, in its place: drafts to finish, rejected ones to correct. */
export function InvoiceEditor(props: InvoiceEditorProps) {
  return (
    <FormFrame title={titleOf(props.docNo)}>
      {(context) => <Editor key={props.docNo} {...props} context={context} />}
    </FormFrame>
  );
}

function Editor({ docNo, onClose, context }: InvoiceEditorProps & { context: OpenContext }) {
  const navigate = useNavigate();
  const [registered, setRegistered] = useState<SetFacturasAnswer | null>(null);
  const state = useOpening(useCallback(() => openPending(context, docNo), [context, docNo]));

  if (registered)
    return <Receipt docNo={registered.DocNo} onAnother={() => navigate(PATHS.create)} />;
  switch (state.kind) {
    case 'loading':
      return <FormSkeleton title={titleOf(docNo)} />;
    case 'failed':
      return (
        <>
          <PageTitle title={titleOf(docNo)} />
          <FailedState
            title="No hemos podido abrir la factura"
            error={state.error}
            onRetry={state.retry}
          />
        </>
      );
    case 'open':
      return (
        <InvoiceForm
          mode="pending"
          title={titleOf(docNo)}
          opening={state.opening}
          companyId={context.companyId}
          today={context.today}
          onRegistered={setRegistered}
          onLeave={onClose}
          onClose={onClose}
        />
      );
  }
}

/** Drafts are called `B-1`; what has a number of a series is an invoice already. */
function titleOf(docNo: string): string {
  return /^B-\d+$/.test(docNo) ? `Borrador ${docNo}` : `Factura ${docNo}`;
}
