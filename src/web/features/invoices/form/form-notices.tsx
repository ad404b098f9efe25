import { type ReactNode, useState } from 'react';
import { ReadingBanner } from '../upload/reading-banner.tsx';
import {
  ConflictBanner,
  GoneBanner,
  RestoredBanner,
  StatusBanner,
  UnansweredBanner,
} from './form-banners.tsx';
import classes from './invoice-form.module.css';
import { MeantBanner } from './meant-banner.tsx';
import type { Opening } from './open-form.ts';
import type { InvoiceFormModel } from './use-invoice-form.ts';

export interface FormNoticesProps {
  readonly form: InvoiceFormModel;
  readonly opening: Opening;
  readonly notice: ReactNode;
  readonly onStartOver: (() => void) | undefined;
}

/** What the user has to know before going on, each notice with its way out. */
export function FormNotices({ form, opening, notice, onStartOver }: FormNoticesProps) {
  const [isRestoredShown, setRestoredShown] = useState(opening.isRestored);
  const { status, registeredNo, tell } = form;
  const { isUnknown } = form.register;
  return (
    <>
      <div className={classes.banners}>
        {notice}
        {opening.status && registeredNo !== undefined && (
          <StatusBanner
            docNo={registeredNo}
            status={opening.status}
            errorMessage={opening.errorMessage}
            rechazo={opening.rechazo}
            isCorrecting={form.isCorrecting}
            onCorrect={form.correct}
          />
        )}
        {isRestoredShown && !isUnknown && status.kind !== 'conflict' && (
          <RestoredBanner onStartOver={onStartOver} onDismiss={() => setRestoredShown(false)} />
        )}
        {form.lectura && !form.isReadOnly && (
          <ReadingBanner lectura={form.lectura} totals={form.totals} lines={form.state.lines} />
        )}
      </div>
      {/* Nothing is saved until the user chooses, so it stays visible beside whatever line is being typed. */}
      <div className={classes.urgent}>
        {isUnknown && <UnansweredBanner onRetry={form.registerAgain} onStartOver={onStartOver} />}
        {status.kind === 'conflict' && (
          <ConflictBanner
            onTakeTheirs={() => form.takeTheirs().catch(tell)}
            onKeepMine={() => form.keepMine().catch(tell)}
          />
        )}
        {opening.meant && !form.isReadOnly && (
          <MeantBanner
            meant={opening.meant}
            state={form.state}
            totalCents={form.totals.totalCents}
          />
        )}
        {status.kind === 'gone' && <GoneBanner onKeepAsNew={() => form.keepAsNew().catch(tell)} />}
      </div>
    </>
  );
}
