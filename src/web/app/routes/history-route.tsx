import { HistoryPage } from '../../features/lists/history-page.tsx';
import { loadModule } from '../../lib/load-module.ts';

const form = loadModule(() => import('../../features/invoices/form/copy-invoice.ts'));

/** The history. How to repeat an invoice is passed in, because it belongs to the form, another feature. */
export function Component() {
  return (
    <HistoryPage
      copyInvoice={async (DocNo, key) => {
        const { copyInvoice } = await form();
        return copyInvoice(DocNo, key);
      }}
    />
  );
}
