import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { type Gate, sectionPath } from './gate.ts';

/** The button that reopens a closed panel: it leads to the section of the profile where that is done. */
export function GateButton({ gate }: { readonly gate: Gate }) {
  return (
    <Button component={Link} to={sectionPath(gate)} variant="default" size="sm">
      {gate.action}
    </Button>
  );
}
