import { IconAlertTriangle } from '@tabler/icons-react';
import type { LecturaAnswer } from '../../../../contract/reading.ts';
import { Banner } from '../../../ui/banner.tsx';
import type { DraftTotals } from '../form/draft-totals.ts';
import type { DraftLine } from '../form/lines.ts';
import { mismatches, openWarnings } from './reading-fields.ts';
import classes from './upload.module.css';

/** Warnings of the reader, and amounts of the form that differ from the file. */
export function ReadingBanner({
  lectura,
  totals,
  lines,
}: {
  readonly lectura: LecturaAnswer;
  readonly totals: DraftTotals;
  readonly lines: readonly DraftLine[];
}) {
  const sentences = [...openWarnings(lectura, totals, lines), ...mismatches(lectura, totals)];
  if (sentences.length === 0) return null;
  return (
    <Banner tone="amber" icon={IconAlertTriangle} title="Compáralo con el original." role="status">
      {sentences.map((sentence) => (
        <span key={sentence} className={classes.sentence}>
          {sentence}
        </span>
      ))}
    </Banner>
  );
}
