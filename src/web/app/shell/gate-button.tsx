import { Button } from '@mantine/core';
import { Link, useLocation } from 'react-router';
import { PATHS } from '../../lib/paths.ts';
import type { Gate } from './gate.ts';

/** The one button that solves a closed panel: takes to the section of the profile. */
export function GateButton({ gate }: { readonly gate: Gate }) {
  const { pathname } = useLocation();
  const here = () => {
    if (pathname !== PATHS.profile) return;
    const section = document.getElementById(gate.section);
    section?.scrollIntoView({ block: 'start' });
    section
      ?.querySelector<HTMLElement>('button, input:not([type="file"]), a')
      ?.focus({ preventScroll: true });
  };
  return (
    <Button
      component={Link}
      to={`${PATHS.profile}#${gate.section}`}
      variant="default"
      size="sm"
      onClick={here}
    >
      {gate.action}
    </Button>
  );
}
