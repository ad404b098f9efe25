import { lazy, Suspense } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { PendingPage } from '../../features/lists/pending-page.tsx';
import { loadModule } from '../../lib/load-module.ts';
import { anotherPath } from '../../lib/paths.ts';

const InvoiceEditor = lazy(
  loadModule(async () => {
    const { InvoiceEditor } = await import('../../features/invoices/form/invoice-editor.tsx');
    return { default: InvoiceEditor };
  }),
);
const Receipt = lazy(
  loadModule(async () => {
    const { Receipt } = await import('../../features/invoices/receipt/receipt.tsx');
    return { default: Receipt };
  }),
);

/**
 * The pending list; in its place, when an invoice is edited, the form, which is another feature's. Once that is
 * registered, the address says its number (`?recibo=NO`): reloading shows the receipt again, and not a draft
 * that is no more.
 */
export function Component() {
  const [params, setParams] = useSearchParams();
  const navigate = useNavigate();
  const receipt = params.get('recibo');
  return (
    // Around them all: the list stays in sight until the form's code has come.
    <Suspense fallback={null}>
      {receipt === null ? (
        <PendingPage
          renderEditor={(editor) => (
            <InvoiceEditor
              {...editor}
              onRegistered={({ DocNo }) => setParams({ recibo: DocNo }, { replace: true })}
            />
          )}
        />
      ) : (
        <Receipt docNo={receipt} onAnother={(tipo) => navigate(anotherPath(tipo))} />
      )}
    </Suspense>
  );
}
