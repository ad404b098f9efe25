import { IconAlertTriangle, IconCircleCheck, IconCircleDashed } from '@tabler/icons-react';
import type { Level, LineMark } from './reading-fields.ts';
import classes from './upload.module.css';

const LOOK = {
  leido: { words: 'Leído', tone: 'green', Icon: IconCircleCheck },
  revisar: { words: 'Revisar', tone: 'amber', Icon: IconAlertTriangle },
  'no-encontrado': { words: 'No encontrado', tone: 'grey', Icon: IconCircleDashed },
} as const;

/** How certain a value is: icon, words and colour together. */
export function LevelMark({ level }: { readonly level: Level }) {
  const { words, tone, Icon } = LOOK[level];
  return (
    <span className={classes.level} data-tone={tone}>
      <Icon size={15} stroke={1.8} aria-hidden="true" />
      {words}
    </span>
  );
}

/** The same where there is only room for the icon; its words are for screen readers and the pointer. */
export function LevelIcon({ level, original }: LineMark) {
  const { words, tone, Icon } = LOOK[level];
  const said = original ? `${words}: el original dice ${original}` : words;
  return (
    <span className={`${classes.level} ${classes.alone}`} data-tone={tone} title={said}>
      <Icon size={15} stroke={1.8} aria-hidden="true" />
      <span className="hu-hidden">{said}</span>
    </span>
  );
}
