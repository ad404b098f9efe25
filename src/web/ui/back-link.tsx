import { IconChevronLeft } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import classes from './back-link.module.css';
import { SkeletonBar } from './skeleton-rows.tsx';

export interface BackLinkProps {
  readonly to: string;
  readonly children: ReactNode;
}

/** Above the title of a page: a link to its parent page. */
export function BackLink({ to, children }: BackLinkProps) {
  return (
    <Link to={to} className={classes.back}>
      <IconChevronLeft size={16} stroke={1.8} aria-hidden="true" />
      {children}
    </Link>
  );
}

/** Reserves its place until the target is known. */
export function BackLinkSkeleton() {
  return (
    <p className={classes.back}>
      <SkeletonBar width={140} />
    </p>
  );
}
