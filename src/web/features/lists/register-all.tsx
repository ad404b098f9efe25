import { Button, Progress } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconStack2 } from '@tabler/icons-react';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import type { RegistrarTodas } from '../../../contract/imports.ts';
import { MAILS_AN_HOUR } from '../../../domain/email.ts';
import { cuenta, entero } from '../../lib/format.ts';
import { errorMessages, http } from '../../lib/http.ts';
import { historyPath, PATHS } from '../../lib/paths.ts';
import { conexionQuery } from '../../lib/queries.ts';
import { Banner } from '../../ui/banner.tsx';
import { confirmAction } from '../../ui/confirm.tsx';
import { useErrorDialog } from '../../ui/error-dialog.tsx';
import { toTitle } from '../../ui/focus-after.ts';
import classes from './register-all.module.css';

const isGoing = (run: RegistrarTodas | undefined) =>
  run?.estado === 'en-marcha' || run?.estado === 'parando';

/** Polls while it runs, so that a user who comes back sees its current state. */
const registerAllQuery = queryOptions({
  queryKey: ['invoices', 'GetRegistrarTodas'],
  queryFn: ({ signal }) => http<RegistrarTodas>('/api/GetData/GetRegistrarTodas', { signal }),
  refetchInterval: ({ state }) => (isGoing(state.data) ? 1_000 : false),
});

/**
 * Starts registering: the drafts with these numbers or, without numbers, all. Its buttons are not disabled meanwhile:
 * they would lose the focus, and keyboard users would lose their place once the buttons are gone.
 */
function useStart(onStarted: () => void) {
  const errors = useErrorDialog();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (Nos?: readonly string[]) =>
      Nos
        ? http<RegistrarTodas>('/api/PostData/RegistrarBorradores', { json: { Nos } })
        : http<RegistrarTodas>('/api/PostData/RegistrarTodas', { method: 'POST' }),
    onSuccess: (answer) => {
      client.setQueryData(registerAllQuery.queryKey, answer);
      onStarted();
    },
    onError: (error) => {
      errors.show(errorMessages(error));
      // Somebody else may have started, or registered them already.
      void client.invalidateQueries({ queryKey: ['invoices'] });
    },
  });
}

export interface RegisterButtonProps {
  readonly onStarted: () => void;
}

/** «Registrar todas (N)»: beside the title while there are drafts and no run is under way. */
export function RegisterAllButton({ onStarted }: RegisterButtonProps) {
  const { data: run } = useQuery(registerAllQuery);
  // The panel knows how many there are before the run is asked for: the buttons beside this one do not move.
  const { data: conexion } = useQuery(conexionQuery);
  const start = useStart(onStarted);
  const drafts = run?.borradores ?? conexion?.borradores ?? 0;
  if (isGoing(run) || drafts < 2) return null;

  const ask = async () => {
    const goesOn = await confirmAction({
      title: `¿Registrar ${cuenta(drafts, 'borrador', 'borradores')}?`,
      message: (
        <p>
          {REGISTERING_MANY} {ALREADY_ISSUED_MANY}
        </p>
      ),
      confirm: 'Registrar todas',
    });
    if (goesOn) start.mutate(undefined);
  };
  return (
    <Button
      ref={toTitle}
      variant="default"
      leftSection={<IconStack2 size={16} stroke={1.8} aria-hidden="true" />}
      aria-disabled={start.isPending || undefined}
      onClick={() => !start.isPending && ask()}
    >
      Registrar todas ({entero(drafts)})
    </Button>
  );
}

const REGISTERING_MANY =
  'Se registran por orden de fecha y se envían a la AEAT. Después no se pueden cambiar, solo rectificar. Los que tengan algo mal se quedan como borradores, con el motivo.';
const REGISTERING_ONE =
  'Se registra y se envía a la AEAT. Después no se puede cambiar, solo rectificar. Si tiene algo mal se queda como borrador, con el motivo.';
const ALREADY_ISSUED_MANY = 'Si ya los emitiste con otro programa, no los registres.';
const ALREADY_ISSUED_ONE = 'Si ya lo emitiste con otro programa, no lo registres.';

