import { IconAlertTriangle, IconCircleX } from '@tabler/icons-react';
import classes from './finding-note.module.css';
import type { PlacedFinding } from './findings.ts';
import { type FixContext, fixOf } from './fixes.ts';

/** A finding beside its field: the sentence, and its fix as a link. */
export function FindingNote({ finding, fix }: { finding: PlacedFinding; fix: FixContext }) {
  const isBlocking = finding.gravedad === 'bloquea';
  const Icon = isBlocking ? IconCircleX : IconAlertTriangle;
  const way = fixOf(finding, fix);
  return (
    <span className={classes.note} data-tone={isBlocking ? 'red' : 'amber'}>
      <Icon size={15} stroke={1.8} aria-hidden="true" />
      <span>
        {finding.mensaje}
        {way && (
          <>
            {' '}
            <button type="button" className={`hu-link ${classes.fix}`} onClick={way.run}>
              {way.label}
            </button>
          </>
        )}
      </span>
    </span>
  );
}

/** Those of one place, one below the other. */
export function FindingNotes({
  findings,
  fix,
}: {
  findings: readonly PlacedFinding[];
  fix: FixContext;
}) {
  return findings.map((finding) => (
    <FindingNote key={`${finding.place} ${finding.mensaje}`} finding={finding} fix={fix} />
  ));
}
