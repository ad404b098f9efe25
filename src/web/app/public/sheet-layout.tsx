import { Outlet } from 'react-router';
import { LegalBar } from '../legal-bar.tsx';
import classes from './public.module.css';
import { PublicHeader } from './public-header.tsx';

/** Header, one sheet and the legal bar: signing in and recovering the password. */
export function Component() {
  return (
    <div className={classes.page}>
      <PublicHeader />
      <main>
        <Outlet />
      </main>
      <LegalBar place="public" />
    </div>
  );
}
