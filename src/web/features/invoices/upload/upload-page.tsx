import { notifications } from '@mantine/notifications';
import { useCallback, useEffect } from 'react';
import { Link, useSearchParams } from 'react-router';
import { CHECKED, PATHS, RECEIPT } from '../../../lib/paths.ts';
import { PageTitle } from '../../../ui/page-title.tsx';
import { InvoiceEditor } from '../form/invoice-editor.tsx';
import { Receipt } from '../receipt/receipt.tsx';
import { EarlierUploads } from './earlier-uploads.tsx';
import { FileDrop } from './file-drop.tsx';
import { progressWords, QueueList } from './queue-list.tsx';
import classes from './upload.module.css';
import { useFirstReady, useUploads } from './uploads.ts';

const STEPS = [
  {
    title: 'Sube el archivo',
    words: 'La factura en PDF, JPG/JPEG o PNG, o una foto del papel. Puedes subir varias a la vez.',
  },
  {
    title: 'Revisa y completa los datos',
    words: 'Verás la página al lado y, de cada dato, si lo hemos leído bien o conviene revisarlo.',
  },
  {
    title: 'Confirma y registra',
    words: 'Hasta que tú lo confirmas no se registra nada. Después se envía sola a la AEAT.',
  },
] as const;

/**
 * Invoices made from a PDF or a photo. The address contains the draft being checked (`?revisar=B-12`) and, once
 * registered, its receipt (`?recibo=NO`).
 */
export function Component() {
  const [params, setParams] = useSearchParams();
  const { uploads, list } = useUploads();
  const checked = params.get(CHECKED);
  const receipt = params.get(RECEIPT);
  const next = list.find(({ state }) => state.kind === 'ready')?.state;
  const nextNo = next?.kind === 'ready' ? next.docNo : null;

  const goOn = useCallback(
    () => setParams(nextNo === null ? {} : { [CHECKED]: nextNo }),
    [setParams, nextNo],
  );
  if (receipt !== null) {
    return (
      <Receipt
        docNo={receipt}
        another={nextNo === null ? 'Subir otra' : 'Revisar la siguiente'}
        onAnother={goOn}
      />
    );
  }
  if (checked !== null) {
    return (
      <InvoiceEditor
        key={checked}
        docNo={checked}
        notice={<QueueNotice />}
        onClose={() => setParams({})}
        onLeave={() => {
          uploads.settle(checked, { kind: 'kept', docNo: checked });
          notifications.show({ message: 'Borrador guardado. Está en Facturas pendientes.' });
          setParams({});
        }}
        onRegistered={({ DocNo }) => {
          uploads.settle(checked, { kind: 'registered', docNo: DocNo });
          setParams({ [RECEIPT]: DocNo }, { replace: true });
        }}
      />
    );
  }
  return <Chooser />;
}

/** Progress of the other files while the first one is checked. */
function QueueNotice() {
  const { list } = useUploads();
  if (list.length < 2) return null;
  return (
    <p className={classes.notice}>
      <span role="status">{progressWords(list)}</span>{' '}
      <Link to={PATHS.upload}>Ver los archivos</Link>
    </p>
  );
}

function Chooser() {
  const [, setParams] = useSearchParams();
  const { uploads, list } = useUploads();
  useFirstReady((docNo) => setParams({ [CHECKED]: docNo }));
  useFilesDroppedBeside();
  return (
    <>
      <PageTitle title="Subir facturas" />
      <div className={classes.page}>
        <div className={classes.work}>
          <FileDrop isSmall={list.length > 0} onFiles={(files) => uploads.add(files)} />
          {list.length > 0 && <QueueList uploads={uploads} list={list} />}
          <EarlierUploads list={list} />
        </div>
        <ol className={classes.steps}>
          {STEPS.map(({ title, words }, index) => (
            <li key={title} className={classes.step}>
              <span className={classes.stepNumber} aria-hidden="true">
                {index + 1}
              </span>
              <div>
                <h2 className={classes.stepTitle}>{title}</h2>
                <p className="hu-muted">{words}</p>
              </div>
            </li>
          ))}
        </ol>
      </div>
    </>
  );
}

/** Without it, a file dropped beside the box would make the browser leave the page. */
function useFilesDroppedBeside(): void {
  useEffect(() => {
    const keep = (event: globalThis.DragEvent) => event.preventDefault();
    window.addEventListener('dragover', keep);
    window.addEventListener('drop', keep);
    return () => {
      window.removeEventListener('dragover', keep);
      window.removeEventListener('drop', keep);
    };
  }, []);
}
