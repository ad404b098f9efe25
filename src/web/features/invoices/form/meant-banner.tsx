import { IconAlertTriangle } from '@tabler/icons-react';
import { eurosOfCents } from '../../../lib/format.ts';
import { Banner } from '../../../ui/banner.tsx';
import type { DraftState } from './draft-state.ts';
import type { MeantAbono } from './open-form.ts';

/** A total that no base leads to is missed by a cent. */
const OUT_OF_REACH_CENTS = 1n;

interface MeantBannerProps {
  readonly meant: MeantAbono;
  readonly state: Pick<DraftState, 'type' | 'tipoRectificativa' | 'invoiceToRectify'>;
  readonly totalCents: bigint;
}

/** Shown with a rectificativa whose amount the guide was given, until it has that amount. */
export function MeantBanner({ meant, state, totalCents }: MeantBannerProps) {
  const { cents: meantCents, tipoRectificativa: metodo, invoiceToRectify } = meant;
  const isMeant =
    state.type === 'abono' &&
    state.tipoRectificativa === metodo &&
    state.invoiceToRectify === invoiceToRectify;
  if (!isMeant || absolute(totalCents - meantCents) <= OUT_OF_REACH_CENTS) return null;
  const now = `ahora suma ${eurosOfCents(totalCents)}.`;
  return metodo === 'I' ? (
    <Banner
      tone="amber"
      icon={IconAlertTriangle}
      title={`Tiene que sumar ${eurosOfCents(meantCents)} y ${now}`}
    >
      Deja en las líneas solo lo que se descuenta.
    </Banner>
  ) : (
    <Banner
      tone="amber"
      icon={IconAlertTriangle}
      title={`El total tenía que ser ${eurosOfCents(meantCents)} y ${now}`}
    >
      Cambia en las líneas lo que estaba mal.
    </Banner>
  );
}

const absolute = (cents: bigint) => (cents < 0n ? -cents : cents);