/** «Registrar (n)»: for the selected drafts, while no run is under way. */
export function RegisterPickedButton({
  docNos,
  isTooMany,
  onStarted,
}: RegisterButtonProps & { readonly docNos: readonly string[]; readonly isTooMany: boolean }) {
  const { data: run } = useQuery(registerAllQuery);
  const start = useStart(onStarted);
  if (isGoing(run)) return null;

  const count = docNos.length;
  const isOne = count === 1;
  const ask = async () => {
    const goesOn = await confirmAction({
      title: `¿Registrar ${cuenta(count, 'borrador', 'borradores')}?`,
      message: (
        <>
          <p>
            {isOne ? REGISTERING_ONE : REGISTERING_MANY}{' '}
            {isOne ? ALREADY_ISSUED_ONE : ALREADY_ISSUED_MANY}
          </p>
          {(run?.borradores ?? 0) > count && (
            <p className={classes.note}>
              Los números siguen a las fechas: los que dejes sin registrar no podrán llevar después
              una fecha anterior a {isOne ? 'la de este' : 'las de estos'}.
            </p>
          )}
        </>
      ),
      confirm: isOne ? 'Registrar' : `Registrar ${entero(count)}`,
    });
    if (goesOn) start.mutate(docNos);
  };
  return (
    <Button
      ref={toTitle}
      leftSection={<IconStack2 size={16} stroke={1.8} aria-hidden="true" />}
      aria-disabled={start.isPending || undefined}
      disabled={isTooMany}
      onClick={() => !start.isPending && ask()}
    >
      Registrar ({entero(count)})
    </Button>
  );
}

/** Whether it is still unknown what the run shows above the list. */
export function useRegisterAllPending(): boolean {
  return useQuery(registerAllQuery).isPending;
}

export interface RegisterAllStateProps {
  readonly onEdit: (docNo: string) => void;
}

/** The progress of the run and, afterwards, its result. */
export function RegisterAllState({ onEdit }: RegisterAllStateProps) {
  const { data: run } = useQuery(registerAllQuery);
  const [putAway, putResultAway] = usePutAway();
  useFreshLists(run);
  if (!run || run.estado === 'sin-empezar') return null;
  if (isGoing(run)) return <Going run={run} />;
  // Its result is shown for a while, and until the drafts that failed are fixed.
  if (run.fallos.length === 0 && run.estado === 'terminada' && !isRecent(run)) return null;
  if (run.acabada !== undefined && run.acabada === putAway) return null;
  return <Done run={run} onEdit={onEdit} onPutAway={putResultAway} />;
}

const PUT_AWAY = 'huella.registrarTodas.vista';

/** The end time of the run whose result was dismissed in this browser, and a function to dismiss another. */
function usePutAway(): [string | null, (acabada: string) => void] {
  const [putAway, setPutAway] = useState(() => localStorage.getItem(PUT_AWAY));
  return [
    putAway,
    (acabada) => {
      localStorage.setItem(PUT_AWAY, acabada);
      setPutAway(acabada);
    },
  ];
}

const RECENT_MS = 10 * 60_000;
const isRecent = ({ acabada }: RegistrarTodas) =>
  acabada !== undefined && Math.abs(Date.now() - Date.parse(acabada)) < RECENT_MS;

/** The lists below are refreshed as it progresses, and once more at its end. */
function useFreshLists(run: RegistrarTodas | undefined): void {
  const client = useQueryClient();
  const done = run ? `${run.estado} ${run.registradas} ${run.fallidas}` : '';
  const before = useRef('');
  useEffect(() => {
    const isNews = before.current !== '' && done !== '' && before.current !== done;
    before.current = done;
    if (!isNews) return;
    void client.invalidateQueries({
      predicate: ({ queryKey }) =>
        queryKey[0] === 'invoices' && queryKey[1] !== 'GetRegistrarTodas',
    });
  }, [client, done]);
}

