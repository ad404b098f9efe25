import { HistoryPage } from '../../features/lists/history-page.tsx';
import { loadModule } from '../../lib/load-module.ts';

const form = loadModule(() => import('../../features/invoices/form/copy-invoice.ts'));

/** The history; how an invoice is repeated is known to the form, which is another feature's. */
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
