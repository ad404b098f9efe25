import './mantine.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { Outlet, ScrollRestoration, useNavigate } from 'react-router';
import { queryClient } from '../lib/query-client.ts';
import { ErrorDialogProvider } from '../ui/error-dialog.tsx';
import { HintLayer } from '../ui/hint.tsx';
import { FloatingLayer } from './floating-layer.tsx';
import { wayOutOf } from './shell/way-out.ts';
import { styleNonce } from './style-nonce.ts';
import { cssVariablesResolver, theme } from './theme.ts';

/** The providers of every screen except the landing page. */
export function Component() {
  const navigate = useNavigate();
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      defaultColorScheme="auto"
      deduplicateInlineStyles
      getStyleNonce={styleNonce}
    >
      <QueryClientProvider client={queryClient}>
        <ErrorDialogProvider
          wayOutOf={(messages) => wayOutOf(messages, window.location.pathname)}
          onLeave={navigate}
        >
          <Outlet />
          <FloatingLayer />
          <HintLayer />
          <ScrollRestoration />
        </ErrorDialogProvider>
      </QueryClientProvider>
    </MantineProvider>
  );
}
