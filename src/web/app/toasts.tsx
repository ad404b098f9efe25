import { createTheme, MantineThemeProvider } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { Notifications } from '@mantine/notifications';
import { TOAST_ICONS } from '../ui/toast-icons.tsx';

/** Here and not in the theme, because its code is loaded with the first toast. */
const withIcon = createTheme({
  components: { Notification: { defaultProps: { icon: TOAST_ICONS.green } } },
});

/** At the bottom right; on a phone at the top, away from thumb and keyboard. */
export default function Toasts() {
  const isPhone = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false });
  return (
    <MantineThemeProvider inherit theme={withIcon}>
      <Notifications
        position={isPhone ? 'top-center' : 'bottom-right'}
        autoClose={5000}
        limit={3}
      />
    </MantineThemeProvider>
  );
}
