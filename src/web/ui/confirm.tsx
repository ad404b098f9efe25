import { Button } from '@mantine/core';
import { modals } from '@mantine/modals';
import { type ReactNode, useEffect, useRef } from 'react';
import { asking } from './asking.ts';
import classes from './confirm.module.css';
import { useFocusBack } from './focus-back.ts';

export interface ConfirmOptions {
  readonly title: string;
  readonly message: ReactNode;
  /** The verb again: «Eliminar borrador». */
  readonly confirm: string;
  /** For deletions: red, with the initial focus on «Cancelar». */
  readonly danger?: boolean;
  /** By default, «Cancelar». */
  readonly cancel?: string;
}

let asked = 0;

/**
 * Asks for confirmation before something irreversible.
 *
 * @returns whether the user confirmed
 */
export function confirmAction(options: ConfirmOptions): Promise<boolean> {
  const question = new Promise<boolean>((resolve) => {
    const id = `pregunta-${++asked}`;
    const answer = (goesOn: boolean) => {
      resolve(goesOn);
      modals.close(id);
    };
    modals.open({
      modalId: id,
      title: options.title,
      withCloseButton: false,
      onClose: () => resolve(false), // After an answer the promise is already settled.
      // A key of its own: a question right after another starts fresh, focus included.
      children: <Question key={id} {...options} onAnswer={answer} />,
    });
  });
  return asking(question);
}

interface QuestionProps extends ConfirmOptions {
  readonly onAnswer: (goesOn: boolean) => void;
}

function Question(props: QuestionProps) {
  const { message, confirm, danger = false, cancel = 'Cancelar', onAnswer } = props;
  const first = useRef<HTMLButtonElement>(null);
  useFocusBack();
  useEffect(() => first.current?.focus(), []);
  const focusedFirst = { ref: first, 'data-autofocus': true };
  return (
    <>
      <div>{message}</div>
      <div className={classes.buttons}>
        <Button {...(danger && focusedFirst)} variant="default" onClick={() => onAnswer(false)}>
          {cancel}
        </Button>
        <Button
          {...(!danger && focusedFirst)}
          {...(danger && { color: 'red' })}
          onClick={() => onAnswer(true)}
        >
          {confirm}
        </Button>
      </div>
    </>
  );
}
