import { Outlet } from 'react-router';
import { LegalBar } from '../legal-bar.tsx';
import classes from './public.module.css';
import { PublicHeader } from './public-header.tsx';

/** Header, landing and legal bar, without the component library. */
export function Component() {
  return (
    <div className={classes.landing}>
      <PublicHeader place="landing" />
      <Outlet />
      <LegalBar place="public" />
    </div>
  );
}
