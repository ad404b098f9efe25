import './mantine.css';
import { MantineProvider } from '@mantine/core';
import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { Outlet, ScrollRestoration } from 'react-router';
import { queryClient } from '../lib/query-client.ts';
import { ErrorDialogProvider } from '../ui/error-dialog.tsx';
import { cssVariablesResolver, theme } from './theme.ts';

/** What every screen but the landing stands on. */
export function Component() {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      defaultColorScheme="auto"
      deduplicateInlineStyles
    >
      <QueryClientProvider client={queryClient}>
        <ErrorDialogProvider>
          <ModalsProvider labels={{ confirm: 'Confirmar', cancel: 'Cancelar' }}>
            <Notifications position="bottom-right" autoClose={5000} limit={3} />
            <Outlet />
            <ScrollRestoration />
          </ModalsProvider>
        </ErrorDialogProvider>
      </QueryClientProvider>
    </MantineProvider>
  );
}
