import { Button } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';

/** Prints the page, of which only the invoice is printed. */
export function PrintButton() {
  return (
    <Button
      variant="default"
      leftSection={<IconPrinter size={16} stroke={1.8} aria-hidden="true" />}
      onClick={() => window.print()}
    >
      Imprimir
    </Button>
  );
}
