import '@fontsource-variable/inter/wght.css';
import '../tokens.css';
import '../base.css';
import { renderToStaticMarkup } from 'react-dom/server';
import { StaticRouter } from 'react-router';
import { centsToText } from '../../../domain/money.ts';
import { monthlyCents, PLANS } from '../../../domain/plans.ts';
import { Component as Landing } from '../../features/landing/landing-page.tsx';
import { eurosOfCents } from '../../lib/format.ts';
import { PATHS } from '../../lib/paths.ts';
import { writeForTheServer } from '../../lib/provider.ts';
import { LegalBar } from '../legal-bar.tsx';
import classes from './public.module.css';
import { PublicHeader } from './public-header.tsx';

const TITLE = 'Huella: facturación verificable para tu empresa';
const [, , ANNUAL] = PLANS;
const DESCRIPTION = `Crea facturas, encadénalas con su huella y regístralas en la AEAT. Desde ${eurosOfCents(monthlyCents(ANNUAL))} al mes con el plan anual.`;
/** Address of the installation, filled in by the server like all configuration. */
const PUBLIC_URL = '__publicUrl__';

/** The product for search engines (schema.org). A block of data, which is not subject to the policy for scripts. */
const PRODUCT = JSON.stringify({
  '@context': 'https://schema.org',
  '@type': 'SoftwareApplication',
  name: 'Huella',
  description: DESCRIPTION,
  url: `${PUBLIC_URL}/`,
  image: `${PUBLIC_URL}/og.png`,
  applicationCategory: 'BusinessApplication',
  operatingSystem: 'Web',
  inLanguage: 'es',
  offers: PLANS.map(({ name, priceCents }) => ({
    '@type': 'Offer',
    name,
    price: centsToText(priceCents),
    priceCurrency: 'EUR',
  })),
});

export interface LandingAssets {
  /** The style sheet, inlined so that nothing waits for a second request. */
  readonly css: string;
  /** Addresses of the files that the page loads. */
  readonly script: string;
  readonly font: string;
}

/**
 * The landing page as a document that works without scripts, made once at build. It consists of the same blocks as in
 * the application; `src/api/landing.ts` fills in the placeholders for what each installation configures.
 */
export function landingDocument({ css, script, font }: LandingAssets): string {
  writeForTheServer();
  const picture = `${PUBLIC_URL}/og.png`;
  return `<!doctype html>${renderToStaticMarkup(
    <html lang="es" data-first-paint="">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <title>{TITLE}</title>
        <meta name="description" content={DESCRIPTION} />
        <link rel="preload" href={font} as="font" type="font/woff2" crossOrigin="anonymous" />
        <style>{css}</style>
        <link rel="canonical" href={`${PUBLIC_URL}/`} />
        <meta name="theme-color" content="#faf9f6" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#121514" media="(prefers-color-scheme: dark)" />
        <meta name="color-scheme" content="light dark" />
        <meta name="format-detection" content="telephone=no" />
        <meta property="og:type" content="website" />
        <meta property="og:site_name" content="Huella" />
        <meta property="og:locale" content="es_ES" />
        <meta property="og:title" content={TITLE} />
        <meta property="og:description" content={DESCRIPTION} />
        <meta property="og:url" content={`${PUBLIC_URL}/`} />
        <meta property="og:image" content={picture} />
        <meta property="og:image:type" content="image/png" />
        <meta property="og:image:width" content="1200" />
        <meta property="og:image:height" content="630" />
        <meta
          property="og:image:alt"
          content="Huella: cada factura deja su huella, dibujada como un sello."
        />
        <meta name="twitter:card" content="summary_large_image" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        <link rel="manifest" href="/manifest.webmanifest" />
        <script type="application/ld+json">{PRODUCT}</script>
        <script type="module" src={script} />
      </head>
      <body>
        <StaticRouter location={PATHS.landing}>
          <div className={classes.landing}>
            <PublicHeader place="landing" />
            <Landing />
            <LegalBar place="public" />
          </div>
        </StaticRouter>
      </body>
    </html>,
  )}`;
}
