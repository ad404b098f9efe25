import { BackLinkSkeleton } from '../../../ui/back-link.tsx';
import { usePageTitle } from '../../../ui/page-title.tsx';
import { SkeletonBar } from '../../../ui/skeleton-rows.tsx';
import classes from './detail-page.module.css';

const STEPS = ['Borrador', 'Registrada', 'Enviada', 'Respuesta'];

/** Placeholder for the page of an invoice, with its final height. */
export function DetailSkeleton({ title }: { readonly title: string }) {
  const heading = usePageTitle(title);
  return (
    <div aria-busy="true">
      <BackLinkSkeleton />
      <div className={classes.head}>
        <div>
          <h1 ref={heading} tabIndex={-1} className={classes.title}>
            {title}
          </h1>
          <p className={classes.sub}>
            <SkeletonBar width={260} />
          </p>
        </div>
      </div>
      <div className={classes.columns}>
        <div className={classes.desk} data-paper>
          <div className={classes.blank} />
        </div>
        <div className={classes.side}>
          <section className={`hu-card ${classes.card}`}>
            <h2 className={classes.cardTitle}>Recorrido</h2>
            <div className={classes.bars}>
              {STEPS.map((step) => (
                <SkeletonBar key={step} width="70%" />
              ))}
            </div>
          </section>
        </div>
      </div>
    </div>
  );
}
