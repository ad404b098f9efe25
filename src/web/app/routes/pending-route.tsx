import { lazy, Suspense } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { PendingPage } from '../../features/lists/pending-page.tsx';
import { loadModule } from '../../lib/load-module.ts';
import { anotherPath, RECEIPT } from '../../lib/paths.ts';

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
 * The pending list or, while an invoice is being edited, the form, which belongs to another feature. After
 * registering, the address contains the number (`?recibo=NO`), so that reloading shows the receipt again, not a draft
 * that no longer exists.
 */
export function Component() {
  const [params, setParams] = useSearchParams();
  const navigate = useNavigate();
  const receipt = params.get(RECEIPT);
  return (
    // Around both, so that the list stays visible until the form's code is loaded.
    <Suspense fallback={null}>
      {receipt === null ? (
        <PendingPage
          renderEditor={(editor) => (
            <InvoiceEditor
              {...editor}
              onRegistered={({ DocNo }) => setParams({ [RECEIPT]: DocNo }, { replace: true })}
            />
          )}
        />
      ) : (
        <Receipt docNo={receipt} onAnother={(tipo) => navigate(anotherPath(tipo))} />
      )}
    </Suspense>
  );
}
