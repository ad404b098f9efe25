import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react';

const drawn = { size: 18, stroke: 1.8, 'aria-hidden': true } as const;

/** The icon on the left of a toast by its tone: by default, that something is done. */
export const TOAST_ICONS = {
  green: <IconCircleCheck {...drawn} color="var(--hu-green-text)" />,
  amber: <IconAlertTriangle {...drawn} color="var(--hu-amber-text)" />,
  blue: <IconInfoCircle {...drawn} color="var(--hu-blue-text)" />,
} as const;
