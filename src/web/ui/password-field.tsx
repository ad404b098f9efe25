import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconEye, IconEyeOff } from '@tabler/icons-react';

/** A password with its button to see it. It can be pasted, and the keyboard reaches the button. */
export function PasswordField(props: PasswordInputProps) {
  const [visible, { toggle }] = useDisclosure(false);
  return (
    <PasswordInput
      {...props}
      // The library marks the box around it, which takes no focus.
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
