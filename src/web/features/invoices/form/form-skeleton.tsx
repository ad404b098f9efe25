import { usePageTitle } from '../../../ui/page-title.tsx';
import { SkeletonText } from '../../../ui/skeleton-rows.tsx';
import head from './form-head.module.css';
import classes from './form-skeleton.module.css';
import form from './invoice-form.module.css';

/** The form while what it starts from is loading, with its parts in their final places. */
export function FormSkeleton({ title }: { readonly title: string }) {
  const heading = usePageTitle(title);
  return (
    <div className={form.form} data-full-bleed aria-busy="true">
      <div className={form.main}>
        <div className={head.head}>
          <h1 ref={heading} tabIndex={-1} className={head.title}>
            {title}
          </h1>
        </div>
        <p className="hu-hidden" role="status">
          Cargando la factura…
        </p>
        <div className={form.cards}>
          <div className={`hu-card ${classes.document}`}>
            <SkeletonText lines={5} />
          </div>
          <div className={`hu-card ${classes.lines}`}>
            <SkeletonText lines={5} />
          </div>
        </div>
      </div>
      <div className={`${form.aside} ${classes.aside}`} />
    </div>
  );
}
