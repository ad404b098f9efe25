import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { PATHS } from '../../lib/paths.ts';

/** The way on from an invoice that does not exist. */
export function ToHistory() {
  return (
    <Button variant="default" component={Link} to={PATHS.history}>
      Ver el historial
    </Button>
  );
}

/** The way on from a draft that does not exist. */
export function ToPending() {
  return (
    <Button variant="default" component={Link} to={PATHS.pending}>
      Ver las pendientes
    </Button>
  );
}
