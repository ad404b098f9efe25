import { usePageTitle } from '../../../ui/page-title.tsx';
import { SkeletonBar } from '../../../ui/skeleton-rows.tsx';
import classes from './form-skeleton.module.css';

const FIELDS = ['60%', '80%', '55%', '70%', '45%'];

/** The form while what it starts from is on its way: as tall as the form. */
export function FormSkeleton({ title }: { readonly title: string }) {
  const heading = usePageTitle(title);
  return (
    <div aria-busy="true">
      <h1 ref={heading} tabIndex={-1} className={classes.title}>
        {title}
      </h1>
      <p className="hu-hidden" role="status">
        Cargando la factura…
      </p>
      <div className={classes.card} data-height="document">
        {FIELDS.map((width) => (
          <SkeletonBar key={width} width={width} />
        ))}
      </div>
      <div className={classes.card} data-height="lines">
        {FIELDS.map((width) => (
          <SkeletonBar key={width} width={width} />
        ))}
      </div>
    </div>
  );
}
