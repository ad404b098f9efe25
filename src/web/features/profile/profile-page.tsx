import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { useLocation } from 'react-router';
import { datosEmpresaQuery } from '../../lib/queries.ts';
import { FailedCard } from '../../ui/failed-state.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { SkeletonBar } from '../../ui/skeleton-rows.tsx';
import { AccountSection } from './account-section.tsx';
import { BillingSection } from './billing-section.tsx';
import { CertificateSection } from './certificate-section.tsx';
import { CompanySection } from './company-section.tsx';
import { DataCopySection } from './data-copy.tsx';
import { DeleteSection } from './delete-section.tsx';
import classes from './profile.module.css';
import { Section } from './section.tsx';
import { SecuritySection } from './security/security-section.tsx';
import { SubscriptionSection } from './subscription-section.tsx';

/** Each section is saved separately: there is no button for the whole page. */
export function ProfilePage({ integrations }: { readonly integrations: ReactNode }) {
  const { data: company, error, refetch } = useQuery(datosEmpresaQuery);
  useSectionOfAddress(company !== undefined);

  return (
    <div className={classes.profile}>
      <PageTitle title="Perfil empresa" />
      {company ? (
        <div>
          <AccountSection company={company} />
          <CompanySection company={company} />
          <CertificateSection company={company} />
          <BillingSection company={company} />
          <Section
            id="integraciones"
            title="Integraciones"
            help="Programas tuyos que se entienden con Huella."
          >
            {integrations}
          </Section>
          <SubscriptionSection />
          <SecuritySection />
          <DataCopySection />
          <DeleteSection />
        </div>
      ) : error ? (
        <FailedCard
          title="No hemos podido cargar los datos de tu empresa"
          error={error}
          onRetry={refetch}
        />
      ) : (
        <Waiting />
      )}
    </div>
  );
}

const TITLES = ['Datos de cuenta', 'Información de empresa', 'Certificado Digital'];

function Waiting() {
  return (
    <div aria-busy="true">
      {TITLES.map((title) => (
        <Section key={title} title={title}>
          <div className={classes.grid}>
            {['a', 'b', 'c', 'd'].map((field) => (
              <div key={field} className={classes.half} style={{ height: 58, paddingTop: 30 }}>
                <SkeletonBar width="80%" />
              </div>
            ))}
          </div>
        </Section>
      ))}
    </div>
  );
}

const FIRST_FIELD = 'button, input:not([type="file"]), a';

/** Scrolls to the section, or the field, named in a link of the panel, `#certificado`, once it is drawn. */
function useSectionOfAddress(isDrawn: boolean) {
  const { hash, key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same link pressed twice goes twice.
  useEffect(() => {
    if (!isDrawn || hash === '') return;
    const named = document.getElementById(hash.slice(1));
    const section = named?.closest('section');
    if (!named || !section) return;
    const field = named.matches('input') ? named : named.querySelector<HTMLElement>(FIRST_FIELD);
    field?.focus({ preventScroll: true });
    return keepInSight(section);
  }, [isDrawn, hash, key]);
}

const MOVED_BY_HAND = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

/** Scrolls to a section, and again when those over it come and push it away, until somebody moves. */
function keepInSight(section: HTMLElement): () => void {
  const watch = new ResizeObserver(() => section.scrollIntoView({ block: 'start' }));
  watch.observe(section.parentElement ?? section);
  const stop = () => {
    watch.disconnect();
    for (const event of MOVED_BY_HAND) removeEventListener(event, stop);
  };
  for (const event of MOVED_BY_HAND) addEventListener(event, stop, { passive: true });
  return stop;
}
