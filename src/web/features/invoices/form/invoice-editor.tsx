import { type ReactNode, useCallback } from 'react';
import type { SetFacturasAnswer } from '../../../../contract/invoices.ts';
import { calledInvoice, isDraftName } from '../../../../domain/series.ts';
import { FormFrame } from './form-frame.tsx';
import { InvoiceForm } from './invoice-form.tsx';
import { type OpenContext, type Opening, openPending } from './open-form.ts';
import { Opened } from './opened.tsx';
import { useOpening } from './use-opening.ts';

export interface InvoiceEditorProps {
  readonly docNo: string;
  readonly onClose: () => void;
  /** After «Guardar borrador». If it is left out, the editor closes. */
  readonly onLeave?: () => void;
  readonly onRegistered: (answer: SetFacturasAnswer) => void;
  /** Above the form. */
  readonly notice?: ReactNode;
}

/**
 * An invoice of the pending list, in place of the list: a draft to finish, beside the file that it was read from if
 * there is one, or a rejected invoice to correct.
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
  const title = titleOf(docNo);
  const state = useOpening(useCallback(() => openPending(context, docNo), [context, docNo]));

  return (
    <Opened title={title} what={calledInvoice(docNo)} state={state}>
      {(opening) => (
        <InvoiceForm
          mode={isUpload(opening) ? 'upload' : 'pending'}
          title={title}
          opening={opening}
          companyId={context.companyId}
          today={context.today}
          notice={props.notice}
          onRegistered={props.onRegistered}
          onLeave={props.onLeave ?? onClose}
          onClose={onClose}
        />
      )}
    </Opened>
  );
}

function isUpload({ lectura, status }: Opening): boolean {
  return lectura !== undefined && status === 'Borrador';
}

/** Drafts are called `B-1`. What has a number of a series is already an invoice. */
function titleOf(docNo: string): string {
  return isDraftName(docNo) ? `Borrador ${docNo}` : `Factura ${docNo}`;
}
