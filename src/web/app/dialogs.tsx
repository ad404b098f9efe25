import { ModalsProvider } from '@mantine/modals';
import { useEffect } from 'react';

/** Opens the dialogs asked for from code. `onReady` once it listens. */
export default function Dialogs({ onReady }: { readonly onReady: () => void }) {
  return (
    <ModalsProvider labels={{ confirm: 'Confirmar', cancel: 'Cancelar' }}>
      <Ready onReady={onReady} />
    </ModalsProvider>
  );
}

/** The provider listens from its layout effects: by this one, it already does. */
function Ready({ onReady }: { readonly onReady: () => void }) {
  useEffect(onReady, [onReady]);
  return null;
}
