import { PageTitle } from '../../ui/page-title.tsx';
import { ConciliarCard } from './conciliar-card.tsx';
import classes from './evidence.module.css';
import { ExportCard } from './export-card.tsx';
import { VerifyCard } from './verify-card.tsx';

/** What the owner can prove: that nothing was changed, and that the AEAT has it. */
export function Component() {
  return (
    <div className={classes.page}>
      <PageTitle title="Registros y evidencias" />
      <p className={`${classes.intro} hu-muted`}>
        Cada factura que registras deja un registro que no se puede cambiar ni borrar, enlazado con
        el anterior por su huella. Aquí puedes comprobarlo, llevártelo y compararlo con lo que tiene
        la AEAT.
      </p>
      <VerifyCard />
      <div className={classes.pair}>
        <ExportCard />
        <ConciliarCard />
      </div>
    </div>
  );
}
