import { PendingPage } from '../../features/lists/pending-page.tsx';

/** The pending list with the invoice form, which is another feature's, in its place. */
export function Component() {
  return <PendingPage renderEditor={() => null} />;
}
