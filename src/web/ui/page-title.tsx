import { createContext, type ReactNode, useContext, useEffect, useRef } from 'react';
import classes from './page-title.module.css';

const SUFFIX = 'Huella';

/** Names the document after the screen, `Historial de facturas · Huella`. */
export function useDocumentTitle(title: string): void {
  useEffect(() => {
    document.title = title.startsWith(SUFFIX) ? title : `${title} · ${SUFFIX}`;
  }, [title]);
}

/**
 * What each route's `h1` does: names the document and takes the focus when the route opens.
 * Give the result to the `h1` as its `ref`, with `tabIndex={-1}`.
 */
export function usePageTitle(title: string) {
  const heading = useRef<HTMLHeadingElement>(null);
  useDocumentTitle(title);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
  }, []);
  return heading;
}

/** What the frame has to say on every screen; it stands between the title and the content. */
export const PageNotice = createContext<ReactNode>(null);

/** Whether most of the panel is closed, so that a screen offers nothing that leads there. */
export const PanelClosed = createContext(false);

export interface PageTitleProps {
  readonly title: string;
  /** At the right of the title: a date, a button. */
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

/** The frame's words, where a screen has no `PageTitle`. */
export function Notice() {
  const notice = useContext(PageNotice);
  return notice ? <div className={classes.notice}>{notice}</div> : null;
}
