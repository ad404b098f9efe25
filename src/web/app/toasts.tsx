import { Notifications } from '@mantine/notifications';

export default function Toasts() {
  return <Notifications position="bottom-right" autoClose={5000} limit={3} />;
}
