import { useMediaQuery } from '@mantine/hooks';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { entero } from '../lib/format.ts';
import classes from './pager.module.css';
import { pagerItems } from './pager-items.ts';

export interface PagerProps {
  /** From 1. */
  readonly page: number;
  readonly pageSize: number;
  readonly total: number;
  /** There are more than `total`, but they were not counted. */
  readonly isMore?: boolean;
  /** What is counted: `['factura', 'facturas']`. */
  readonly noun: readonly [one: string, many: string];
  readonly onPage: (page: number) => void;
}

/** «1–8 de 1.284 facturas» and the pages. With a single page, only the count. */
export function Pager({ page, pageSize, total, isMore = false, noun, onPage }: PagerProps) {
  const narrow = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false });
  const pages = Math.max(1, Math.ceil(total / pageSize));
  const first = (page - 1) * pageSize + 1;
  const last = Math.min(total, page * pageSize);
  const [one, many] = noun;

  return (
    <nav className={classes.pager} aria-label="Páginas">
      <p className={classes.count} role="status">
        {(pages > 1 || isMore) && `${entero(first)}–${entero(last)} de ${isMore ? 'más de ' : ''}`}
        {entero(total)}
        {(!narrow || pages === 1) && ` ${total === 1 ? one : many}`}
      </p>
      {pages > 1 && (
        <ul className={classes.pages}>
          <li>
            <button
              type="button"
              aria-label="Página anterior"
              disabled={page <= 1}
              onClick={() => onPage(page - 1)}
            >
              <IconChevronLeft size={16} aria-hidden="true" />
            </button>
          </li>
          {pagerItems(page, pages, narrow ? 0 : 1).map((item) => (
            <li key={item}>
              {typeof item === 'number' ? (
                <button
                  type="button"
                  aria-label={`Página ${entero(item)}`}
                  aria-current={item === page ? 'page' : undefined}
                  onClick={() => onPage(item)}
                >
                  {entero(item)}
                </button>
              ) : (
                <span className={classes.gap} aria-hidden="true">
                  …
                </span>
              )}
            </li>
          ))}
          <li>
            <button
              type="button"
              aria-label="Página siguiente"
              disabled={page >= pages}
              onClick={() => onPage(page + 1)}
            >
              <IconChevronRight size={16} aria-hidden="true" />
            </button>
          </li>
        </ul>
      )}
    </nav>
  );
}
