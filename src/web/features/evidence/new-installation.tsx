import { Button, Checkbox } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCircleCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import type { NuevaInstalacionAnswer } from '../../../contract/evidence.ts';
import { cuenta, entero, euros } from '../../lib/format.ts';
import { invoicePath, PATHS } from '../../lib/paths.ts';
import { Banner } from '../../ui/banner.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useNewInstallation } from './api.ts';
import classes from './evidence.module.css';
import { Refusal } from './refusal.tsx';

/** How to continue when registros were lost and no backup has them. */
export function NewInstallation({
  onBegun,
}: {
  readonly onBegun: (answer: NuevaInstalacionAnswer) => void;
}) {
  const [isOpen, { open, close }] = useDisclosure(false);
  const begin = useNewInstallation();
  return (
    <>
      <div className={classes.buttons}>
        <Button variant="default" onClick={open}>
          No tengo una copia más reciente…
        </Button>
      </div>
      {isOpen && (
        <Question
          isPending={begin.isPending}
          error={begin.error}
          onConfirm={() =>
            begin.mutate(undefined, { onSuccess: (answer) => answer && onBegun(answer) })
          }
          onClose={close}
        />
      )}
    </>
  );
}

interface QuestionProps {
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

function Question({ isPending, error, onConfirm, onClose }: QuestionProps) {
  const [isSure, setSure] = useState(false);
  return (
    <Dialog
      onClose={onClose}
      size={560}
      title="Empezar una instalación nueva"
      withCloseButton={false}
      closeOnClickOutside={false}
    >
      <div className={classes.answer}>
        <p>Es para cuando lo que aquí falta no se puede recuperar. Esto es lo que pasa:</p>
        <ul className={classes.steps}>
          <li>
            Tus próximas facturas siguen <strong>después de la última que tiene la AEAT</strong>:
            ningún número se repite.
          </li>
          <li>
            Las facturas que faltan siguen en la AEAT. Te damos la lista: pide copia de ellas a tus
            clientes y guárdalas.
          </li>
          <li>
            Las que hayas hecho aquí con uno de esos números quedan sin efecto, y habrá que hacerlas
            otra vez.
          </li>
          <li>
            Tus registros empiezan una cadena nueva con otro número de instalación. Los que ya
            tienes se conservan como están.
          </li>
        </ul>
        <p>
          Si diste a algún cliente una factura posterior que no llegó a la AEAT, sube luego el
          contador en <Link to={PATHS.profile}>tu perfil</Link> para no repetir su número.
        </p>
        <Checkbox
          checked={isSure}
          onChange={(event) => setSure(event.currentTarget.checked)}
          label="No hay ninguna copia de seguridad más reciente. Sé que esto no se puede deshacer."
        />
        {error && <Refusal title="No ha cambiado nada." error={error} />}
        <div className={classes.dialogButtons}>
          <Button variant="default" data-autofocus onClick={onClose}>
            Cancelar
          </Button>
          <Button color="red" disabled={!isSure} loading={isPending} onClick={onConfirm}>
            Empezar una instalación nueva
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

/** What remains to be done after it has begun. */
export function Begun({ answer }: { readonly answer: NuevaInstalacionAnswer }) {
  const { NoSerie, perdidos, sinEfecto, sinEnviar } = answer;
  return (
    <div className={classes.answer}>
      <Banner tone="green" icon={IconCircleCheck} title="Ya puedes registrar facturas.">
        La próxima será la {NoSerie}.
      </Banner>
      {sinEfecto.length > 0 && (
        <p>
          {cuenta(sinEfecto.length, 'factura ha quedado', 'facturas han quedado')} sin efecto,
          porque la AEAT ya tenía otra con su número. Para volver a hacerlas, ábrelas y pulsa
          «Duplicar»: <Invoices numbers={sinEfecto} />.
        </p>
      )}
      {sinEnviar.length > 0 && (
        <p>
          De {cuenta(sinEnviar.length, 'factura', 'facturas')} esperaba aquí una corrección o una
          anulación que no se envía, porque la AEAT tiene un registro posterior. Cada una dice qué
          hacer: <Invoices numbers={sinEnviar} />.
        </p>
      )}
      <h3 className={classes.listTitle}>
        Solo en la AEAT: pide copia a tus clientes ({entero(perdidos.length)})
      </h3>
      <ul className={classes.list}>
        {perdidos.map(({ NumSerieFactura, FechaExpedicionFactura, ImporteTotal }) => (
          <li key={`${NumSerieFactura} ${FechaExpedicionFactura}`}>
            <span className={classes.number}>{NumSerieFactura}</span>
            <span className="hu-figures hu-muted">
              {FechaExpedicionFactura.replaceAll('-', '/')}
            </span>
            <span className="hu-figures">
              {ImporteTotal === undefined ? 'Anulada' : euros(Number(ImporteTotal))}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Invoices({ numbers }: { readonly numbers: readonly string[] }) {
  return numbers.map((number, i) => (
    <span key={number}>
      {i > 0 && ', '}
      <Link to={invoicePath(number)}>{number}</Link>
    </span>
  ));
}
