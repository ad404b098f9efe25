import { Collapse, TextInput, UnstyledButton } from '@mantine/core';
import { useDisclosure, useId } from '@mantine/hooks';
import { IconChevronDown } from '@tabler/icons-react';
import type { ComponentProps } from 'react';
import { DIR3_ROLES, type Dir3 } from '../../../domain/dir3.ts';
import classes from './customer-form.module.css';

type TextProps = Pick<ComponentProps<typeof TextInput>, 'value' | 'onChange' | 'onBlur'>;

export interface OfficeFieldsProps {
  readonly text: (field: keyof Dir3) => TextProps;
  /** One of them is to be looked at. */
  readonly isForcedOpen: boolean;
  readonly isOpenAtFirst: boolean;
}

/** Who of an administration gets its invoices. Few clients are one: folded until it is asked for. */
export function OfficeFields({ text, isForcedOpen, isOpenAtFirst }: OfficeFieldsProps) {
  const [isWanted, { toggle }] = useDisclosure(isOpenAtFirst);
  const isOpen = isWanted || isForcedOpen;
  const id = useId();
  return (
    <div className={classes.office}>
      <UnstyledButton
        className={classes.toggle ?? ''}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={toggle}
      >
        <IconChevronDown size={16} stroke={1.8} aria-hidden="true" />
        Administración pública (FACe)
      </UnstyledButton>
      <Collapse expanded={isOpen} id={id}>
        <p className={classes.help}>
          Los códigos DIR3 dicen qué oficina recibe la factura electrónica. Los da la propia
          administración.
        </p>
        <div className={classes.codes}>
          {DIR3_ROLES.map(({ field, label }) => (
            <TextInput
              key={field}
              label={field === 'organoProponente' ? `${label} (opcional)` : label}
              maxLength={20}
              autoComplete="off"
              spellCheck={false}
              {...text(field)}
            />
          ))}
        </div>
      </Collapse>
    </div>
  );
}
