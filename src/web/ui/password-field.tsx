import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconEye, IconEyeOff } from '@tabler/icons-react';

/** A password with a button to show it. It accepts pasting, and the button can be reached by keyboard. */
export function PasswordField(props: PasswordInputProps) {
  const [visible, { toggle }] = useDisclosure(false);
  return (
    <PasswordInput
      {...props}
      // The library marks the wrapper, which is not focusable.
      aria-invalid={props.error ? true : undefined}
      visible={visible}
      visibilityToggleIcon={({ reveal }) =>
        reveal ? (
          <IconEyeOff size={18} stroke={1.7} aria-hidden="true" />
        ) : (
          <IconEye size={18} stroke={1.7} aria-hidden="true" />
        )
      }
      onVisibilityChange={toggle}
      visibilityToggleButtonProps={{
        'aria-label': visible ? 'Ocultar contraseña' : 'Mostrar contraseña',
        'aria-hidden': false,
        tabIndex: 0,
      }}
    />
  );
}
