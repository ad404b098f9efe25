import { useDocumentTitle } from '../../ui/page-title.tsx';
import { Closing } from './closing.tsx';
import { Doubts } from './doubts.tsx';
import { Hero } from './hero.tsx';
import classes from './landing.module.css';
import { OneCent } from './one-cent.tsx';
import { Prices } from './prices.tsx';
import { Steps } from './steps.tsx';
import { WhatItDoes } from './what-it-does.tsx';

/** The landing page. All of it can be prerendered as HTML: nothing waits for a script. */
export function Component() {
  useDocumentTitle('Huella: facturación verificable para tu empresa');
  return (
    <main className={classes.page}>
      <Hero />
      <OneCent />
      <WhatItDoes />
      <Steps />
      <Prices />
      <Doubts />
      <Closing />
    </main>
  );
}
