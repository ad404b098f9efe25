import { TextInput } from '@mantine/core';
import type { ComponentProps } from 'react';
import { DIR3_ROLES, type Dir3 } from '../../../domain/dir3.ts';
import { Disclosure } from '../disclosure.tsx';
import classes from './customer-form.module.css';

type TextProps = Pick<ComponentProps<typeof TextInput>, 'value' | 'onChange' | 'onBlur'>;

export interface OfficeFieldsProps {
  readonly text: (field: keyof Dir3) => TextProps;
  /** One of them needs attention. */
  readonly isForcedOpen: boolean;
  readonly isOpenAtFirst: boolean;
}

/** Which offices of an administration receive its invoices. Few clients are one, so it is folded at first. */
export function OfficeFields({ text, isForcedOpen, isOpenAtFirst }: OfficeFieldsProps) {
  return (
    <div className={classes.office}>
      <Disclosure
        label="Administración pública (FACe)"
        isOpenAtFirst={isOpenAtFirst}
        isForcedOpen={isForcedOpen}
      >
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
      </Disclosure>
    </div>
  );
}
