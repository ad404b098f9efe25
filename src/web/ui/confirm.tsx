import { Button } from '@mantine/core';
import { modals } from '@mantine/modals';
import { type ReactNode, useEffect, useRef } from 'react';
import { asking } from './asking.ts';
import classes from './confirm.module.css';
import { useFocusBack } from './focus-back.ts';

export interface ConfirmOptions {
  readonly title: string;
  readonly message: ReactNode;
  /** The verb, again: «Eliminar borrador». */
  readonly confirm: string;
  /** Deleting is red, and begins with the focus on «Cancelar». */
  readonly danger?: boolean;
  /** «Cancelar» where nothing else is said. */
  readonly cancel?: string;
}

let asked = 0;

/** Asks before something that cannot be undone. @returns whether the person goes on */
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
      onClose: () => resolve(false), // After an answer it finds the promise settled.
      // Its own key: a question right after another begins anew, focus included.
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
