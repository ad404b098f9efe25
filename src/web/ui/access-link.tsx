import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import access from './access.module.css';

/** The single link of a page that reports one fact. */
export function AccessLink({
  to,
  children,
}: {
  readonly to: string;
  readonly children: ReactNode;
}) {
  return (
    <Button component={Link} to={to} size="lg" fullWidth className={access.action ?? ''}>
      {children}
    </Button>
  );
}
