import { createBrowserRouter, type RouteObject, redirect } from 'react-router';
import { Component as HomePage } from '../features/home/home-page.tsx';
import { reloadTowards } from '../lib/load-module.ts';
import { PATHS } from '../lib/paths.ts';
import { rememberPlace } from '../lib/return-place.ts';
import { readToken } from '../lib/session.ts';
import { loadRoute } from './load-route.ts';
import { Component as Providers } from './providers.tsx';
import { RouteError } from './route-error.tsx';
import { Component as Shell } from './shell/shell.tsx';

const toPanelWhenSignedIn = () => (readToken() === null ? null : redirect(PATHS.panel));
/** A link in an e-mail, with the section of the screen that it leads to, is followed after signing in. */
const toSignInWithoutSession = () => {
  if (readToken() !== null) return null;
  const { pathname, search, hash } = window.location;
  rememberPlace(pathname + search + hash);
  return redirect(PATHS.signIn);
};
const to = (path: string) => ({ index: true, loader: () => redirect(path), element: null });

const signUp: RouteObject = {
  path: 'registro',
  lazy: loadRoute(() => import('./public/sign-up-layout.tsx')),
  children: [
    to(PATHS.signUpAccess),
    { path: 'paso1', lazy: loadRoute(() => import('../features/signup/access-page.tsx')) },
    { path: 'paso2', lazy: loadRoute(() => import('../features/signup/company-page.tsx')) },
    { path: 'paso3', lazy: loadRoute(() => import('../features/signup/payment-page.tsx')) },
    { path: 'completado', lazy: loadRoute(() => import('../features/signup/done-page.tsx')) },
  ],
};

/**
 * The frame and the first screen are part of the main bundle. As separate modules they would be seventy more
 * requests, of which browsers send six at a time over HTTP/1.1.
 */
const panel: RouteObject = {
  path: 'panel',
  loader: toSignInWithoutSession,
  Component: Shell,
  children: [
    to(PATHS.home),
    { path: 'inicio', Component: HomePage },
    { path: 'historial', lazy: loadRoute(() => import('./routes/history-route.tsx')) },
    { path: 'pendientes', lazy: loadRoute(() => import('./routes/pending-route.tsx')) },
    { path: 'crear', lazy: loadRoute(() => import('../features/invoices/form/create-page.tsx')) },
    { path: 'subir', lazy: loadRoute(() => import('../features/invoices/upload/upload-page.tsx')) },
    {
      path: 'facturas/:DocNo',
      lazy: loadRoute(() => import('../features/invoices/detail/detail-page.tsx')),
    },
    {
      path: 'facturas/:DocNo/que-hago',
      lazy: loadRoute(() => import('../features/invoices/guide/guide-page.tsx')),
    },
    { path: 'clientes', lazy: loadRoute(() => import('../features/customers/customers-page.tsx')) },
    { path: 'productos', lazy: loadRoute(() => import('../features/products/products-page.tsx')) },
    { path: 'importar', lazy: loadRoute(() => import('../features/importing/import-page.tsx')) },
    { path: 'perfil', lazy: loadRoute(() => import('./routes/profile-route.tsx')) },
    {
      path: 'integraciones/business-central',
      lazy: loadRoute(() => import('../features/integrations/business-central-page.tsx')),
    },
    { path: 'ayuda', lazy: loadRoute(() => import('../features/help/help-page.tsx')) },
    { path: 'faq', lazy: loadRoute(() => import('../features/help/faq-page.tsx')) },
    { path: 'registros', lazy: loadRoute(() => import('../features/evidence/evidence-page.tsx')) },
    {
      path: 'declaracion-responsable',
      lazy: loadRoute(() => import('../features/help/declaration-page.tsx')),
    },
    { path: 'acerca', lazy: loadRoute(() => import('../features/help/about-page.tsx')) },
    { path: '*', lazy: loadRoute(() => import('./routes/lost-route.tsx')) },
  ].map((child) => ({ ...child, errorElement: <RouteError /> })),
};

/** Nothing is drawn while the first module is loading: a flash of a spinner is worse than 100 ms of nothing. */
const HydrateFallback = () => null;

const routes: RouteObject[] = [
  {
    errorElement: <RouteError />,
    HydrateFallback,
    children: [
      // As a page of its own, made at build, the landing page contains none of this (landing-document.tsx).
      {
        path: '/',
        lazy: loadRoute(() => import('./public/landing-layout.tsx')),
        children: [
          { index: true, lazy: loadRoute(() => import('../features/landing/landing-page.tsx')) },
        ],
      },
      {
        Component: Providers,
        children: [
          {
            lazy: loadRoute(() => import('./public/sheet-layout.tsx')),
            children: [
              {
                path: 'iniciosesion',
                loader: toPanelWhenSignedIn,
                lazy: loadRoute(() => import('../features/signin/sign-in-page.tsx')),
              },
              {
                path: 'recuperar-contrasena',
                lazy: loadRoute(() => import('../features/recovery/recovery-page.tsx')),
              },
              {
                path: 'declaracion-responsable',
                lazy: loadRoute(() => import('../features/help/declaration-page.tsx')),
              },
              {
                path: 'registro/pago',
                lazy: loadRoute(() => import('../features/signup/payment-result-page.tsx')),
              },
              {
                path: 'copia',
                lazy: loadRoute(() => import('../features/data-copy/copy-page.tsx')),
              },
              { path: '*', lazy: loadRoute(() => import('./not-found.tsx')) },
            ],
          },
          signUp,
          panel,
        ],
      },
    ],
  },
];

export const router = createBrowserRouter(routes);

reloadTowards(() => {
  const { location } = router.state.navigation;
  return location && location.pathname + location.search + location.hash;
});
