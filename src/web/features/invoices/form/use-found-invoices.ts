import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { isSimplified } from '../../../../domain/invoice.ts';
import { parseDecimal } from '../../../../domain/money.ts';
import { facturasEmitidasQuery } from '../api.ts';
import { numbersTyped } from './rectified-numbers.ts';

/**
 * An R5 rectifies simplified invoices that have not been exchanged, the others rectify complete ones (RD 1619/2012
 * arts. 6.1.a and 15).
 */
export type Offered = 'canjeables' | 'completas';

/**
 * Registered invoices that match the last number typed and that this one may rectify, and which of the numbers are not
 * ours: those are of another program.
 */
export function useFoundInvoices(typed: string, offered: Offered) {
  const numbers = numbersTyped(typed);
  const last = numbers.at(-1) ?? '';
  const others = numbers.slice(0, -1).filter(Boolean);
  const [search] = useDebouncedValue(last, 250);
  const { data, isSuccess, isPlaceholderData } = useQuery({
    ...facturasEmitidasQuery({ search, [offered]: true }),
    placeholderData: keepPreviousData,
  });
  // Invoices of the other kind are not offered either, but they are not of another program.
  const anyKind = useQuery({
    ...facturasEmitidasQuery({ search }),
    enabled: search !== '' && data?.length === 0,
  });
  // Also looked up by number: an annulled or rejected invoice is not offered, but it is not of another program.
  const asked = [...others, search].filter(Boolean);
  const known = useQuery({
    ...facturasEmitidasQuery({ numeros: asked }),
    enabled: asked.length > 0,
    placeholderData: keepPreviousData,
  });
  const rows = data ?? [];
  const isOurs = (number: string) => known.data?.some(({ DocNo }) => DocNo === number) ?? false;
  const ofAll = anyKind.data ?? [];
  const isFound = rows.length === 0 && ofAll.some(({ DocNo }) => DocNo.includes(search));
  const isSettled =
    isSuccess &&
    !isPlaceholderData &&
    !anyKind.isLoading &&
    known.isSuccess &&
    !known.isPlaceholderData &&
    search === last;
  const isLastExternal =
    isSettled &&
    search !== '' &&
    !isOurs(search) &&
    !rows.some(({ DocNo }) => DocNo.includes(search)) &&
    !isFound;
  const isExternal = (number: string, index: number) =>
    index === numbers.length - 1
      ? isLastExternal
      : number !== '' && known.isSuccess && !isOurs(number);
  const externals = numbers.flatMap((number, index) =>
    isExternal(number, index) ? [{ number, index }] : [],
  );
  return {
    rows,
    /** The text before the last number, which stays when that one is chosen. */
    before: others.map((number) => `${number}, `).join(''),
    externals,
    isExternal: externals.length > 0,
    isLastOurs: isOurs(last),
    /** The search matches only invoices that this one cannot rectify. */
    isOfOtherKind:
      isSettled &&
      isFound &&
      ofAll.every(({ Tipo }) => isSimplified(Tipo) === (offered === 'completas')),
    /** The total of those that are ours. */
    oursCents: (known.data ?? [])
      .filter(({ DocNo }) => numbers.includes(DocNo))
      .reduce((sum, { total }) => sum + (parseDecimal(total, 2) ?? 0n), 0n),
  };
}

export type FoundInvoices = ReturnType<typeof useFoundInvoices>;
