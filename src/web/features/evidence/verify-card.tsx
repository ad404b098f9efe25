import { Button, Progress } from '@mantine/core';
import { IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { VerificarCadenaAnswer, VerificarCadenaPaso } from '../../../contract/evidence.ts';
import { cuenta, entero, huellaEnGrupos } from '../../lib/format.ts';
import { invoicePath, PATHS } from '../../lib/paths.ts';
import { Chip } from '../../ui/chip.tsx';
import { PanelCard } from '../../ui/panel-card.tsx';
import { Sello } from '../../ui/sello.tsx';
import { useVerifyCadena } from './api.ts';
import classes from './evidence.module.css';
import { Refusal } from './refusal.tsx';

/** «Verificar mi cadena»: a button, and the result in words with the resulting sello. */
export function VerifyCard() {
  const verify = useVerifyCadena();
  const { data, isPending, error } = verify;
  return (
    <PanelCard
      title="Verificar mi cadena"
      chip={data && data.registros > 0 && <Verdict isRight={data.correcta} />}
      aside={
        <span className={classes.sello} data-working={isPending || undefined}>
          <Sello
            huella={isPending ? undefined : data?.Huella}
            size={110}
            tone={data && !data.correcta ? 'mismatch' : 'accent'}
          />
        </span>
      }
    >
      <p>
        Recalcula la huella de todos tus registros, desde el primero, y comprueba que cada uno
        enlaza con el anterior. Si alguien hubiera cambiado o quitado algo, te dirá dónde.
      </p>
      <div className={classes.said} role="status" aria-busy={isPending}>
        {isPending && <p className={classes.answer}>Comprobando registro a registro…</p>}
        {!isPending && verify.data === null && (
          <p className={classes.answer}>La has parado: no se ha comprobado hasta el final.</p>
        )}
        {!isPending && data && <Answer answer={data} />}
      </div>
      {isPending && verify.paso !== null && verify.paso.total > 0 && <Steps paso={verify.paso} />}
      {error && !isPending && (
        <Refusal title="No hemos podido verificar tu cadena." error={error} />
      )}
      <div className={classes.buttons}>
        <Button onClick={() => verify.mutate()} aria-disabled={isPending} loading={isPending}>
          {data ? 'Verificar otra vez' : 'Verificar mi cadena'}
        </Button>
        {isPending && (
          <Button variant="default" onClick={verify.cancel}>
            Parar
          </Button>
        )}
      </div>
    </PanelCard>
  );
}

/** Outside the live region: a screen reader would read out every count. */
function Steps({ paso: { registros, total } }: { readonly paso: VerificarCadenaPaso }) {
  return (
    <div className={classes.answer}>
      <Progress value={(100 * registros) / total} aria-label="Registros comprobados" />
      <p className="hu-figures hu-muted">
        {entero(registros)} de {cuenta(total, 'registro', 'registros')}
      </p>
    </div>
  );
}

function Verdict({ isRight }: { readonly isRight: boolean }) {
  return isRight ? (
    <Chip tone="green" icon={IconCircleCheck}>
      Íntegra
    </Chip>
  ) : (
    <Chip tone="red" icon={IconCircleX}>
      Rota
    </Chip>
  );
}

function Answer({ answer }: { readonly answer: VerificarCadenaAnswer }) {
  const { registros, instalaciones, primeraRotura, Huella } = answer;
  if (primeraRotura) return <Break rotura={primeraRotura} />;
  if (registros === 0) {
    return (
      <div className={classes.answer}>
        <p>
          Todavía no hay nada que verificar: la cadena empieza con{' '}
          <Link to={PATHS.create}>tu primera factura</Link>.
        </p>
      </div>
    );
  }
  return (
    <div className={classes.answer}>
      <p>
        <strong>Tu cadena está íntegra.</strong> {cuenta(registros, 'registro', 'registros')}
        {instalaciones !== undefined && ` de ${entero(instalaciones)} instalaciones`}, cada uno con
        su huella y bien enlazado.{' '}
        {instalaciones === undefined
          ? 'Esta última huella responde de todos:'
          : 'Esta última huella responde de los de la última instalación:'}
      </p>
      <p className={classes.huella}>{huellaEnGrupos(Huella ?? '').join(' ')}</p>
    </div>
  );
}

function Break({ rotura }: { readonly rotura: { NumSerieFactura: string; motivo: string } }) {
  const { NumSerieFactura, motivo } = rotura;
  return (
    <div className={classes.answer} data-broken>
      <p>
        <strong>
          La cadena se rompe
          {NumSerieFactura && (
            <>
              {' '}
              en la factura <Link to={invoicePath(NumSerieFactura)}>{NumSerieFactura}</Link>
            </>
          )}
          .
        </strong>{' '}
        {motivo}
      </p>
      <p>
        Puedes seguir facturando. Exporta tus registros, guárdalos y{' '}
        <Link to={PATHS.help}>escríbenos</Link> con ellos: lo que se envió a la AEAT sigue allí.
      </p>
    </div>
  );
}
