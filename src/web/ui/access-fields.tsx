import { TextInput, type TextInputProps } from '@mantine/core';

/** How the fields of an access page are: large, and needed one and all. */
export const ACCESS_FIELD = { size: 'lg', required: true, withAsterisk: false } as const;

/** The e-mail of an account, which is its user. */
export function AccessEmail(props: TextInputProps) {
  return (
    <TextInput
      label="Correo electrónico"
      name="email"
      type="email"
      autoComplete="username"
      {...ACCESS_FIELD}
      {...props}
    />
  );
}
