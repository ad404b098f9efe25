import { Collapse, UnstyledButton } from '@mantine/core';
import { useDisclosure, useId } from '@mantine/hooks';
import { IconChevronDown } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './disclosure.module.css';

export interface DisclosureProps {
  readonly label: string;
  /** A summary of its content, shown while it is folded. */
  readonly summary?: ReactNode;
  readonly isOpenAtFirst: boolean;
  /** Something in it needs attention. */
  readonly isForcedOpen: boolean;
  readonly children: ReactNode;
}

/** A button that unfolds what few users need. */
export function Disclosure({
  label,
  summary,
  isOpenAtFirst,
  isForcedOpen,
  children,
}: DisclosureProps) {
  const [isWanted, { toggle }] = useDisclosure(isOpenAtFirst);
  const isOpen = isWanted || isForcedOpen;
  const id = useId();
  return (
    <>
      <UnstyledButton
        className={classes.toggle ?? ''}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={toggle}
      >
        <IconChevronDown size={16} stroke={1.8} aria-hidden="true" />
        {label}
        {!isOpen && summary}
      </UnstyledButton>
      <Collapse expanded={isOpen} id={id}>
        {children}
      </Collapse>
    </>
  );
}
