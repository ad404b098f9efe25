import { createContext, type ReactNode, useContext, useEffect, useRef } from 'react';
import classes from './page-title.module.css';

const SUFFIX = 'Huella';

/** Sets the document title to the screen's, `Historial de facturas · Huella`. */
export function useDocumentTitle(title: string): void {
  useEffect(() => {
    document.title = title.startsWith(SUFFIX) ? title : `${title} · ${SUFFIX}`;
  }, [title]);
}

/**
 * For each route's `h1`: sets the document title and moves the focus there when the route opens. Pass the result to
 * the `h1` as its `ref`, with `tabIndex={-1}`.
 */
export function usePageTitle(title: string) {
  const heading = useRef<HTMLHeadingElement>(null);
  useDocumentTitle(title);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
  }, []);
  return heading;
}

/** Notices of the frame for every screen, shown between title and content. */
export const PageNotice = createContext<ReactNode>(null);

/** Whether most of the panel is closed, so that a screen offers no links to it. */
export const PanelClosed = createContext(false);

export interface PageTitleProps {
  readonly title: string;
  /** On the right of the title: a date, a button. */
  readonly children?: ReactNode;
}

/** The title of the section, above the content. */
export function PageTitle({ title, children }: PageTitleProps) {
  const heading = usePageTitle(title);
  return (
    <>
      <div className={classes.row}>
        <h1 ref={heading} tabIndex={-1} className={classes.title}>
          {title}
        </h1>
        {children !== undefined && <div className={classes.aside}>{children}</div>}
      </div>
      <Notice />
    </>
  );
}

/** The frame's notices, for screens without a `PageTitle`. */
export function Notice() {
  const notice = useContext(PageNotice);
  return notice ? <div className={classes.notice}>{notice}</div> : null;
}
