import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import classes from './undo-toast.module.css';

/** Says what was just done, with a button to undo it while the toast is visible. */
export function undoToast(message: string, undo: () => void): void {
  const id = notifications.show({
    autoClose: 8_000,
    message: (
      <span className={classes.toast}>
        {message}
        <Button
          variant="subtle"
          color="gray"
          size="sm"
          onClick={() => {
            undo();
            notifications.hide(id);
          }}
        >
          Deshacer
        </Button>
      </span>
    ),
  });
}
