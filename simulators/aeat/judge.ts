import type { Linea, RegistroDuplicado } from './answers.ts';
import type { Behaviour } from './behaviour.ts';
import { meaningOf } from './codes.ts';
import { idFacturaOf, type Registro } from './registro.ts';
import { altaView } from './rules/alta-view.ts';
import type { Context, Hallazgo } from './rules/context.ts';
import { existenceOfAlta, existenceOfAnulacion } from './rules/existence.ts';
import { rejectionOfAlta, rejectionOfAnulacion } from './rules/rejections.ts';
import { warningOfAlta, warningOfAnulacion } from './rules/warnings.ts';
import type { Entry, Store } from './store.ts';

/** What the answer says of a registro. */
export type Verdict = Pick<
  Linea,
  'EstadoRegistro' | 'CodigoErrorRegistro' | 'DescripcionErrorRegistro' | 'RegistroDuplicado'
>;

/** One code per registro: types first, then the rules, then what exists, then the warnings. */
export function judge(
  leido: Registro,
  context: Context,
  store: Store,
  { rechazar, aceptarConErrores, sinRegistroDuplicado }: Behaviour,
): Verdict {
  const [wrong] = leido.wrong;
  if (wrong) return withCode('Incorrecto', { code: wrong.code, detail: wrong.campo });

  const checks = checksOf(leido, context);
  const asked = forced(leido, rechazar);
  const rejection = checks.rejection() ?? (asked && !isWarning(asked) ? asked : undefined);
  if (rejection) return withCode('Incorrecto', rejection);

  const { NumSerieFactura, FechaExpedicionFactura } = idFacturaOf(leido);
  const latest = store.latest(context.obligado, NumSerieFactura, FechaExpedicionFactura);
  const existence = checks.existence(latest);
  if (existence !== 'ok') {
    return {
      ...withCode('Incorrecto', { code: existence }),
      RegistroDuplicado:
        existence === 3000 && latest && !sinRegistroDuplicado ? duplicadoOf(latest) : undefined,
    };
  }
  const warning = asked ?? forced(leido, aceptarConErrores) ?? checks.warning();
  return warning ? withCode('AceptadoConErrores', warning) : { EstadoRegistro: 'Correcto' };
}

function checksOf(leido: Registro, context: Context) {
  if (leido.TipoRegistro === 'Alta') {
    const alta = altaView(leido.registro);
    return {
      rejection: () => rejectionOfAlta(alta, context),
      existence: (latest: Entry | undefined) => existenceOfAlta(leido.registro, latest),
      warning: () => warningOfAlta(alta, context),
    };
  }
  return {
    rejection: () => rejectionOfAnulacion(leido.registro, context),
    existence: (latest: Entry | undefined) => existenceOfAnulacion(leido.registro, latest),
    warning: () => warningOfAnulacion(leido.registro, context),
  };
}

/** What the control page asked to do with this registro. */
function forced(leido: Registro, codes: ReadonlyMap<string, number>): Hallazgo | undefined {
  if (codes.size === 0) return undefined;
  const { IDEmisorFactura, NumSerieFactura } = idFacturaOf(leido);
  const destinatarios =
    leido.TipoRegistro === 'Alta' ? (leido.registro.Destinatarios?.IDDestinatario ?? []) : [];
  for (const key of [NumSerieFactura, IDEmisorFactura, ...destinatarios.map(({ NIF }) => NIF)]) {
    const code = key === undefined ? undefined : codes.get(key);
    if (code !== undefined) return { code };
  }
  return undefined;
}

function isWarning({ code }: Hallazgo): boolean {
  return code >= 2000 && code < 3000;
}

function withCode(EstadoRegistro: 'AceptadoConErrores' | 'Incorrecto', hallazgo: Hallazgo) {
  return {
    EstadoRegistro,
    CodigoErrorRegistro: hallazgo.code,
    DescripcionErrorRegistro: meaningOf(hallazgo.code, hallazgo.detail),
  };
}

function duplicadoOf(latest: Entry): RegistroDuplicado {
  const { TipoRegistro, EstadoRegistro, CodigoErrorRegistro, DescripcionErrorRegistro } = latest;
  const accepted = EstadoRegistro === 'Correcto' ? 'Correcta' : 'AceptadaConErrores';
  return {
    IdPeticionRegistroDuplicado: latest.presentacion.IdPeticion,
    EstadoRegistroDuplicado: TipoRegistro === 'Anulacion' ? 'Anulada' : accepted,
    CodigoErrorRegistro,
    DescripcionErrorRegistro,
  };
}
