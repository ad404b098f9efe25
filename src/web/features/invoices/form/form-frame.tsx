import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { isoDateIn, zonaOf } from '../../../../domain/dates.ts';
import { clientesQuery, datosEmpresaQuery } from '../../../lib/queries.ts';
import { decodeToken, storedToken } from '../../../lib/session.ts';
import { FailedCard } from '../../../ui/failed-state.tsx';
import { PageTitle } from '../../../ui/page-title.tsx';
import { CatalogsProvider, useLoadCatalogs, useWithDeleted } from './catalogs.tsx';
import { FormSkeleton } from './form-skeleton.tsx';
import type { OpenContext } from './open-form.ts';

export interface FormFrameProps {
  readonly title: string;
  readonly children: (context: OpenContext) => ReactNode;
}

/** Loads what every invoice form offers to choose from, and provides who the user is and what day it is. */
export function FormFrame({ title, children }: FormFrameProps) {
  const state = useLoadCatalogs();
  const catalogs = useWithDeleted(state.kind === 'ready' ? state.catalogs : null);
  const groups = catalogs?.groups;
  const keepClient = catalogs?.keepClient;
  const { postCode, countryCode } = catalogs?.company ?? {};
  const queryClient = useQueryClient();
  const context = useMemo<OpenContext | null>(() => {
    if (!groups || postCode === undefined || countryCode === undefined || !keepClient) return null;
    return {
      companyId: decodeToken(storedToken() ?? '')?.sub ?? '',
      today: isoDateIn(new Date(), zonaOf(postCode, countryCode)),
      groups,
      keepClient,
      // Looked up only when needed: reloading the list of clients must not reopen the form.
      ticketClient: () => {
        const No = queryClient.getQueryData(datosEmpresaQuery.queryKey)?.Customer;
        return queryClient.getQueryData(clientesQuery.queryKey)?.find((one) => one.No === No);
      },
    };
  }, [groups, postCode, countryCode, keepClient, queryClient]);

  if (state.kind === 'failed') {
    return (
      <>
        <PageTitle title={title} />
        <FailedCard
          title="No hemos podido cargar tus datos"
          error={state.error}
          onRetry={state.retry}
        />
      </>
    );
  }
  if (!catalogs || !context) return <FormSkeleton title={title} />;
  return <CatalogsProvider catalogs={catalogs}>{children(context)}</CatalogsProvider>;
}