function Going({ run }: { readonly run: RegistrarTodas }) {
  const errors = useErrorDialog();
  const client = useQueryClient();
  const stop = useMutation({
    mutationFn: () => http('/api/PostData/PararRegistrarTodas', { method: 'POST' }),
    onSuccess: () => client.invalidateQueries({ queryKey: registerAllQuery.queryKey }),
    onError: (error) => errors.show(errorMessages(error)),
  });
  const done = run.registradas + run.fallidas;
  const isStopping = run.estado === 'parando';
  const percent = run.total === 0 ? 0 : Math.floor((done * 100) / run.total);
  return (
    <section className={`hu-card ${classes.going}`} aria-labelledby="registrando">
      <div className={classes.head}>
        <h2 id="registrando" className={classes.title}>
          {isStopping ? 'Parando…' : 'Registrando tus borradores'}
        </h2>
        <Button
          size="sm"
          variant="default"
          disabled={isStopping}
          loading={stop.isPending}
          onClick={() => stop.mutate()}
        >
          Parar
        </Button>
      </div>
      <Progress value={percent} aria-label="Borradores registrados" />
      <p className={classes.count} role="status">
        {`${entero(done)} de ${entero(run.total)}`}
        {run.fallidas > 0 && ` · ${entero(run.fallidas)} con problemas`}
      </p>
      <p className="hu-muted">
        {isStopping
          ? 'Se para al acabar las que está registrando. El resto sigue como borrador.'
          : 'Puedes seguir con otra cosa: va en el servidor y sigue aunque cierres.'}
      </p>
    </section>
  );
}

/** `1.000 borradores no se pudieron registrar; aquí, los 200 primeros:` */
function failuresText({ porCorregir, fallos }: RegistrarTodas): string {
  const all = cuenta(
    porCorregir,
    'borrador no se pudo registrar',
    'borradores no se pudieron registrar',
  );
  const shown = fallos.length < porCorregir ? `; aquí, los ${entero(fallos.length)} primeros` : '';
  return `${all}${shown}:`;
}

/** How the invoices reach their clients: those of a run are not sent by e-mail when they are registered. */
function mailingText({ registradas }: RegistrarTodas): string {
  const isOne = registradas === 1;
  const how = isOne
    ? 'Para enviarla por correo, márcala en el historial en cuanto la AEAT la acepte.'
    : 'Para enviarlas por correo, márcalas en el historial: están allí en cuanto la AEAT las acepta.';
  return registradas > MAILS_AN_HOUR
    ? `${how} En una hora salen ${entero(MAILS_AN_HOUR)} correos como mucho.`
    : how;
}

interface DoneProps extends RegisterAllStateProps {
  readonly run: RegistrarTodas;
  readonly onPutAway: (acabada: string) => void;
}

function Done({ run, onEdit, onPutAway }: DoneProps) {
  const { acabada, desde, hasta } = run;
  const isClean = run.fallos.length === 0 && run.estado !== 'detenida';
  return (
    <section className={classes.done} aria-label="Resultado de registrar">
      <Banner
        tone={isClean ? 'green' : 'amber'}
        icon={isClean ? IconCircleCheck : IconAlertTriangle}
        title={`${cuenta(run.registradas, 'factura registrada', 'facturas registradas')}.`}
        action={
          <span className={classes.actions}>
            {run.registradas > 0 && (
              <Button
                size="sm"
                variant="default"
                component={Link}
                to={desde && hasta ? historyPath(desde, hasta) : PATHS.history}
              >
                Ver en el historial
              </Button>
            )}
            {acabada !== undefined && (
              <Button ref={toTitle} size="sm" variant="default" onClick={() => onPutAway(acabada)}>
                Ocultar
              </Button>
            )}
          </span>
        }
      >
        {run.registradas > 0 && `${mailingText(run)} `}
        {run.estado === 'parada' && 'Lo paraste. El resto sigue como borrador. '}
        {run.mensaje}
        {run.mensaje !== undefined && ' '}
        {run.porCorregir > 0 && failuresText(run)}
      </Banner>
      {run.fallos.length > 0 && (
        <ul className={classes.failures}>
          {run.fallos.map(({ DocNo, cliente, mensajes }) => (
            <li key={DocNo} className={classes.failure}>
              <span>
                <strong>{cliente ? `${DocNo}, ${cliente}` : DocNo}</strong>
                <span className={classes.why}>{mensajes.join(' ')}</span>
              </span>
              <Button size="sm" variant="default" onClick={() => onEdit(DocNo)}>
                {`Corregir ${DocNo}`}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
