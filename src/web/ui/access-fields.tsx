import { TextInput, type TextInputProps } from '@mantine/core';

/** Props of the fields on access pages: large, and all required. */
export const ACCESS_FIELD = { size: 'lg', required: true, withAsterisk: false } as const;

/** The e-mail of an account, which is its login user. */
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
