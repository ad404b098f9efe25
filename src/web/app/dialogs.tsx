import { ModalsProvider } from '@mantine/modals';
import { useEffect } from 'react';

/** Renders the dialogs that are opened from code. `onReady` is called once it listens. */
export default function Dialogs({ onReady }: { readonly onReady: () => void }) {
  return (
    <ModalsProvider labels={{ confirm: 'Confirmar', cancel: 'Cancelar' }}>
      <Ready onReady={onReady} />
    </ModalsProvider>
  );
}

/** The provider starts listening in its layout effects, so it already does when this effect runs. */
function Ready({ onReady }: { readonly onReady: () => void }) {
  useEffect(onReady, [onReady]);
  return null;
}
