import { IconAlertTriangle } from '@tabler/icons-react';
import type { TipoRectificativa } from '../../../../domain/invoice.ts';
import { eurosOfCents } from '../../../lib/format.ts';
import { Banner } from '../../../ui/banner.tsx';

/** What no base comes to is a cent away. */
const OUT_OF_REACH_CENTS = 1n;

interface MeantBannerProps {
  /** What was said that it should come to, with its sign; nothing was said when it is not given. */
  readonly meantCents: bigint | undefined;
  readonly totalCents: bigint;
  readonly metodo: TipoRectificativa;
}

/** Beside a rectificativa that does not come to what its guide was told, until it does. */
export function MeantBanner({ meantCents, totalCents, metodo }: MeantBannerProps) {
  if (meantCents === undefined || absolute(totalCents - meantCents) <= OUT_OF_REACH_CENTS) {
    return null;
  }
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
