import { Button, type ButtonProps } from '@mantine/core';
import access from './access.module.css';

interface AccessSubmitProps extends Pick<ButtonProps, 'loading' | 'leftSection' | 'children'> {
  readonly 'aria-busy'?: boolean;
}

/** The submit button of an access page: as wide as its fields. */
export function AccessSubmit(props: AccessSubmitProps) {
  return <Button type="submit" size="lg" fullWidth className={access.main ?? ''} {...props} />;
}
