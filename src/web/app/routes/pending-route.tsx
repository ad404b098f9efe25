import { lazy, Suspense } from 'react';
import { PendingPage } from '../../features/lists/pending-page.tsx';
import { loadModule } from '../../lib/load-module.ts';

const InvoiceEditor = lazy(
  loadModule(async () => {
    const { InvoiceEditor } = await import('../../features/invoices/form/invoice-editor.tsx');
    return { default: InvoiceEditor };
  }),
);

/** The pending list; in its place, when an invoice is edited, the form, which is another feature's. */
export function Component() {
  return (
    // Around both: the list stays in sight until the form's code has come.
    <Suspense fallback={null}>
      <PendingPage renderEditor={(editor) => <InvoiceEditor {...editor} />} />
    </Suspense>
  );
}
