import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { type Gate, sectionPath } from './gate.ts';

/** The one button that solves a closed panel: takes to the section of the profile. */
export function GateButton({ gate }: { readonly gate: Gate }) {
  return (
    <Button component={Link} to={sectionPath(gate)} variant="default" size="sm">
      {gate.action}
    </Button>
  );
}
