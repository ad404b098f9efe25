import type { ComponentType, ReactNode } from 'react';
import classes from './banner.module.css';
import type { Tone } from './chip.tsx';

export interface BannerProps {
  readonly tone: Exclude<Tone, 'grey'>;
  readonly icon: ComponentType<{ size?: number; stroke?: number; 'aria-hidden'?: 'true' }>;
  /** The reason, in bold; omitted when the text contains it. */
  readonly title?: ReactNode;
  readonly children?: ReactNode;
  /** One button, on the right. */
  readonly action?: ReactNode;
  /** `alert` interrupts screen readers; omit it for what was already there when the page opened. */
  readonly role?: 'status' | 'alert';
}

/** One sentence above a screen, its reason in bold, with a button that solves it. */
export function Banner({ tone, icon: Icon, title, children, action, role }: BannerProps) {
  return (
    <div className={classes.banner} data-tone={tone} role={role}>
      <Icon size={18} stroke={1.8} aria-hidden="true" />
      <p className={classes.text}>
        {title !== undefined && <strong>{title}</strong>}
        {title !== undefined && children !== undefined && ' '}
        {children}
      </p>
      {action}
    </div>
  );
}
